"""Supervisor: a small process that starts one program at a time, limits it, and cleans up after it.

Run as `python -I -S supervisor.py CHANNEL ROOT`, without falsum on its path. It is the nearest living
ancestor of everything a solver starts (child subreaper), so when a run ends, by itself, at a limit, or
because falsum has ended, every descendant is killed and reaped, and the directory of the run is removed.
Jobs and reports are messages on a socket; the standard streams of a program come along as file descriptors.
It checks limits every few milliseconds and starts thousands of programs, hence plain `os` calls rather than
path objects, and only imports that load fast.
"""

# ruff: noqa: PTH101, PTH104, PTH106, PTH108, PTH110, PTH120, PTH123, PTH208 (see above)
from __future__ import annotations

import contextlib
import ctypes
import functools
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
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
# What falsum ignores or handles is for itself, not for programs.
ORDINARY_SIGNALS = (
    signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP,
    signal.SIGQUIT,
)  # fmt: skip
PAGE = os.sysconf("SC_PAGE_SIZE")
CLOCK_TICK = os.sysconf("SC_CLK_TCK")
HAS_CHILDREN_FILES = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
LIBC = ctypes.CDLL(None, use_errno=True)


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

    def serve(self) -> None:
        """Run jobs until falsum ends."""
        try:
            while True:
                job, streams = self.next_job()
                self.supervise(job, streams)
        except ParentEnded:
            pass
        finally:
            kill_descendants({})
            remove(self.root)

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
        last = kill_descendants(spent)
        if status is None:
            status = last.get(pid, 0)
        remove(job["cwd"])
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
        while True:
            now = time.monotonic()
            self.wait(min(deadline, next_check) - now)
            ended = reap(spent)
            if pid in ended:
                return ended[pid], ""
            if self.readable:
                self.expect_kill()
                return None, "killed"
            now = time.monotonic()
            if now >= deadline:
                return None, "time"
            if now >= next_check:
                memory, cpu = usage_of_descendants()
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


@functools.cache
def fence() -> Any:
    """The module beside this one, which has no falsum on its path."""
    spec = importlib.util.spec_from_file_location("fence", f"{os.path.dirname(__file__)}/fence.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.landlock_version()
    module.has_seccomp()
    return module


def start(job: dict[str, Any], streams: list[int]) -> tuple[int, int, str]:
    """The new process, 0 and ""; or why it could not be started, as a number of the system and in words."""
    supervisor = os.getpid()
    restrictions = None
    try:
        if job["writable"] is not None:
            restrictions = fence().Restrictions(job["writable"])
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


def kill_descendants(spent: dict[int, Any]) -> dict[int, int]:
    """Kill and reap until this process has no descendants."""
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
    """Every descendant of this process."""
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
    """The same where the kernel has no list of children: asks every process for its parent."""
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


def usage_of_descendants() -> tuple[int, float]:
    """Resident bytes and CPU seconds of all descendants."""
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
    """Remove a directory, however deep it is and even if a program took away its own permissions there.

    What lies deep is moved to the top before it is emptied, so no path is ever long. Files left behind are
    better than a dead supervisor; falsum tries again when it closes.
    """
    token, count = os.urandom(6).hex(), 0
    todo = [directory]
    emptied = []
    while todo:
        place = todo.pop()
        emptied.append(place)
        with contextlib.suppress(OSError):
            os.chmod(place, 0o700)
            with os.scandir(place) as entries:
                listed = list(entries)
            for entry in listed:
                with contextlib.suppress(OSError):
                    if not entry.is_dir(follow_symlinks=False):
                        os.unlink(entry.path)
                        continue
                    inner = entry.path
                    os.chmod(inner, 0o700)  # where it is moved, its ".." is written
                    if place != directory:
                        count += 1
                        inner = f"{directory}/{token}-{count}"
                        os.rename(entry.path, inner)
                    todo.append(inner)
    for place in reversed(emptied):
        with contextlib.suppress(OSError):
            os.rmdir(place)


def guard(supervisor: int, root: str) -> None:
    """Wait for the supervisor, and end what it could not: a program may have killed it."""
    while True:
        pid, _status = os.wait()
        if pid == supervisor:
            break
    kill_descendants({})
    remove(root)


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
