"""Namespaces: separate processes, network and IPC for a supervisor, if the kernel permits it.

Programs then see no other processes and no network. When the supervisor ends, the kernel ends all of them. A
supervisor creates them once and everything that it starts inherits them, so a start costs nothing more.
Without administrator rights, they need a user namespace. Loaded by the supervisor, which runs without falsum
on its path.
"""

# ruff: noqa: PTH123 (the supervisor has no path objects)
from __future__ import annotations

import ctypes
import os

_LIBC = ctypes.CDLL(None, use_errno=True)
_MOUNTS, _IPC, _USER, _PROCESSES, _NETWORK = 0x20000, 0x08000000, 0x10000000, 0x20000000, 0x40000000
_CHILD_SUBREAPER = 36
_SLAVE, _RECURSIVE, _NO_SUID, _NO_DEVICES, _NO_EXEC = 1 << 19, 1 << 14, 2, 4, 8
# What is tried in turn: a container may permit some, or none. Processes need their own /proc.
ALL, NO_PROCESSES, NONE = "all", "no processes", ""
TRIES = (ALL, NO_PROCESSES, NONE)
_FLAGS = {ALL: _PROCESSES | _MOUNTS | _NETWORK | _IPC, NO_PROCESSES: _NETWORK | _IPC}
_NAMES = {ALL: "processes, network, IPC", NO_PROCESSES: "network, IPC", NONE: "none"}


def enter(which: str, *, has_own_ipc: bool = True) -> None:
    """Leave the current namespaces; the next child is the first process of the new ones."""
    flags = _FLAGS[which] if has_own_ipc else _FLAGS[which] & ~_IPC
    user, group = os.geteuid(), os.getegid()
    needs_user = user != 0
    if _LIBC.unshare(flags | (_USER if needs_user else 0)):
        raise _error("unshare")
    if needs_user:
        for file, line in (
            ("uid_map", f"{user} {user} 1"),
            ("setgroups", "deny"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{file}", "w") as opened:
                opened.write(line)


def show_own_processes() -> None:
    """Mount this process's own `/proc` in place of the other one, for it and what it starts."""
    if _LIBC.mount(b"none", b"/", None, _SLAVE | _RECURSIVE, None):
        raise _error("mount /")
    if _LIBC.mount(b"proc", b"/proc", b"proc", _NO_SUID | _NO_DEVICES | _NO_EXEC, None):
        raise _error("mount /proc")


class OuterProcesses:
    """The processes as falsum sees them: opened before `show_own_processes`."""

    def __init__(self) -> None:
        self._folder = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)

    def own_number(self) -> int:
        """The number that falsum knows this process by."""
        return int(os.readlink("self", dir_fd=self._folder))


def fork(which: str, outer: OuterProcesses, *, has_own_ipc: bool = True) -> tuple[int, str]:
    """Fork a process into namespaces of its own; return its number, 0 in the child; or -1, and the reason.

    The caller is a child subreaper, so the process is its child.
    """
    told, tell = os.pipe()
    between = os.fork()
    if between == 0:
        try:
            if which:
                enter(which, has_own_ipc=has_own_ipc)
            if which == ALL:
                if os.fork():
                    os._exit(0)
                show_own_processes()
            os.write(tell, str(outer.own_number()).encode())
        except BaseException as error:  # noqa: BLE001 - told, then this process ends
            os.write(tell, f"-1 {error}".encode())
            os._exit(1)
        os.close(told)
        os.close(tell)
        return 0, ""
    os.close(tell)
    with os.fdopen(told) as answer:
        number, _, why = answer.read().partition(" ")
    if which == ALL or why:
        os.waitpid(between, 0)
    return int(number or -1), why


def description() -> str:
    """The namespaces that this machine permits, by trying them, and why there are not more."""
    outer = OuterProcesses()
    reasons = []
    for which in TRIES:
        # A process in between, so that what is left of a try is not the caller's to reap.
        told, tell = os.pipe()
        child = os.fork()
        if child == 0:
            _LIBC.prctl(_CHILD_SUBREAPER, 1, 0, 0, 0)
            number, why = fork(which, outer)
            if number:
                os.write(tell, why.encode())
            os._exit(0)
        os.close(tell)
        with os.fdopen(told) as answer:
            why = answer.read()
        os.waitpid(child, 0)
        if not why:
            break
        reasons.append(f"{_NAMES[which]}: {why}")
    missing = f" (not permitted: {'; '.join(reasons)})" if reasons else ""
    return f"{_NAMES[which]}{missing}"


def _error(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")
