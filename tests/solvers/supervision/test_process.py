"""Liars and wrecks: each gives the right answer, in time, and leaves no process and no file."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest
from tests.solvers.conftest import WRECKS, wreck

from falsum.errors import SurroundingsError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause, EndingKind
from falsum.solvers.limits import Limits
from falsum.solvers.output import read
from falsum.solvers.profiles import GENERIC
from falsum.solvers.supervision import client, fence
from falsum.solvers.supervision.client import SupervisorLostError
from falsum.solvers.supervision.process import ProcessRunner, Program

LIMITS = Limits(seconds=1.0, memory=200, output=1)
# For those that are expected to end before the limit, also on a busy machine.
PATIENT = Limits(seconds=20.0, memory=200, output=1)

EXPECTED: dict[str, tuple[tuple[str, ...], EndingKind, Cause]] = {
    "segfault": ((), EndingKind.CRASHED, Cause.SIGNAL),
    "messy_crash": ((), EndingKind.CRASHED, Cause.SIGNAL),
    "assertion": ((), EndingKind.CRASHED, Cause.ASSERTION),
    "sanitizer": ((), EndingKind.CRASHED, Cause.SANITIZER),
    "error_exit": ((), EndingKind.REJECTED, Cause.SYNTAX),
    "hang": ((), EndingKind.TIMED_OUT, Cause.NONE),
    "spin": ((), EndingKind.TIMED_OUT, Cause.NONE),
    "deaf": ((), EndingKind.TIMED_OUT, Cause.NONE),
    "family": ((), EndingKind.TIMED_OUT, Cause.NONE),
    "orphans": (("sat",), EndingKind.FINISHED, Cause.NONE),
    "glutton": ((), EndingKind.OUT_OF_MEMORY, Cause.NONE),
    "greedy_children": ((), EndingKind.OUT_OF_MEMORY, Cause.NONE),
    "flood": ((), EndingKind.FLOODED, Cause.NONE),
    "garbage": ((), EndingKind.FINISHED, Cause.NONE),
    "sat_then_crash": (("sat",), EndingKind.CRASHED, Cause.SIGNAL),
    "half_model": (("sat",), EndingKind.FINISHED, Cause.NONE),
    "closes_stdin": (("unsat",), EndingKind.FINISHED, Cause.NONE),
    "slow_start": (("unknown",), EndingKind.FINISHED, Cause.NONE),
    "litter": (("sat",), EndingKind.FINISHED, Cause.NONE),
    "disk_filler": ((), EndingKind.ODD, Cause.EXIT),
}


def ask(runner: ProcessRunner, name: str, limits: Limits = LIMITS) -> Answer:
    return read(GENERIC, runner.run(wreck(name), limits, b"(check-sat)\n"))


def left_behind() -> list[str]:
    """Wrecks still running that this process is to blame for, and their directories."""
    mine = [
        process
        for process in psutil.Process().children(recursive=True)
        if any(str(WRECKS) in word for word in process.cmdline())
    ]
    return [str(process) for process in mine]


@pytest.mark.parametrize("name", EXPECTED)
def test_wreck(runner: ProcessRunner, name: str) -> None:
    verdicts, kind, cause = EXPECTED[name]
    limits = LIMITS if kind is EndingKind.TIMED_OUT else PATIENT
    start = time.monotonic()
    answer = ask(runner, name, limits)
    took = time.monotonic() - start
    assert answer.verdicts == tuple(Verdict(word) for word in verdicts)
    assert (answer.ending.kind, answer.ending.cause) == (kind, cause), answer
    assert answer.model is None
    assert took < limits.seconds + 1.0
    assert left_behind() == []


def test_every_wreck_is_expected() -> None:
    assert {file.stem for file in WRECKS.glob("*.py")} == {*EXPECTED, "parricide"}


def test_a_supervisor_killed_by_its_program_is_told_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a fence; behind one the program cannot reach its supervisor."""
    monkeypatch.setenv(fence.VARIABLE, fence.OFF)
    with ProcessRunner() as runner:
        answer = ask(runner, "parricide")
        assert (answer.verdicts, answer.ending.kind) == ((), EndingKind.OUT_OF_MEMORY)  # SIGKILL
        assert "supervisor" in answer.stderr
        assert left_behind() == []
        assert ask(runner, "closes_stdin", PATIENT).verdict is Verdict.UNSAT


ORPHANING = """
import os, signal, sys, time
parent = os.getppid()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        sys.stdout.close()
        os.close(1)
        os.kill(parent, signal.SIGKILL)
        time.sleep(3600)  # FALSUM-OUTLIVES
    os._exit(0)
time.sleep(3600)
"""


