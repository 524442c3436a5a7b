"""Maps of edges: shared memory that is gone with its last process, and what is new in a map."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from falsum.solvers.instruments import edges
from falsum.solvers.instruments.edges import EdgeMap, SeenEdges, edge_of, packed_edges, unpacked

_SEGMENTS = Path("/proc/sysvipc/shm")


def segments() -> set[int]:
    return {int(row.split()[1]) for row in _SEGMENTS.read_text().splitlines()[1:]}


def counts(size: int = 16, **hits: int) -> bytes:
    made = bytearray(size)
    for edge, count in hits.items():
        made[int(edge[1:])] = count
    return bytes(made)


def test_an_edge_is_new_once_in_each_class_of_counts() -> None:
    seen = SeenEdges()
    assert list(unpacked(seen.add(counts(e3=1)))) == [8 * 3]
    assert seen.add(counts(e3=1)) == b""
    assert list(unpacked(seen.add(counts(e3=5, e9=1)))) == [8 * 3 + 3, 8 * 9]
    assert seen.add(counts(e3=7)) == b""  # 4 to 7 are one class
    (last,) = unpacked(seen.add(counts(e15=255)))
    assert edge_of(last) == 15


def test_every_count_has_one_class() -> None:
    first = [next(iter(unpacked(SeenEdges().add(counts(e0=count))))) for count in range(1, 256)]
    assert first == sorted(first)
    assert set(first) == set(range(8))


def test_watched_edges_are_told_if_they_were_reached_since() -> None:
    seen = SeenEdges()
    seen.add(counts(e3=1, e9=1))
    watched = packed_edges([3, 9, 1000])
    assert list(unpacked(seen.take_since(watched))) == [3, 9]
    assert seen.take_since(watched) == b""
    seen.add(counts(e9=200, e4=1))  # in any number
    assert list(unpacked(seen.take_since(watched))) == [9]
    assert seen.take_since(packed_edges([3])) == b""


def test_a_map_is_shared_cleared_and_gone() -> None:
    before = segments()
    edge_map = EdgeMap(100)
    assert dict(edge_map.variables)["AFL_MAP_SIZE"] == "100"
    assert edge_map.counts() == bytes(100)
    code = (
        "import ctypes, sys; libc = ctypes.CDLL(None); libc.shmat.restype = ctypes.c_void_p\n"
        "ctypes.memset(libc.shmat(int(sys.argv[1]), None, 0), 7, 3)"
    )
    subprocess.run([sys.executable, "-c", code, str(edge_map.segment)], check=True)
    assert edge_map.counts() == bytes([0, 7, 7]) + bytes(97)
    edge_map.clear()
    assert edge_map.counts() == bytes(100)
    edge_map.close()
    edge_map.close()
    assert segments() <= before


def test_a_map_is_gone_with_a_process_that_is_killed() -> None:
    code = (
        "from falsum.solvers.instruments.edges import EdgeMap\n"
        "made = EdgeMap(100)\nprint(made.segment, flush=True)\ninput()"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    segment = int(process.stdout.readline())
    assert segment in segments()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert segment not in segments()


def test_no_memory_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edges._LIBC, "shmget", lambda *_arguments: -1)
    with pytest.raises(OSError, match="no shared memory for a map of edges"):
        EdgeMap(100)
