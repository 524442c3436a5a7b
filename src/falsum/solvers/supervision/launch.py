"""Launch: turns a new process into a program, behind the fence and with its limits.

Loaded by the supervisor, which runs without falsum on its path.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

# Open files of a process.
MOST_FILES = 1024
PR_SET_PDEATHSIG = 1
# What falsum ignores or handles is for itself, not for programs.
ORDINARY_SIGNALS = (
    signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP,
    signal.SIGQUIT,
)  # fmt: skip
LIBC = ctypes.CDLL(None, use_errno=True)


def start(job: dict[str, Any], streams: list[int], outer: Any, fence: Any) -> tuple[int, int, int, str]:
    """Start a process; return its number here and as falsum knows it, 0 and ""; or an error, by number
    and in words.
    """
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
            exec_program(job, streams, report_end, supervisor, restrictions, outer)
    except OSError as error:
        return 0, 0, error.errno or 0, str(error)
    finally:
        if restrictions is not None:
            restrictions.close()
    os.close(report_end)
    report = b""
    while chunk := os.read(errors, 4096):
        report += chunk
    os.close(errors)
    shown_pid, _, failure = report.decode(errors="replace").partition(" ")
    number, _, text = failure.partition(" ")
    return pid, int(shown_pid or 0), int(number or 0), text


def exec_program(
    job: dict[str, Any], streams: list[int], report_end: int, supervisor: int, restrictions: Any, outer: Any
) -> NoReturn:
    """Turn this new process into the program; report its number and errors to the supervisor."""
    try:
        os.write(report_end, f"{outer.own_number()} ".encode())
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
    """Limit this process; the user's own limits for falsum apply if they are stricter."""
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        most = hard if most == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))
