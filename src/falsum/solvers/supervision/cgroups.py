"""ControlGroup (cgroup v2): the kernel's own limits of memory and processes for a supervisor.

A supervisor enters a group of its own if it may make one, and everything it starts is in it from its first
moment, so a start costs nothing more. What the supervisor looks at several times a second, the kernel then
keeps at every moment; and its guard ends all of a group by one word. Controllers are used where they are on:
none is turned on, since that is up to the owner of the machine. Loaded by the supervisor, which runs without
falsum on its path.
"""

# ruff: noqa: PTH102, PTH106, PTH116, PTH118, PTH120, PTH123, PTH208 (the supervisor has no path objects)
from __future__ import annotations

import contextlib
import os
import time

_PREFIX = "falsum-"
_CONTROLLERS = frozenset({"memory", "pids"})
# An empty group of that age has lost its supervisor and its guard.
_ABANDONED_SECONDS = 60.0


class ControlGroup:
    """A group below a folder. Raises OSError if it cannot be made."""

    def __init__(self, parent: str) -> None:
        self.folder = os.path.join(parent, f"{_PREFIX}{os.urandom(6).hex()}")
        os.mkdir(self.folder, 0o700)
        try:
            self._entrance = self._open("cgroup.procs", os.O_WRONLY)
            self._kill = self._open("cgroup.kill", os.O_WRONLY)
            self._memory = self._open("memory.max", os.O_WRONLY)
            self._memory_events = self._open("memory.events", os.O_RDONLY)
            self._pids = self._open("pids.max", os.O_WRONLY)
            self._pids_events = self._open("pids.events", os.O_RDONLY)
            self._write(self._open("memory.swap.max", os.O_WRONLY), "0")
        except BaseException:
            self.remove()
            raise
        self._seen = self._events()

    @property
    def abilities(self) -> list[str]:
        """What the kernel does for this group."""
        all_of_them = (self._memory, "memory"), (self._pids, "processes"), (self._kill, "kill")
        return [name for descriptor, name in all_of_them if descriptor >= 0]

    def enter(self) -> bool:
        """Put this process into the group; what it starts is in it as well."""
        return self._write(self._entrance, "0")

    def limit(self, memory: int, processes: int) -> None:
        """Limit what is in the group to bytes of memory, and to processes and threads."""
        self._write(self._memory, str(memory))
        self._write(self._pids, str(processes))

    def exceeded(self) -> str:
        """The limit that the kernel has enforced since this was last asked: memory, processes or ""."""
        before, self._seen = self._seen, self._events()
        if self._seen[0] > before[0]:
            return "memory"
        return "processes" if self._seen[1] > before[1] else ""

    def kill(self) -> None:
        """Kill everything in the group."""
        self._write(self._kill, "1")

    def remove(self) -> None:
        """Remove the group, which must be empty."""
        with contextlib.suppress(OSError):
            os.rmdir(self.folder)

    def _events(self) -> tuple[int, int]:
        """How often the kernel has killed for memory, and refused a process."""
        return _count(self._memory_events, "oom_kill"), _count(self._pids_events, "max")

    def _open(self, name: str, flags: int) -> int:
        """A file of the group; -1 if the kernel or its controllers do not have it."""
        try:
            return os.open(os.path.join(self.folder, name), flags | os.O_CLOEXEC)
        except FileNotFoundError:
            return -1

    def _write(self, descriptor: int, text: str) -> bool:
        try:
            return descriptor >= 0 and os.write(descriptor, text.encode()) > 0
        except OSError:
            return False


def _count(descriptor: int, event: str) -> int:
    """The number behind an event in a file of events."""
    if descriptor < 0:
        return 0
    words = os.pread(descriptor, 4096, 0).decode().split()
    return int(words[words.index(event) + 1]) if event in words else 0


def make() -> tuple[ControlGroup | None, str]:
    """A group for this process's supervisor, and what the kernel does for it, or why there is none."""
    try:
        with open("/proc/self/cgroup") as own, open("/proc/self/mountinfo") as mounts:
            place, folder = place_of(own.read(), mounts.read())
    except OSError as error:
        return None, str(error)
    if not folder:
        return None, "no cgroup v2 is mounted"
    parent = _parent(place, folder)
    try:
        _remove_abandoned(parent)
        group = ControlGroup(parent)
    except OSError as error:
        return None, f"{parent}: {error.strerror}"
    lacking = "" if _controllers(parent) >= _CONTROLLERS else f", {parent} has no controllers for more"
    return group, ", ".join(group.abilities) + lacking


def place_of(own: str, mounts: str) -> tuple[str, str]:
    """The folder where the hierarchy is mounted, and the one of the group that this process is in, by
    `/proc/self/cgroup` and `/proc/self/mountinfo`; "" if there is none.
    """
    path = next((line[3:] for line in own.splitlines() if line.startswith("0::")), "")
    for line in mounts.splitlines():
        words = line.split(" ")
        root, folder = words[3], words[4]
        kind = words[words.index("-") + 1]
        if kind == "cgroup2" and path and (path + "/").startswith(root.rstrip("/") + "/"):
            below = path[len(root.rstrip("/")) :].strip("/")
            return folder, os.path.join(folder, below) if below else folder
    return "", ""


def _parent(place: str, folder: str) -> str:
    """Where to make groups: beside the own group if its parent has controllers, which a group with
    processes in it has not for groups below it; else below the own group.
    """
    above = os.path.dirname(folder)
    is_inside = folder != place and _controllers(above) >= _CONTROLLERS
    return above if is_inside and os.access(above, os.W_OK) else folder


def _controllers(folder: str) -> frozenset[str]:
    """The controllers that groups below a folder have."""
    try:
        with open(os.path.join(folder, "cgroup.subtree_control")) as file:
            return frozenset(file.read().split())
    except OSError:
        return frozenset()


def _remove_abandoned(parent: str) -> None:
    """Remove what earlier supervisors have left that were killed with their guards; used ones stay."""
    for name in os.listdir(parent):
        folder = os.path.join(parent, name)
        with contextlib.suppress(OSError):
            if name.startswith(_PREFIX) and time.time() - os.stat(folder).st_mtime > _ABANDONED_SECONDS:
                os.rmdir(folder)


def description() -> str:
    """The control groups that this machine permits, by making one, and why there is not more."""
    group, what = make()
    if group is None:
        return f"none ({what})"
    group.remove()
    return what
