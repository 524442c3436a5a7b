"""EdgeMap: the shared memory in which a program built with AFL++ counts its edges, and the new ones among
them.

The compilers of AFL++ (`afl-clang-fast`, `afl-gcc-fast`) add to every edge of the control flow a counter of
one byte. The run-time library attaches the memory that `__AFL_SHM_ID` names and counts there, without a fork
server, too. As in AFL, a count is cut into eight classes, and an edge is new in each of them once.
"""

from __future__ import annotations

import ctypes
import os
import re
from array import array
from collections.abc import Callable, Iterable
from typing import Final

SIZE_VARIABLE: Final = "AFL_DUMP_MAP_SIZE"
_CLASSES: Final = 8
# 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, more: one bit each.
_CLASS_OF: Final = bytes([0, 1, 2, 4] + [8] * 4 + [16] * 8 + [32] * 16 + [64] * 96 + [128] * 128)
_ANY: Final = re.compile(rb"[^\0]")
_IPC_PRIVATE, _IPC_RMID, _OWNER_ONLY = 0, 0, 0o600
_FAILED: Final = ctypes.c_void_p(-1).value
_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_LIBC.shmat.restype = ctypes.c_void_p
_LIBC.shmat.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
_LIBC.shmdt.argtypes = (ctypes.c_void_p,)
_LIBC.shmget.argtypes = (ctypes.c_int, ctypes.c_size_t, ctypes.c_int)


class EdgeMap:
    """Memory for a number of edges; `segment` is its System V number.

    It is marked for removal as soon as it is attached here: Linux still lets a program attach it by its
    number, and frees it with the last process that has it, however that ends.
    """

    def __init__(self, edges: int) -> None:
        self.edges = edges
        self.segment = _checked(_LIBC.shmget(_IPC_PRIVATE, edges, _OWNER_ONLY))
        try:
            self._address = _LIBC.shmat(self.segment, None, 0)
            if self._address == _FAILED:
                _checked(-1)
        finally:
            _LIBC.shmctl(self.segment, _IPC_RMID, None)

    @property
    def variables(self) -> tuple[tuple[str, str], ...]:
        """The variables that AFL++'s run-time library reads; it needs the second one if the map is large."""
        return ("__AFL_SHM_ID", str(self.segment)), ("AFL_MAP_SIZE", str(self.edges))

    def clear(self) -> None:
        ctypes.memset(self._address, 0, self.edges)

    def counts(self) -> bytes:
        """The counts by edge; the run-time library itself sets that of 0, which is no edge."""
        return b"\0" + ctypes.string_at(self._address + 1, self.edges - 1)

    def close(self) -> None:
        if self._address is not None:
            _LIBC.shmdt(self._address)
            self._address = None


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"no shared memory for a map of edges: {os.strerror(number)}")
    return result


class SeenEdges:
    """The edges that a program has reached so far, each in classes of counts.

    All sets are integers with a byte for each edge, so that comparing them is one operation.
    """

    def __init__(self) -> None:
        self._seen = 0
        self._since = 0
        self._lately = 0

    def add(self, counts: bytes) -> bytes:
        """Add the counts of a run; return the new ones, packed (see `unpacked`)."""
        reached = int.from_bytes(counts.translate(_CLASS_OF), "little")
        self._since |= reached
        self._lately |= reached
        new = reached & ~self._seen
        if not new:
            return b""
        self._seen |= new
        return packed(new)

    def take_since(self, watched: bytes) -> bytes:
        """The edges, among some packed ones, that runs have reached since the last call in any number."""
        since, self._since = self._since, 0
        there = since.to_bytes((since.bit_length() + 7) // 8, "little")
        return filtered(watched, lambda edge: edge < len(there) and there[edge] > 0)

    def forget_lately(self) -> None:
        """Reset the record that `lately` reads."""
        self._lately = 0

    def lately(self, features: bytes) -> bytes:
        """The edges with their classes, among some packed ones, reached since `forget_lately`."""
        there = self._lately.to_bytes((self._lately.bit_length() + 7) // 8, "little")
        size = _CLASSES * len(there)
        return filtered(
            features, lambda one: one < size and bool(there[one // _CLASSES] >> one % _CLASSES & 1)
        )


def packed_edges(edges: Iterable[int]) -> bytes:
    """The numbers of edges, without classes, in four bytes each."""
    return array("I", edges).tobytes()


def packed(edges: int) -> bytes:
    """The numbers of edges and classes in a set, in four bytes each."""
    numbers = array("I")
    for match in _ANY.finditer(edges.to_bytes((edges.bit_length() + 7) // 8, "little")):
        first, byte = _CLASSES * match.start(), match[0][0]
        numbers.extend(first + place for place in range(_CLASSES) if byte >> place & 1)
    return numbers.tobytes()


def unpacked(features: bytes) -> array[int]:
    """The numbers in a packed set, which has eight for each edge."""
    numbers = array("I")
    numbers.frombytes(features)
    return numbers


def filtered(features: bytes, is_kept: Callable[[int], bool]) -> bytes:
    """Some of the numbers in a packed set."""
    return array("I", filter(is_kept, unpacked(features))).tobytes()


def edge_of(feature: int) -> int:
    return feature // _CLASSES