def test_children_of_a_program_that_kills_its_supervisor_end_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A grandchild in a session of its own, which no signal of the kernel reaches when its parent ends."""
    monkeypatch.setenv(fence.VARIABLE, fence.OFF)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with ProcessRunner() as runner:
        runner.run(Program((sys.executable, "-I", "-c", ORPHANING)), LIMITS)
        alive = [one for one in psutil.process_iter(["cmdline"]) if ORPHANING in (one.info["cmdline"] or ())]
        assert alive == []
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_in_the_temporary_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with ProcessRunner() as runner:
        for name in ("litter", "garbage", "family"):
            ask(runner, name)
            (root,) = tmp_path.iterdir()
            assert list(root.iterdir()) == []
    assert list(tmp_path.iterdir()) == []


def test_no_temporary_directory_is_told_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with ProcessRunner() as runner, pytest.raises(SurroundingsError, match="set TMPDIR to one with room"):
        runner.run(Program(("/bin/true",)), Limits(seconds=5))


def test_cpu_time_is_limited_apart_from_wall_time(runner: ProcessRunner) -> None:
    answer = ask(runner, "spin", Limits(seconds=30.0, cpu=0.3))
    assert answer.ending.kind is EndingKind.TIMED_OUT
    assert answer.cpu < 2.0


def test_the_environment_is_cleared(runner: ProcessRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FALSUM_SECRET", "x")
    program = wreck("garbage")
    peek = "import os, sys; sys.exit('FALSUM_SECRET' in os.environ)"
    outcome = runner.run(type(program)((sys.executable, "-I", "-c", peek)), PATIENT, b"")
    assert outcome.status == 0


def test_a_program_that_somebody_kills_is_run_again(
    runner: ProcessRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host is asked once more by the lab, all others here."""
    kill = "import os; os.kill(os.getpid(), 9)"
    first, second = (Program((sys.executable, "-I", "-S", "-c", code)) for code in (kill, "print('sat')"))
    programs = iter([first, second])
    start = runner.start
    monkeypatch.setattr(runner, "start", lambda _program, *given: start(next(programs), *given))
    assert runner.run(first, PATIENT).stdout == b"sat\n"


@pytest.mark.parametrize("is_host", [False, True])
def test_a_stopped_supervisor_is_replaced(monkeypatch: pytest.MonkeyPatch, *, is_host: bool) -> None:
    monkeypatch.setattr(client, "_REPLY_SECONDS", 0.5)
    monkeypatch.setattr(client, "_CLOSING_SECONDS", 0.5)
    with ProcessRunner() as runner:
        program = Program((sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)"))
        running = runner.start(program, PATIENT, is_host=is_host)
        supervisor = psutil.Process(running.pid).parent()
        assert supervisor is not None
        supervisor.suspend()
        with pytest.raises(SupervisorLostError, match="does not reply"):
            running.terminate()
        running.close()
        gone, alive = psutil.wait_procs([supervisor], timeout=10)
        assert (len(gone), alive) == (1, [])
        assert not psutil.pid_exists(running.pid)
        assert ask(runner, "closes_stdin", PATIENT).verdict is Verdict.UNSAT


def test_mixed_repetitions_leave_nothing(runner: ProcessRunner) -> None:
    """A slice of the bench `solvers_wrecks`: the quick ones, over and over, in changing order."""
    quick = [name for name, (_, kind, _) in EXPECTED.items() if kind is not EndingKind.TIMED_OUT]
    for name in itertools.islice(itertools.cycle(sorted(quick)), 40):
        if name not in {"slow_start", "glutton", "disk_filler"}:
            assert ask(runner, name, PATIENT).ending.kind is EXPECTED[name][1]
    assert left_behind() == []


@pytest.mark.parametrize("is_host", [False, True], ids=["cold", "warm"])
def test_no_orphans_when_falsum_is_killed(tmp_path: Path, *, is_host: bool) -> None:
    program = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[3])!r})
from falsum.solvers.limits import Limits
from falsum.solvers.supervision.process import ProcessRunner
from tests.solvers.conftest import wreck
print("started", flush=True)
runner = ProcessRunner()
running = runner.start(wreck("family"), Limits(seconds=3000.0), b"", is_host={is_host})
running.communicate(1000)
"""
    victim = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert victim.stdout is not None
    victim.stdout.readline()
    family: list[psutil.Process] = []
    deadline = time.monotonic() + 10
    while len(family) < 4 and time.monotonic() < deadline:
        time.sleep(0.05)
        family = psutil.Process(victim.pid).children(recursive=True)
    assert len(family) >= 4
    os.kill(victim.pid, signal.SIGKILL)
    victim.communicate()
    _gone, alive = psutil.wait_procs(family, timeout=5)
    assert [process for process in alive if process.status() != psutil.STATUS_ZOMBIE] == []
    assert list(tmp_path.iterdir()) == []


DEEP = """
import os, sys
for number in range(int(sys.argv[1])):
    os.mkdir("d")
    os.chdir("d")
open("file", "w").close()
os.mkdir("none", 0)
print("sat")
"""


def test_deep_directories_are_removed(
    runner: ProcessRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    result = runner.run(Program((sys.executable, "-I", "-S", "-c", DEEP, "1900")), PATIENT)
    assert result.stdout == b"sat\n"
    (root,) = tmp_path.iterdir()
    assert list(root.iterdir()) == []
