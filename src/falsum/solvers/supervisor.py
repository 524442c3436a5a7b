"""The keeper: a small process of its own that starts one program at a time and outlives no falsum.

Run as `python -I -S supervisor.py CHANNEL ROOT`, without falsum on its path. It is the nearest living
ancestor of everything a solver starts (child subreaper), so when a run ends, by itself, at a
limit, or because falsum is gone, every descendant is killed and reaped, and the run's directory
is removed. Orders and reports are messages on a socket; a program's standard streams come
along as file descriptors. It looks every few milliseconds and starts thousands of programs, hence
plain `os` calls rather than path objects, and only imports that load fast.
"""

# ruff: noqa: PTH101, PTH106, PTH108, PTH110, PTH114, PTH123, PTH208 (see above)
from __future__ import annotations

import ctypes
import marshal
import os
import resource
import select
import signal
import socket
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

SHORTEST_LOOK, LONGEST_LOOK = 0.02, 0.25
FASTEST_GROWTH = 4e9  # bytes a second a program can take at most, about
IDLE_TICK = 1.0
LARGEST_ORDER = 1 << 17
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PAGE = os.sysconf("SC_PAGE_SIZE")
CLOCK_TICK = os.sysconf("SC_CLK_TCK")
HAS_CHILDREN_FILES = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
LIBC = ctypes.CDLL(None, use_errno=True)


class Gone(Exception):  # noqa: N818 - an event, not an error
    """Nobody is listening any more."""


def leave(_number: int, _frame: object) -> NoReturn:
    raise Gone


class Keeper:
    def __init__(self, channel: socket.socket, root: str) -> None:
        self.channel = channel
        self.root = root
        self.parent = os.getppid()
        self.readable = False
        self.wake, wake_end = os.pipe()
        os.set_blocking(self.wake, False)
        os.set_blocking(wake_end, False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        signal.signal(signal.SIGTERM, leave)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def serve(self) -> None:
        try:
            while True:
                order, streams = self.next_order()
                self.supervise(order, streams)
        except Gone:
            pass
        finally:
            end_everybody({})
            remove(self.root)

    def next_order(self) -> tuple[dict[str, Any], list[int]]:
        while True:
            self.wait(IDLE_TICK)
            if not self.readable:
                continue
            try:
                message, streams, _flags, _address = socket.recv_fds(self.channel, LARGEST_ORDER, 3)
            except ConnectionError as error:
                raise Gone from error
            if message == b"":
                raise Gone
            if message != b"kill":  # a kill may arrive just after the program ended
                return marshal.loads(message), streams  # noqa: S302 - from falsum itself

    def wait(self, seconds: float) -> None:
        """Sleep until a message, a child's end, or the time is over."""
        ready, _, _ = select.select([self.channel.fileno(), self.wake], [], [], max(0.0, seconds))
        if self.wake in ready:
            os.read(self.wake, 4096)
        self.readable = self.channel.fileno() in ready
        if os.getppid() != self.parent:
            raise Gone

    def supervise(self, order: dict[str, Any], streams: list[int]) -> None:
        started = time.monotonic()
        pid, error = start(order, streams)
        for stream in streams:
            os.close(stream)
        self.say({"pid": pid, "error": error})
        spent: dict[int, resource.struct_rusage] = {}
        status, stopped = (127, "") if error else self.watch(pid, order, started, spent)
        last = end_everybody(spent)
        if status is None:
            status = last.get(pid, 0)
        remove(order["cwd"])
        self.say(
            {
                "status": os.waitstatus_to_exitcode(status) if not error else 127,
                "stopped": stopped,
                "seconds": time.monotonic() - started,
                "cpu": sum(usage.ru_utime + usage.ru_stime for usage in spent.values()),
                "peak": max((usage.ru_maxrss for usage in spent.values()), default=0) * 1024,
            }
        )

    def watch(
        self, pid: int, order: dict[str, Any], started: float, spent: dict[int, Any]
    ) -> tuple[int | None, str]:
        """The wait status of the program, or why it has to be stopped."""
        deadline = started + order["seconds"] if order["seconds"] else float("inf")
        next_look = started + until_next_look(order, 0, 0.0)
        while True:
            now = time.monotonic()
            self.wait(min(deadline, next_look) - now)
            ended = reap(spent)
            if pid in ended:
                return ended[pid], ""
            if self.readable:
                if self.channel.recv(LARGEST_ORDER) == b"":
                    raise Gone
                return None, "killed"
            now = time.monotonic()
            if now >= deadline:
                return None, "time"
            if now >= next_look:
                memory, cpu = appetite()
                next_look = now + until_next_look(order, memory, cpu)
                if memory > order["memory"]:
                    return None, "memory"
                if order["cpu"] and cpu > order["cpu"]:
                    return None, "cpu"

    def say(self, report: dict[str, Any]) -> None:
        try:
            self.channel.send(marshal.dumps(report))
        except OSError as error:
            raise Gone from error


def until_next_look(order: dict[str, Any], memory: int, cpu: float) -> float:
    """Seconds in which no limit can be passed by much: looking costs CPU that solvers could have."""
    seconds: float = (order["memory"] - memory) / FASTEST_GROWTH
    if order["cpu"]:
        seconds = min(seconds, order["cpu"] - cpu)
    return max(SHORTEST_LOOK, min(LONGEST_LOOK, seconds))


def start(order: dict[str, Any], streams: list[int]) -> tuple[int, str]:
    """The new process and "", or why it could not be started."""
    hear, tell = os.pipe()
    keeper = os.getpid()
    pid = os.fork()
    if pid == 0:
        become(order, streams, tell, keeper)
    os.close(tell)
    error = b""
    while piece := os.read(hear, 4096):
        error += piece
    os.close(hear)
    return pid, error.decode(errors="replace")


def become(order: dict[str, Any], streams: list[int], tell: int, keeper: int) -> NoReturn:
    """Turn this fresh process into the program; whatever goes wrong is told to the keeper."""
    try:
        os.setsid()
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != keeper:
            os._exit(127)
        for target, stream in enumerate(streams):
            os.dup2(stream, target)
        os.closerange(len(streams), tell)
        os.closerange(tell + 1, 1024)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        os.umask(0o077)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["file"], order["file"]))
        resource.setrlimit(resource.RLIMIT_AS, (order["address"], order["address"]))
        if order["cpu"]:
            # The keeper stops it first; this is for the moment when the keeper cannot look.
            ceiling = int(order["cpu"]) + 2
            resource.setrlimit(resource.RLIMIT_CPU, (ceiling, ceiling))
        os.chdir(order["cwd"])
        os.execve(order["argv"][0], order["argv"], order["env"])  # noqa: S606 - what it is for
    except BaseException as error:  # noqa: BLE001 - reported, then this process ends
        os.write(tell, str(error).encode())
    os._exit(127)


