"""A gallery of wrecks: what they do to the machine is refused or undone; each ends in time and is named."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from falsum.solvers.answer import EndingKind
from falsum.solvers.limits import Limits
from falsum.solvers.output import read
from falsum.solvers.profiles import GENERIC
from falsum.solvers.supervision import fence
from falsum.solvers.supervision.process import ProcessRunner, Program

pytestmark = pytest.mark.skipif(
    fence.landlock_version() < 6 or not fence.has_seccomp(), reason="this kernel has no whole fence"
)
LIMITS = Limits(seconds=10.0, memory=400, output=1)
CALL = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def call(*given):
    if libc.syscall(*given) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
outside, victim = sys.argv[1], int(sys.argv[2])
"""
# What is refused, on x86_64 by number where the library of C has no function for it.
REFUSED = {
    "limits of another process": "import resource\nresource.prlimit(victim, resource.RLIMIT_CPU, (1, 1))",
    "its own limits": "import resource\n"
    "resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))",
    "cores of another process": "os.sched_setaffinity(victim, {0})",
    "priority of another process": "os.setpriority(os.PRIO_PROCESS, victim, 19)",
    "io_uring": "call(425, 8, ctypes.create_string_buffer(256))",
    "mode of a file outside": "os.chmod(outside, 0o777)",
    "mode of an open file outside": "os.fchmod(os.open(outside, os.O_RDONLY), 0o777)",
    "time of a file outside": "os.utime(outside, (1, 1))",
    "attributes of a file outside": "os.setxattr(outside, 'user.falsum', b'x')",
    "a lock outside": "import fcntl\nfcntl.flock(os.open(outside, os.O_RDONLY), fcntl.LOCK_EX)",
    "owner of a file outside": "os.chown(outside, 1, 1)",
    "System V shared memory": "call(29, 0x66616c73, 4096, 0o1666)",
    "System V messages": "call(68, 0x66616c73, 0o1666)",
    "memory of no process": "os.memfd_create('x')",
    "a namespace": "call(272, 0x10000000)",
    "tracing": "call(101, 16, victim, 0, 0)",
    "memory of another process": "open(f'/proc/{victim}/mem', 'rb').read(1)",
    "a signal": "os.kill(victim, 10)",
    "a socket": "import socket\nsocket.socket(socket.AF_UNIX)",
    "a key": "call(248, b'user', b'falsum', b'x', 1, -3)",
    "a performance counter": "call(298, ctypes.create_string_buffer(128), 0, -1, -1, 0)",
    "a program of the kernel": "call(321, 0, ctypes.create_string_buffer(128), 128)",
    "a mount": "call(165, b'none', b'.', b'tmpfs', 0, 0)",
    "another user": "os.setuid(1)",
    "the clock": "time = __import__('time'); time.clock_settime(time.CLOCK_REALTIME, time.time())",
}


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    file = tmp_path / "outside"
    file.write_text("text")
    file.chmod(0o600)
    return file


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of system calls")
@pytest.mark.parametrize("act", REFUSED)
def test_it_is_refused(act: str, runner: ProcessRunner, outside: Path) -> None:
    before = outside.stat(), resource.getrlimit(resource.RLIMIT_CPU), os.sched_getaffinity(0)
    code = f"{CALL}\ntry:\n    " + REFUSED[act].replace("\n", "\n    ")
    code += "\nexcept (OSError, ValueError):\n    print('refused')\nelse:\n    print('done')"
    command = (sys.executable, "-I", "-S", "-c", code, str(outside), str(os.getpid()))
    result = runner.run(Program(command), LIMITS)
    assert result.stdout == b"refused\n", result
    assert (outside.stat(), resource.getrlimit(resource.RLIMIT_CPU), os.sched_getaffinity(0)) == before


FORK_BOMB = "import os\nwhile True:\n    os.fork()"
MANY_CHILDREN = (
    "import os, time\nfor _ in range(450):\n    if not os.fork():\n        time.sleep(600)\nprint('sat')"
)
THREADS = "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(600,)).start()"
MANY_FILES = "for number in range(10**9):\n    open(f'{number}', 'w').close()"
MANY_BYTES = (
    "for number in range(10**9):\n    with open(f'{number}', 'wb') as file:\n"
    "        file.write(bytes(60 << 20))"
)
FLOOD = "import os\nwhile True: os.write(1, bytes(65536))"
MAPPED = (
    "import mmap\nrooms = []\nwhile True:\n    rooms.append(mmap.mmap(-1, 16 << 20))\n"
    "    rooms[-1].write(bytes(16 << 20))"
)
ORPHANS = (
    "import os, time\n"
    "for _ in range(100):\n    if not os.fork():\n        os.setsid()\n"
    "        if not os.fork():\n            time.sleep(600)\n        os._exit(0)\n"
    "print('sat')"
)
WRECKS = {
    "fork bomb": (FORK_BOMB, {EndingKind.FLOODED, EndingKind.OUT_OF_MEMORY}),
    "many children": (MANY_CHILDREN, {EndingKind.FINISHED, EndingKind.FLOODED, EndingKind.OUT_OF_MEMORY}),
    "orphans": (ORPHANS, {EndingKind.FINISHED, EndingKind.OUT_OF_MEMORY}),
    "threads": (THREADS, {EndingKind.CRASHED, EndingKind.OUT_OF_MEMORY, EndingKind.TIMED_OUT}),
    "many files": (MANY_FILES, {EndingKind.FLOODED}),
    "many bytes": (MANY_BYTES, {EndingKind.FLOODED}),
    "flood": (FLOOD, {EndingKind.FLOODED}),
    "mapped memory": (MAPPED, {EndingKind.OUT_OF_MEMORY, EndingKind.CRASHED}),
}


@pytest.mark.parametrize("name", WRECKS)
def test_it_ends_in_time_and_leaves_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, endings = WRECKS[name]
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    start = time.monotonic()
    with ProcessRunner() as runner:
        answer = read(GENERIC, runner.run(Program((sys.executable, "-I", "-S", "-c", code)), LIMITS))
        took = time.monotonic() - start
        assert answer.ending.kind in endings, answer
        assert took < 2 * LIMITS.seconds + 5
        # The same supervisor serves the next program.
        well = runner.run(Program((sys.executable, "-I", "-S", "-c", "print('sat')")), LIMITS)
        assert well.stdout == b"sat\n"
        assert psutil.Process().children(recursive=True) != []
    assert psutil.Process().children(recursive=True) == []
    assert list(tmp_path.iterdir()) == []


KILLER = """
import os, sys, time
from falsum.solvers.supervision import descendants
descendants.LIBC.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
for _ in range(60):
    if not os.fork():
        for _ in range(9):
            if not os.fork():
                os.setsid()
                time.sleep(600)
        time.sleep(600)
time.sleep(0.5)
print(len(descendants.descendants()))
started = time.monotonic()
descendants.kill_descendants({})
print(len(descendants.descendants()), time.monotonic() - started)
"""


def test_hundreds_of_processes_are_killed_in_one_loop() -> None:
    """Where the kernel does not keep signals inside, they are looked up."""
    result = subprocess.run(
        [sys.executable, "-c", KILLER], capture_output=True, text=True, timeout=60, check=True
    )
    before, after, seconds = result.stdout.split()
    assert (int(before), int(after)) == (600, 0)
    assert float(seconds) < 5
