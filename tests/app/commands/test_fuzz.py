"""`falsum fuzz`, `findings` and `replay`, as people and scripts use them."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.campaign.places import HONEST, liar

from falsum.app.commands import findings, fuzz, replay
from falsum.errors import SurroundingsError, UsageError
from falsum.store import finding_folder
from falsum.store.reader import StoreReader
from falsum.store.store import FINDINGS

SEED = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> (+ (abs x) 1) (* 2 3)))\n(check-sat)\n"
QUIET = ("--jobs", "1", "--rng", "1", "--strategy", "opfuzz", "--schedule", "even", "--no-engines")


@pytest.fixture
def seeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "seeds"
    home.mkdir()
    for number in range(4):
        (home / f"{number}.smt2").write_text(SEED.replace("3", f"{number + 3}"))
    (home / "bad.smt2").write_text("(assert (> 1")
    return home


def run_fuzz(*arguments: str) -> Result:
    return CliRunner().invoke(fuzz.command, arguments, catch_exceptions=False)


def events(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_honest_solvers_end_with_0_and_a_summary(seeds: Path) -> None:
    result = run_fuzz(str(seeds), "--solver", "z3", "--solver", "cvc5", "--count", "100", *QUIET)
    assert result.exit_code == 0
    assert "100 (" in result.stdout
    assert "nothing wrong" in result.stdout
    assert "inside solvers" in result.stdout
    assert result.stderr.count("bad.smt2: unreadable") == 1


def test_a_liar_ends_with_1_and_events(seeds: Path) -> None:
    names = ("--solver", liar("verdict", "<="), "--solver", HONEST)
    result = run_fuzz(str(seeds), *names, "--count", "40", "--json", *QUIET)
    assert result.exit_code == 1
    lines = events(result)
    assert lines[0]["event"] == "begin"
    assert lines[-1]["event"] == "end"
    assert lines[-1]["mutants"] == 40
    found = [line for line in lines if line["event"] == "finding"]
    assert sum(lines[-1]["findings"].values()) == len(found)
    _look_at(next(line["digest"] for line in found if line["kind"] == "disagreement"), names)


def _look_at(digest: str, solvers: tuple[str, ...]) -> None:
    listed = CliRunner().invoke(findings.command, ["list", "--out", "falsum-out", "--json"])
    assert digest in {json.loads(line)["digest"] for line in listed.stdout.splitlines()}
    for arguments in (["list"], ["--out", "falsum-out"], []):
        assert digest in CliRunner().invoke(findings.command, arguments).stdout
    result = CliRunner().invoke(findings.command, ["show", digest])
    assert "(check-sat)" in result.stdout
    as_json = CliRunner().invoke(findings.command, ["show", digest, "--json"])
    assert json.loads(as_json.stdout)["signature"].startswith("disagreement")
    exported = CliRunner().invoke(findings.command, ["export", digest, "--to", "exported"])
    assert exported.exit_code == 0
    (copy,) = Path("exported").iterdir()
    for name in (digest, str(copy)):
        again = CliRunner().invoke(replay.command, [name, *solvers], catch_exceptions=False)
        assert again.exit_code == 1
        assert "3 of 3" in again.stdout
    honest = CliRunner().invoke(replay.command, [digest, "--solver", HONEST], catch_exceptions=False)
    assert honest.exit_code == 0


def test_it_learns_and_compares_solvers_with_themselves(seeds: Path) -> None:
    (seeds / "bad.smt2").unlink()
    arguments = ("--solver", "z3", "--jobs", "1", "--rng", "1", "--options", "safe", "--json")
    last = events(run_fuzz(str(seeds), "--strategy", "opfuzz", "--count", "60", *arguments))[-1]
    assert sum(arm["batches"] for arm in last["arms"]) >= 3
    assert sum(arm["gain"] for arm in last["arms"]) > 0
    assert {arm["strategy"] for arm in last["arms"]} == {"opfuzz"}
    resumed = events(run_fuzz("--resume", "--count", "160", "--json", "--jobs", "1"))[-1]
    assert sum(arm["batches"] for arm in resumed["arms"]) > sum(arm["batches"] for arm in last["arms"])
    assert any(arm["configuration"] for arm in resumed["arms"])
    # What other configurations answer is not counted among the answers of the solvers.
    assert set(resumed["said"]) == {"z3"}
    with pytest.raises(UsageError, match="schedule"):
        run_fuzz("--resume", "--schedule", "even", "--count", "200")


def test_time_is_kept_and_a_second_campaign_starts_at_once(seeds: Path) -> None:
    arguments = (str(seeds), "--solver", "z3", "--json", *QUIET)
    run_fuzz(*arguments, "--count", "100")
    started = time.monotonic()
    result = run_fuzz(*arguments, "--for", "2s")
    assert time.monotonic() - started < 20
    assert result.exit_code in (0, 3)  # on a busy machine nothing may be answered in two seconds
    second = events(result)
    assert second[-1]["ended"] == "time limit reached"
    # What was filtered is known before any worker has started.
    assert second[0]["event"] == "seed"
    assert second[1]["filtered"] == 1


def test_resume_goes_on_with_the_same_plan(seeds: Path) -> None:
    run_fuzz(str(seeds), "--solver", HONEST, "--count", "30", *QUIET)
    with pytest.raises(UsageError, match="rng"):
        run_fuzz("--resume", "--rng", "2", "--count", "50")
    lines = events(run_fuzz("--resume", "--count", "50", "--jobs", "1", "--json"))
    assert lines[-1]["mutants"] == 50
    with StoreReader(Path("falsum-out")) as store:
        numbers = [batch.number for batch in store.batches(1)]
        assert len(numbers) == len(set(numbers))
        assert sum(batch.made for batch in store.batches(1)) == 50
    # It has its seeds itself.
    shutil.rmtree(seeds)
    lines = events(run_fuzz("--resume", "--count", "70", "--jobs", "1", "--json"))
    assert (lines[-1]["mutants"], lines[-1]["seeds"], lines[-1]["filtered"]) == (70, 5, 1)


def test_wrong_use(seeds: Path) -> None:
    for arguments in (
        (str(seeds), "--for", "1s", "--count", "1"),
        (str(seeds), "--strategy", "frob", "--count", "1"),
        ("--resume",),
        (str(seeds), "--solver", "z4", "--count", "1"),
    ):
        with pytest.raises(UsageError):
            run_fuzz(*arguments)
    with pytest.raises(SurroundingsError):
        run_fuzz("nowhere", "--count", "1")
    assert run_fuzz(str(seeds), "--for", "soon").exit_code == 2


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90.0), ("90s", 90.0), ("10m", 600.0), ("1h30m", 5400.0), ("1.5m", 90.0)]
)
def test_durations(text: str, seconds: float) -> None:
    context = fuzz.command.make_context("fuzz", ["--for", text])
    assert context.params["seconds"] == seconds


def start(*arguments: str) -> subprocess.Popen[str]:
    code = "from falsum.app.main import main\nif __name__ == '__main__': main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, "fuzz", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_everything_and_ends_with_130(seeds: Path, number: signal.Signals) -> None:
    process = start(str(seeds), "--solver", HONEST, "--json", *QUIET)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(2.5)
    process.send_signal(number)
    said, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    last = json.loads(said.splitlines()[-1])
    assert last["ended"] == "interrupted"
    with StoreReader(Path("falsum-out")) as store:
        assert sum(batch.made for batch in store.batches(1)) == last["mutants"]


def test_killed_and_resumed_nothing_is_lost_and_nothing_done_twice(seeds: Path) -> None:
    names = ("--solver", liar("verdict", "<="), "--solver", HONEST)
    process = start(str(seeds), *names, "--count", "60", "--json", "--rng", "5", "--strategy", "opfuzz")
    drawn = random.Random(1)
    for _ in range(3):
        assert process.stdout is not None
        process.stdout.readline()  # it has begun
        time.sleep(3 * drawn.random())
        process.kill()
        process.communicate()
        process = start("--resume", "--json")
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert json.loads(said.splitlines()[-1])["mutants"] == 60
    out = Path("falsum-out")
    with StoreReader(out) as store:
        batches, found = store.batches(1), store.findings()
        assert store.faults() == []
    assert sum(batch.made for batch in batches) == 60
    assert {one.folder for one in found} == {home.name for home in (out / FINDINGS).iterdir()}
    for one in found:
        record = finding_folder.read(out / FINDINGS / one.folder)
        assert record.signature == one.signature
        assert one.count >= 1