def reap(spent: dict[int, Any]) -> dict[int, int]:
    """Collect the children that have ended: process → wait status."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        ended[pid] = status
        spent[pid] = usage


def end_everybody(spent: dict[int, Any]) -> dict[int, int]:
    """Kill and reap until nothing is left below this process."""
    ended: dict[int, int] = {}
    while True:
        for pid in descendants():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        try:
            pid, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return ended
        ended[pid] = status
        spent[pid] = usage


def descendants() -> list[int]:
    """Every process below this one."""
    below = children if HAS_CHILDREN_FILES else scanned_children
    found: list[int] = []
    todo = [os.getpid()]
    while todo:
        listed = below(todo.pop())
        found += listed
        todo += listed
    return found


def children(pid: int) -> list[int]:
    """Children of all threads of a process; an ended process has none."""
    listed: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                listed += [int(word) for word in file.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        pass
    return listed


def scanned_children(pid: int) -> list[int]:
    """The same where the kernel keeps no list of children: ask every process for its parent."""
    listed: list[int] = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and int(stat_fields(int(name))[1]) == pid:
                listed.append(int(name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return listed


def stat_fields(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat after the program's name, which may contain anything."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()


def appetite() -> tuple[int, float]:
    """Resident bytes and CPU seconds of everything below this process."""
    memory, cpu = 0, 0.0
    for pid in descendants():
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:
                memory += int(file.read().split()[1]) * PAGE
            cpu += sum(int(field) for field in stat_fields(pid)[11:15]) / CLOCK_TICK
        except (FileNotFoundError, ProcessLookupError):
            continue
    return memory, cpu


def remove(directory: str) -> None:
    """Remove a directory even if a program took away its own permissions there."""
    places = []
    try:
        for place, names, files in os.walk(directory):
            places.append(place)
            for name in files:
                os.unlink(f"{place}/{name}")
            for name in names:
                path = f"{place}/{name}"
                if os.path.islink(path):
                    os.unlink(path)
                else:
                    os.chmod(path, 0o700)
        for place in reversed(places):
            os.rmdir(place)
    except OSError:
        return  # litter is a smaller harm than a lost keeper; falsum tries once more when it closes


def main() -> None:
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)
    Keeper(channel, sys.argv[2]).serve()


if __name__ == "__main__":
    main()
