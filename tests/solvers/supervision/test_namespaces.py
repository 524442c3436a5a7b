"""Namespaces on this very kernel: what fenced programs see, and what happens where they are not permitted."""

from __future__ import annotations

import select
import shutil
import subprocess
import sys

import psutil
import pytest

from falsum.solvers.limits import Limits
from falsum.solvers.supervision import fence, namespaces
from falsum.solvers.supervision.process import ProcessRunner, Program, read_some

LIMITS = Limits(seconds=20)
PYTHON = (sys.executable, "-I", "-S", "-c")
CODE = """
import os
print(sum(each.isdigit() for each in os.listdir('/proc')))
print(len(open('/proc/net/dev').readlines()) - 2)
"""
SEES = (*PYTHON, CODE)
PERMITTED = namespaces.description()
needs_all = pytest.mark.skipif(PERMITTED != "processes, network, IPC", reason=PERMITTED)
# What a campaign does with programs, in surroundings that permit less.
RUN = f"""
from falsum.solvers.supervision.process import ProcessRunner, Program
from falsum.solvers.supervision import namespaces
from falsum.solvers.limits import Limits
print(namespaces.description())
with ProcessRunner() as runner:
    for _ in range(2):
        print(*runner.run(Program({SEES!r}), Limits(seconds=20)).stdout.decode().split()[1:])
"""


@needs_all
def test_programs_see_neither_other_processes_nor_the_network(runner: ProcessRunner) -> None:
    seen, interfaces = map(int, runner.run(Program(SEES), LIMITS).stdout.split())
    assert seen == 2  # itself and its supervisor
    assert interfaces == 1  # the loopback of its own
    seen, _interfaces = map(int, runner.run(Program(SEES, fenced=False), LIMITS).stdout.split())
    assert seen >= 4  # falsum, too


@needs_all
def test_without_the_fence_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(fence.VARIABLE, fence.OFF)
    with ProcessRunner() as runner:
        assert int(runner.run(Program(SEES), LIMITS).stdout.split()[0]) >= 4


@needs_all
def test_the_number_of_a_program_is_the_one_that_falsum_sees(runner: ProcessRunner) -> None:
    running = runner.start(Program(("/bin/sleep", "60")), LIMITS)
    assert psutil.Process(running.pid).cmdline() == ["/bin/sleep", "60"]
    assert psutil.Process(running.pid).ppid() in {
        each.pid for each in psutil.Process().children(recursive=True)
    }
    running.close()


@needs_all
@pytest.mark.parametrize("victim", ["supervisor", "guard"])
def test_all_ends_with_a_supervisor_or_its_guard(runner: ProcessRunner, victim: str) -> None:
    """Whatever its programs have started, in sessions of their own."""
    code = (
        "import os, sys, time\nfor _ in range(20):\n    if not os.fork():\n        os.setsid()\n"
        "        if not os.fork():\n            time.sleep(600)\n        os._exit(0)\n"
        "print('ready', flush=True)\ntime.sleep(600)"
    )
    running = runner.start(Program((*PYTHON, code)), LIMITS)
    text = bytearray()
    while b"ready" not in text:
        select.select([running.stdout], [], [], 10)
        assert read_some(running.stdout, text) or not text
    supervisor = psutil.Process(running.pid).parent()
    assert supervisor is not None
    guard = supervisor.parent()
    assert guard is not None
    below = [*supervisor.children(recursive=True), supervisor]
    assert len(below) >= 20
    (supervisor if victim == "supervisor" else guard).kill()
    _gone, alive = psutil.wait_procs(below, timeout=10)
    assert [each for each in alive if each.status() != psutil.STATUS_ZOMBIE] == []
    running.close()


@needs_all
@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare")
@pytest.mark.parametrize(
    ("less", "description", "interfaces"),
    [
        (
            "echo 0 > /proc/sys/user/max_net_namespaces",
            "none (not permitted: processes, network, IPC: ",
            None,
        ),
        (
            'mount -t tmpfs none /proc/sys && set -- unshare -Urm "$@"',
            "network, IPC (not permitted: processes, network, IPC: ",
            1,
        ),
    ],
    ids=["no network of its own", "no /proc of its own"],
)
def test_where_less_is_permitted_programs_run_with_less(
    less: str, description: str, interfaces: int | None
) -> None:
    """As in a container: in a user namespace that permits less."""
    inner = ("unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c")
    line = f'{less} && exec "$@"'
    result = subprocess.run(
        [*inner, line, "sh", sys.executable, "-c", RUN],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    first, *seen = result.stdout.splitlines()
    assert first.startswith(description)
    assert len(seen) == 2
    assert interfaces is None or seen == [str(interfaces)] * 2
