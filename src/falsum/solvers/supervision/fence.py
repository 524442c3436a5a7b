"""Fence: kernel restrictions on a solver process: no writes outside its run directory, no network.

Everything here works without privileges and is inherited by all descendants. Landlock restricts the file
system (Linux 5.13), seccomp the system calls to those of a list (`call_filter`). Both are applied between
fork and exec and need `no_new_privs`, so a set-user-ID program gains nothing either. By hand with ctypes: the
supervisor runs without site-packages, where no library could be imported.
"""

# ruff: noqa: PTH120, PTH123 (the supervisor starts thousands of programs)
from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_HERE = os.path.dirname(__file__)
_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2

# Landlock: the same numbers on every architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_READS = _EXECUTE | _READ_FILE | _READ_DIR
# All file system rights by the version that brought them: 13 at first, then REFER, TRUNCATE, IOCTL_DEV.
_RIGHTS_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | 1 << 14 | 1 << 15
_TCP_VERSION, _TCP_RIGHTS = 4, 0b11
_SCOPE_VERSION, _SCOPES = 6, 0b11  # abstract sockets and signals of processes outside

# Devices every program may write to.
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full")

_SCOPE_SIGNAL = 0b10
# Capabilities of the administrator that programs keep: to read files of others, such as solvers in homes.
_PR_CAPBSET_DROP, _MOST_CAPABILITIES, _KEPT_CAPABILITIES = 24, 64, (1, 2)

VARIABLE = "FALSUM_FENCE"
OFF, LEARN, BEST, STRICT = MODES = ("off", "learn", "best", "strict")


def mode() -> str:
    """The mode of the fence, from the environment: off, best or strict.

    With `learn`, refused system calls are allowed, and the kernel logs them.
    """
    return os.environ.get(VARIABLE, BEST)


def missing() -> str:
    """The features that this kernel lacks for a full fence; empty if there are none."""
    lacks = [] if landlock_version() else ["Landlock (files)"]
    return " and ".join(lacks if has_seccomp() else [*lacks, "seccomp (system calls)"])


def description() -> str:
    """The fence as `falsum solvers doctor` shows it."""
    if mode() == OFF:
        return "off"
    version = landlock_version()
    signals = ", signals" if version >= _SCOPE_VERSION else ""
    parts = [f"Landlock {version} (files{signals})"] if version else []
    parts += [f"seccomp ({len(call_filter().numbers(traces=True))} system calls)"] if has_seccomp() else []
    lacking = missing()
    return ", ".join(parts or ["none"]) + (f"; this kernel lacks {lacking}" if lacking else "")


@functools.cache
def landlock_version() -> int:
    """The version of Landlock that the kernel offers; 0 if none."""
    version: int = _LIBC.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG))
    return max(0, version)


@functools.cache
def has_seccomp() -> bool:
    """Whether filters of system calls can be installed on this kernel and architecture."""
    try:
        with open("/proc/self/status", "rb") as file:
            return b"Seccomp:" in file.read() and call_filter().is_known_machine()
    except OSError:
        return False


def restrict(writable: Iterable[str], readable: Iterable[str] = ("/",)) -> None:
    """Put this process behind a fence for good; see `Restrictions`."""
    restrictions = Restrictions(writable, readable)
    try:
        restrictions.apply()
    finally:
        restrictions.close()


class Restrictions:
    """The restrictions a process puts on itself: it can write files only below `writable` and read them below
    `readable`, make only listed system calls, and has no privileges of the administrator. One `segment` of
    shared memory may be attached. Features that the kernel lacks are left out; raises OSError if it refuses.

    Make it before forking, because a new process pays for all memory that it touches.
    """

    def __init__(
        self,
        writable: Iterable[str],
        readable: Iterable[str] = ("/",),
        *,
        learns: bool = False,
        segment: int | None = None,
    ) -> None:
        version = landlock_version()
        self._ruleset = _ruleset(version, writable, readable) if version else -1
        self._filter = _call_filter(learns=learns, segment=segment)[0] if has_seccomp() else b""

    def apply(self) -> None:
        """Restrict this process for good."""
        drop_capabilities()
        if _LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise _error("no_new_privs")
        if self._ruleset >= 0 and _LIBC.syscall(_RESTRICT_SELF, self._ruleset, ctypes.c_uint32(0)):
            raise _error("landlock_restrict_self")
        if self._filter and _LIBC.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, self._filter, 0, 0):
            raise _error("seccomp")

    def close(self) -> None:
        if self._ruleset >= 0:
            os.close(self._ruleset)
            self._ruleset = -1


def _ruleset(version: int, writable: Iterable[str], readable: Iterable[str]) -> int:
    """A set of rules of Landlock, as a file descriptor that programs do not inherit."""
    rights = max(value for since, value in _RIGHTS_BY_VERSION.items() if since <= version)
    attributes = struct.pack(
        "QQQ",
        rights,
        _TCP_RIGHTS if version >= _TCP_VERSION else 0,
        _SCOPES if version >= _SCOPE_VERSION else 0,
    )
    # Older kernels know a shorter record and refuse set bits beyond it, never zeros.
    size = 8 if version < _TCP_VERSION else 16 if version < _SCOPE_VERSION else 24
    ruleset: int = _LIBC.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(size), ctypes.c_uint32(0))
    if ruleset < 0:
        raise _error("landlock_create_ruleset")
    try:
        for path in readable:
            _allow(ruleset, path, _READS & rights)
        for path in _DEVICES:
            _allow(ruleset, path, (_READ_FILE | _WRITE_FILE) & rights)
        for path in writable:
            _allow(ruleset, path, rights)
    except BaseException:
        os.close(ruleset)
        raise
    return ruleset


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Allow rights below a path; a path that does not exist needs no rule."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):  # noqa: PTH112
            rights &= _FILE_RIGHTS
        rule = struct.pack("=Qi", rights, place)
        if _LIBC.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, ctypes.c_uint32(0)):
            raise _error(f"landlock_add_rule {path}")
    finally:
        os.close(place)


@functools.cache
def call_filter() -> Any:
    """The module beside this one; the supervisor has no falsum on its path."""
    spec = importlib.util.spec_from_file_location(
        "call_filter", f"{os.path.dirname(__file__)}/call_filter.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.lru_cache(maxsize=16)
def _call_filter(*, learns: bool, segment: int | None) -> tuple[bytes, object]:
    """The filter of system calls as the kernel takes it, and the memory it points to."""
    # Without Landlock a tracer could reach processes outside.
    code = call_filter().program(traces=landlock_version() > 0, learns=learns, segment=segment)
    buffer = ctypes.create_string_buffer(code, len(code))
    return struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(buffer)), buffer


def scope_signals() -> bool:
    """Limit the signals of this process to itself and its descendants, for good; return whether that is
    certain.
    """
    if landlock_version() < _SCOPE_VERSION:
        return False
    attributes = struct.pack("QQQ", 0, 0, _SCOPE_SIGNAL)
    ruleset: int = _LIBC.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(24), ctypes.c_uint32(0))
    if ruleset < 0:
        return False
    try:
        if _LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            return False
        if _LIBC.syscall(_RESTRICT_SELF, ruleset, ctypes.c_uint32(0)):
            return False
    finally:
        os.close(ruleset)
    return True


def drop_capabilities() -> None:
    """Give up the privileges of the administrator, for this process and its descendants."""
    if os.getuid() and os.geteuid():
        return
    for number in range(_MOST_CAPABILITIES):
        if number not in _KEPT_CAPABILITIES and _LIBC.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0):
            break  # there are no more, or this is not the administrator


def _error(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")
