"""Supervisor: a small process that starts one program at a time, limits it, and cleans up after it.

Run as `python -I -S supervisor.py CHANNEL ROOT FENCED`, without falsum on its path. It is the nearest living
ancestor of everything a solver starts (child subreaper, or the first process of a namespace), so when a run
ends, by itself, at a limit, or because falsum has ended, every descendant is killed and reaped, and the
directory of the run is removed.
Jobs and reports are messages on a socket; the standard streams of a program come along as file descriptors.
It checks limits every few milliseconds and starts thousands of programs, hence plain `os` calls rather than
path objects, and only imports that load fast.
"""

# ruff: noqa: PTH120 (see above)
from __future__ import annotations

import ctypes
import importlib.util
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

SHORTEST_INTERVAL, LONGEST_INTERVAL = 0.02, 0.25  # seconds between two checks of the limits
FASTEST_GROWTH = 4e9  # bytes per second, about the most a program can allocate
LARGEST_JOB = 1 << 17
# What a run may have at once.
MOST_PROCESSES = 512
# How often the processes of the machine are counted.
COUNT_INTERVAL = 0.1
PR_SET_CHILD_SUBREAPER = 36
LIBC = ctypes.CDLL(None, use_errno=True)


def beside(name: str) -> Any:
    """A module in the folder of this one, which is not on the path."""
    spec = importlib.util.spec_from_file_location(name, f"{os.path.dirname(__file__)}/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


fence, descendants, run_directory, namespaces, cgroups, launch = map(
    beside, ("fence", "descendants", "run_directory", "namespaces", "cgroups", "launch")
)

# What the kernel enforces where it can, while the supervisor looks several times a second: more processes,
# since threads count; more memory, since files in memory do, and the supervisor.
MOST_THREADS = 2 * MOST_PROCESSES
MORE_MEMORY = run_directory.MOST_BYTES + (64 << 20)


class ParentEnded(Exception):  # noqa: N818 - an event, not an error
    """Raised when falsum has ended, or asks the supervisor to end."""


def on_terminate(_number: int, _frame: object) -> NoReturn:
    raise ParentEnded


class Supervisor:
    def __init__(self, channel: socket.socket, root: str, guarded: int, outer: Any, group: Any) -> None:
        self.channel = channel
        self.group = group if group is not None and group.enter() else None
        self.root = root
        self.guarded = guarded  # ends with the guard
        self.outer = outer
        self.readable = False
        self.wake, wake_end = os.pipe()
        os.set_blocking(self.wake, False)
        os.set_blocking(wake_end, False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        signal.signal(signal.SIGTERM, on_terminate)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        # The first process of a namespace signals nobody outside.
        is_first = os.getpid() == 1
        self.is_scoped = is_first or (fence.scope_signals() and not can_signal(os.getppid()))

    def serve(self) -> None:
        """Run jobs until falsum ends."""
        try:
            while True:
                job, streams = self.next_job()
                self.supervise(job, streams)
        except ParentEnded:
            pass
        finally:
            descendants.kill_descendants({}, is_scoped=self.is_scoped)
            run_directory.remove(self.root)

    def next_job(self) -> tuple[dict[str, Any], list[int]]:
        while True:
            self.wait(None)
            if not self.readable:
                continue
            try:
                message, streams, _flags, _address = socket.recv_fds(self.channel, LARGEST_JOB, 3)
            except ConnectionError as error:
                raise ParentEnded from error
            if message == b"":
                raise ParentEnded
            if message != b"kill":  # a kill may arrive just after the program ended
                return marshal.loads(message), streams  # noqa: S302 - from falsum itself

    def wait(self, seconds: float | None) -> None:
        """Sleep until a message arrives, a child ends, or the time is over, if there is a limit."""
        ends = [self.channel.fileno(), self.wake, self.guarded]
        ready, _, _ = select.select(ends, [], [], None if seconds is None else max(0.0, seconds))
        if self.wake in ready:
            os.read(self.wake, 4096)
        self.readable = self.channel.fileno() in ready
        if self.guarded in ready:
            raise ParentEnded

    def supervise(self, job: dict[str, Any], streams: list[int]) -> None:
        start = time.monotonic()
        if self.group is not None:
            self.group.limit(job["memory"] + MORE_MEMORY, MOST_THREADS)
        pid, shown_pid, number, error = launch.start(job, streams, self.outer, fence)
        for stream in streams:
            os.close(stream)
        self.send({"pid": shown_pid, "error": error, "errno": number})
        spent_usage: dict[int, resource.struct_rusage] = {}
        status, stopped = (127, "") if error else self.watch(pid, job, start, spent_usage)
        last = descendants.kill_descendants(spent_usage, is_scoped=self.is_scoped)
        if status is None:
            status = last.get(pid, 0)
        if self.group is not None:
            stopped = self.group.exceeded() or stopped
        run_directory.remove(job["cwd"])
        self.send(
            {
                "status": os.waitstatus_to_exitcode(status) if not error else 127,
                "stopped": stopped,
                "seconds": time.monotonic() - start,
                "cpu": sum(usage.ru_utime + usage.ru_stime for usage in spent_usage.values()),
                "peak": max((usage.ru_maxrss for usage in spent_usage.values()), default=0) * 1024,
            }
        )

    def watch(
        self, pid: int, job: dict[str, Any], start: float, usage: dict[int, Any]
    ) -> tuple[int | None, str]:
        """The wait status of the program, or the limit that it has exceeded."""
        deadline = start + job["seconds"] if job["seconds"] else float("inf")
        next_check = start + check_interval(job, 0, 0.0)
        most = descendants.process_count() + MOST_PROCESSES
        while True:
            now = time.monotonic()
            self.wait(min(deadline, next_check, now + COUNT_INTERVAL) - now)
            statuses = descendants.reap(usage)
            if pid in statuses:
                return statuses[pid], ""
            if self.readable:
                self.expect_kill()
                return None, "killed"
            now = time.monotonic()
            if now >= deadline:
                return None, "time"
            if descendants.process_count() > most:
                if len(descendants.descendants()) > MOST_PROCESSES:
                    return None, "processes"
                most = descendants.process_count() + MOST_PROCESSES  # they are somebody else's
            if now >= next_check:
                if run_directory.is_full(job["cwd"]):
                    return None, "files"
                memory, cpu = descendants.usage_of_descendants()
                next_check = now + check_interval(job, memory, cpu)
                if memory > job["memory"]:
                    return None, "memory"
                if job["cpu"] and cpu > job["cpu"]:
                    return None, "cpu"

    def expect_kill(self) -> None:
        """Read the request to end the program."""
        try:
            message = self.channel.recv(LARGEST_JOB)
        except ConnectionError as error:
            raise ParentEnded from error
        if message == b"":
            raise ParentEnded

    def send(self, report: dict[str, Any]) -> None:
        try:
            self.channel.send(marshal.dumps(report))
        except OSError as error:
            raise ParentEnded from error


def check_interval(job: dict[str, Any], memory: int, cpu: float) -> float:
    """Seconds until the next check: often enough that no limit is exceeded by much; checking costs CPU
    time.
    """
    seconds: float = (job["memory"] - memory) / FASTEST_GROWTH
    if job["cpu"]:
        seconds = min(seconds, job["cpu"] - cpu)
    return max(SHORTEST_INTERVAL, min(LONGEST_INTERVAL, seconds))


def can_signal(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return False
    return True


def guard(supervisor: int, root: str, group: Any) -> None:
    """Wait for the supervisor, and end the processes it has left: a program may have killed it."""
    while True:
        pid, _status = os.wait()
        if pid == supervisor:
            break
    if group is not None:
        group.kill()
    descendants.kill_descendants({})
    if group is not None:
        group.remove()
    run_directory.remove(root)


def main() -> None:
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)
    root, kind = sys.argv[2], sys.argv[3]
    # Two processes: what loses its supervisor falls to the guard.
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        guarded, guards_end = os.pipe()
        outer = namespaces.OuterProcesses()
        group, _why = (None, "") if kind == "free" else cgroups.make()
        supervisor = fork(outer, kind)
    except OSError:  # no files or processes are left: falsum sees that this one is gone
        sys.exit(1)
    if supervisor:
        channel.close()
        os.close(guarded)
        guard(supervisor, root, group)
    else:
        os.close(guards_end)
        Supervisor(channel, root, guarded, outer, group).serve()


def fork(outer: Any, kind: str) -> int:
    """Fork the supervisor into as many namespaces as are permitted; return its number, 0 in the child."""
    for which in () if kind == "free" else namespaces.TRIES:
        supervisor, _why = namespaces.fork(which, outer, has_own_ipc=kind != "sharing")
        if supervisor >= 0:
            return int(supervisor)
    return os.fork()


if __name__ == "__main__":
    main()
