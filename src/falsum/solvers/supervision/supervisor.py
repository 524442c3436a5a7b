"""Supervisor: a small process that starts one program at a time, limits it, and cleans up after it.

Run as `python -I -S supervisor.py CHANNEL ROOT`, without falsum on its path. It is the nearest living
ancestor of everything a solver starts (child subreaper), so when a run ends, by itself, at a limit, or
because falsum has ended, every descendant is killed and reaped, and the directory of the run is removed.
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
IDLE_SECONDS = 1.0
LARGEST_JOB = 1 << 17
# What a run may have at once: open files of a process, and processes.
MOST_FILES = 1024
MOST_PROCESSES = 512
# How often the processes of the machine are counted.
COUNT_INTERVAL = 0.1
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
# What falsum ignores or handles is for itself, not for programs.
ORDINARY_SIGNALS = (
    signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP,
    signal.SIGQUIT,
)  # fmt: skip
LIBC = ctypes.CDLL(None, use_errno=True)


def beside(name: str) -> Any:
    """A module in the folder of this one, which is not on the path."""
    spec = importlib.util.spec_from_file_location(name, f"{os.path.dirname(__file__)}/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


fence, descendants, run_directory = map(beside, ("fence", "descendants", "run_directory"))


class ParentEnded(Exception):  # noqa: N818 - an event, not an error
    """falsum has ended, or asks the supervisor to end."""


def on_terminate(_number: int, _frame: object) -> NoReturn:
    raise ParentEnded


class Supervisor:
    def __init__(self, channel: socket.socket, root: str) -> None:
        self.channel = channel
        self.root = root
        self.parent = os.getppid()
        self.readable = False
        self.wake, wake_end = os.pipe()
        os.set_blocking(self.wake, False)
        os.set_blocking(wake_end, False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        signal.signal(signal.SIGTERM, on_terminate)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.is_scoped = fence.scope_signals() and not can_signal(self.parent)

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
            self.wait(IDLE_SECONDS)
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

    def wait(self, seconds: float) -> None:
        """Sleep until a message arrives, a child ends, or the time is over."""
        ready, _, _ = select.select([self.channel.fileno(), self.wake], [], [], max(0.0, seconds))
        if self.wake in ready:
            os.read(self.wake, 4096)
        self.readable = self.channel.fileno() in ready
        if os.getppid() != self.parent:
            raise ParentEnded

    def supervise(self, job: dict[str, Any], streams: list[int]) -> None:
        started = time.monotonic()
        pid, number, error = start(job, streams)
        for stream in streams:
            os.close(stream)
        self.send({"pid": pid, "error": error, "errno": number})
        spent: dict[int, resource.struct_rusage] = {}
        status, stopped = (127, "") if error else self.watch(pid, job, started, spent)
        last = descendants.kill_descendants(spent, is_scoped=self.is_scoped)
        if status is None:
            status = last.get(pid, 0)
        run_directory.remove(job["cwd"])
        self.send(
            {
                "status": os.waitstatus_to_exitcode(status) if not error else 127,
                "stopped": stopped,
                "seconds": time.monotonic() - started,
                "cpu": sum(usage.ru_utime + usage.ru_stime for usage in spent.values()),
                "peak": max((usage.ru_maxrss for usage in spent.values()), default=0) * 1024,
            }
        )

    def watch(
        self, pid: int, job: dict[str, Any], started: float, spent: dict[int, Any]
    ) -> tuple[int | None, str]:
        """The wait status of the program, or the limit at which it has to be stopped."""
        deadline = started + job["seconds"] if job["seconds"] else float("inf")
        next_check = started + check_interval(job, 0, 0.0)
        most = descendants.process_count() + MOST_PROCESSES
        while True:
            now = time.monotonic()
            self.wait(min(deadline, next_check, now + COUNT_INTERVAL) - now)
            ended = descendants.reap(spent)
            if pid in ended:
                return ended[pid], ""
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
    """Seconds until the next check, so that no limit is exceeded by much; checking costs CPU time."""
    seconds: float = (job["memory"] - memory) / FASTEST_GROWTH
    if job["cpu"]:
        seconds = min(seconds, job["cpu"] - cpu)
    return max(SHORTEST_INTERVAL, min(LONGEST_INTERVAL, seconds))


def start(job: dict[str, Any], streams: list[int]) -> tuple[int, int, str]:
    """The new process, 0 and ""; or why it could not be started, as a number of the system and in words."""
    supervisor = os.getpid()
    restrictions = None
    try:
        if job["writable"] is not None:
            restrictions = fence.Restrictions(job["writable"], learns=job["learns"], segment=job["segment"])
        errors, report_end = os.pipe()
        try:
            pid = os.fork()
        except OSError:
            os.close(errors)
            os.close(report_end)
            raise
        if pid == 0:
            exec_program(job, streams, report_end, supervisor, restrictions)
    except OSError as error:
        return 0, error.errno or 0, str(error)
    finally:
        if restrictions is not None:
            restrictions.close()
    os.close(report_end)
    report = b""
    while chunk := os.read(errors, 4096):
        report += chunk
    os.close(errors)
    number, _, text = report.decode(errors="replace").partition(" ")
    return pid, int(number or 0), text


def exec_program(
    job: dict[str, Any], streams: list[int], report_end: int, supervisor: int, restrictions: Any
) -> NoReturn:
    """Turn this new process into the program; errors are reported to the supervisor."""
    try:
        os.setsid()
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != supervisor:
            os._exit(127)
        if restrictions is not None:
            restrictions.apply()
        for target, stream in enumerate(streams):
            os.dup2(stream, target)
        os.closerange(len(streams), report_end)
        os.closerange(report_end + 1, 1024)
        for number in ORDINARY_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        os.umask(0o077)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        limit(resource.RLIMIT_FSIZE, job["file"])
        limit(resource.RLIMIT_AS, job["address"])
        limit(resource.RLIMIT_DATA, job["address"])  # falsum's own is lower
        limit(resource.RLIMIT_NOFILE, MOST_FILES)
        if job["cpu"]:
            # The supervisor stops it first, unless it is not scheduled in time.
            limit(resource.RLIMIT_CPU, int(job["cpu"]) + 2)
        os.chdir(job["cwd"])
        os.execve(job["argv"][0], job["argv"], job["env"])  # noqa: S606 - the purpose of this process
    except BaseException as error:  # noqa: BLE001 - reported, then this process ends
        code = error.errno or 0 if isinstance(error, OSError) else 0
        reason = os.strerror(code) if code else str(error)
        os.write(report_end, f"{code} {reason}".encode())
    os._exit(127)


def limit(kind: int, most: int) -> None:
    """Limit this process, further than the user has limited falsum if that is stricter."""
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        most = hard if most == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def can_signal(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return False
    return True


def guard(supervisor: int, root: str) -> None:
    """Wait for the supervisor, and end what it could not: a program may have killed it."""
    while True:
        pid, _status = os.wait()
        if pid == supervisor:
            break
    descendants.kill_descendants({})
    run_directory.remove(root)


def main() -> None:
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)
    root = sys.argv[2]
    # Two processes: what loses its supervisor falls to the guard.
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    supervisor = os.fork()
    if supervisor:
        channel.close()
        guard(supervisor, root)
    else:
        Supervisor(channel, root).serve()


if __name__ == "__main__":
    main()
