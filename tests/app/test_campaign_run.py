"""How campaigns end: what they say next, and with which exit code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.app.test_main import called
from tests.campaign.places import HONEST, liar

from falsum.app.campaign_run import last_campaign
from falsum.errors import UsageError

SEED = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> (+ (abs x) 1) (* 2 3)))\n(check-sat)\n"
PLUGIN = """
from dataclasses import dataclass


@dataclass(frozen=True)
class Broken:
    name: str = "broken"
    arity: int = 1

    def mutants(self, seeds, rng, lab):
        raise ZeroDivisionError("planted")


STRATEGIES = [Broken]
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.smt2").write_text(SEED)
    return tmp_path


def fuzz(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "falsum.app.main", "fuzz", *arguments, "-j", "1", "--rng", "1", "--no-triage"],
        env=os.environ, capture_output=True, text=True, timeout=110, check=False,
    )  # fmt: skip


@pytest.mark.usefixtures("work")
def test_a_broken_solver_starts_nothing() -> None:
    """It once looked like a campaign that finds nothing wrong."""
    done = fuzz("a.smt2", "-s", "/bin/true", "--count", "5")
    assert done.returncode == 3
    assert "does not decide any of 5 simple scripts" in done.stderr
    assert not Path("falsum-out").exists()


@pytest.mark.usefixtures("work")
def test_a_campaign_in_which_nobody_answered_does_not_end_with_0() -> None:
    done = fuzz("a.smt2", "-s", liar("error", "declare-const"), "-t", "opfuzz", "--count", "5")
    assert done.returncode == 3, done.stderr
    assert "nothing answered" in done.stdout
    assert "no solver answered anything; see why: falsum summary --out falsum-out" in done.stdout


def test_internal_errors_do_not_end_with_0(work: Path) -> None:
    (work / "broken.py").write_text(PLUGIN)
    done = fuzz("a.smt2", "-s", HONEST, "-t", "broken", "--count", "5", "--plugin", "broken.py")
    assert done.returncode == 4, done.stderr
    assert "falsum or a plug-in failed" in done.stdout
    assert "ZeroDivisionError: planted" in done.stderr


@pytest.mark.usefixtures("work")
def test_an_interrupted_run_names_resume() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "falsum.app.main", "fuzz", "a.smt2", "-s", HONEST, "-t", "opfuzz", "-j", "1"],
        env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    process.stderr.readline()  # it has begun
    process.send_signal(signal.SIGINT)
    out, _err = process.communicate(timeout=100)
    assert process.returncode == 130
    assert "go on: falsum fuzz --resume --out falsum-out\n" in out


@pytest.mark.parametrize("command", ["fuzz", "api"])
def test_a_failed_resume_creates_nothing(
    command: str, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _out, err = called(capsys, command, "--resume", "--out", "nowhere")
    assert (code, err) == (2, "falsum: nowhere: no campaign to resume\n")
    assert sorted(file.name for file in work.iterdir()) == ["a.smt2"]


def test_there_is_no_last_campaign(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no campaign to resume"):
        last_campaign(tmp_path)


@pytest.mark.usefixtures("work")
def test_a_time_limit_after_resume_is_time_from_now_on() -> None:
    """A second run of one second once ended at once, since the campaign had lasted a second already."""
    fuzz("a.smt2", "-s", HONEST, "-t", "opfuzz", "--for", "2s")
    before = last_campaign(Path("falsum-out")).elapsed
    result = subprocess.run(
        [sys.executable, "-m", "falsum.app.main", "fuzz", "--resume", "--for", "2s", "-j", "1"],
        env=os.environ, capture_output=True, text=True, timeout=110, check=False,
    )  # fmt: skip
    assert result.stderr.startswith("falsum: 1 seed; 1 job; 0:02 left\n")
    assert last_campaign(Path("falsum-out")).elapsed >= before + 2.0


@pytest.mark.parametrize("replacement", ["", "#!/bin/sh\ntrue\n"])
def test_a_solver_that_goes_in_mid_campaign_is_named(work: Path, replacement: str) -> None:
    program = work / "generic"
    # Slow enough to be in the middle after two seconds.
    program.write_text(f'#!/bin/sh\nsleep 0.05\nexec {HONEST} "$@"\n')
    program.chmod(0o755)
    command = [
        sys.executable, "-m", "falsum.app.main", "fuzz", "a.smt2", "-s", str(program), "-s", HONEST,
        "--strategy", "opfuzz", "--no-engines", "--schedule", "even", "--models", "0", "--count", "400", "-j",
        "1", "--rng", "1", "--no-triage", "--json",
    ]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(2)
        program.unlink()
        if replacement:
            program.write_text(replacement)
            program.chmod(0o755)
        out, errors = process.communicate(timeout=100)
    last = json.loads(out.splitlines()[-1])
    assert list(last["gone"]) == [str(program)], errors
    assert (last["mutants"], last["findings"], last["faults"]) == (400, {}, 0)
    assert f"solver left out: {program}" in errors
    assert process.returncode == 3
