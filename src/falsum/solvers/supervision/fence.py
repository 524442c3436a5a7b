"""Fence: kernel restrictions on a solver process: no writes outside its run directory, no network.

Everything here works without privileges and is inherited by all descendants. Landlock restricts the file
system (Linux 5.13), seccomp refuses sockets that leave the machine. Both are applied between fork and exec
and need `no_new_privs`, so a set-user-ID program gains nothing either. By hand with ctypes: the supervisor
runs without site-packages, where no library could be imported.
"""

# ruff: noqa: PTH123 (the supervisor starts thousands of programs)
from __future__ import annotations

import ctypes
import errno
import functools
import os
import socket
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

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

# seccomp: the audit number of the architecture and its system call `socket`.
_ARCHITECTURES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_X32_BIT = 0x40000000


VARIABLE = "FALSUM_FENCE"
OFF, BEST, STRICT = MODES = ("off", "best", "strict")


def mode() -> str:
    """How solvers are to be fenced, from the environment: not at all, as well as can be, or in full."""
    return os.environ.get(VARIABLE, BEST)


def missing() -> str:
    """What this kernel lacks for a full fence; empty if it lacks nothing."""
    lacks = [] if landlock_version() else ["Landlock (files)"]
    return " and ".join(lacks if has_seccomp() else [*lacks, "seccomp (network)"])


def description() -> str:
    """The fence as `falsum solvers doctor` shows it."""
    if mode() == OFF:
        return "off"
    version = landlock_version()
    signals = ", signals" if version >= _SCOPE_VERSION else ""
    parts = [f"Landlock {version} (files{signals})"] if version else []
    parts += ["seccomp (network)"] if has_seccomp() else []
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
            return b"Seccomp:" in file.read() and os.uname().machine in _ARCHITECTURES
    except OSError:
        return False


def restrict(writable: Iterable[str], readable: Iterable[str] = ("/",)) -> None:
    """Put this process behind a fence for good; see `Restrictions`."""
    made = Restrictions(writable, readable)
    try:
        made.apply()
    finally:
        made.close()


class Restrictions:
    """What a process does to itself: files are written below `writable` alone, read below `readable`, and no
    socket reaches beyond the machine. What the kernel does not offer is left out; OSError if it refuses.

    It is made before a process is forked, because a new process pays for all memory that it touches.
    """

    def __init__(self, writable: Iterable[str], readable: Iterable[str] = ("/",)) -> None:
        version = landlock_version()
        self._ruleset = _ruleset(version, writable, readable) if version else -1
        self._filter = _socket_filter()[0] if has_seccomp() else b""

    def apply(self) -> None:
        """Restrict this process for good."""
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
def _socket_filter() -> tuple[bytes, object]:
    """A filter for which `socket` fails with EACCES for every family but AF_UNIX, and calls of other
    architectures fail; and the memory it points to.
    """
    architecture, socket_call = _ARCHITECTURES[os.uname().machine]
    load, equal, at_least, give = 0x20, 0x15, 0x35, 0x06
    refuse = _ERRNO | errno.EACCES
    program = [
        (load, 0, 0, 4),  # the architecture
        (equal, 1, 0, architecture),
        (give, 0, 0, refuse),
        (load, 0, 0, 0),  # the system call
        (at_least, 0, 1, _X32_BIT),
        (give, 0, 0, refuse),
        (equal, 0, 3, socket_call),
        (load, 0, 0, 16),  # its first argument, the family
        (equal, 1, 0, socket.AF_UNIX),
        (give, 0, 0, refuse),
        (give, 0, 0, _ALLOW),
    ]
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    return struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer)), buffer


def _error(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")
