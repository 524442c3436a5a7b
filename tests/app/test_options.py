"""`--plugin FILE`: plug-ins of every kind are used by the commands they concern, and by worker processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).with_name("every_kind.py")
SEED = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> (* 2 x) 6))\n(check-sat)\n"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "a.smt2").write_text(SEED)
    return tmp_path


def falsum(work: Path, *arguments: str, plugin: bool = True) -> subprocess.CompletedProcess[str]:
    """Plug-ins stay in a process that has loaded them, so each command has a process of its own."""
    asked = (*arguments, "--plugin", str(PLUGIN)) if plugin else arguments
    return subprocess.run(
        [sys.executable, "-m", "falsum.app.main", *asked],
        cwd=work, env=os.environ, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_strategy_and_oracle_and_tracker(work: Path) -> None:
    """From a campaign to the report; without the plug-in the finding cannot be judged again."""
    fuzzed = falsum(
        work, "fuzz", "a.smt2", "-t", "check-twice", "-s", "z3", "--count", "4", "-j", "1", "--rng", "1",
        "--no-triage", "--json",
    )  # fmt: skip
    assert (fuzzed.returncode, fuzzed.stderr.count("left out")) == (1, 0), fuzzed.stderr
    events = [json.loads(line) for line in fuzzed.stdout.splitlines()]
    (found,) = [event for event in events if event["event"] == "finding"]
    assert (found["kind"], found["suspects"]) == ("impatient", ["z3"])
    assert json.loads(fuzzed.stdout.splitlines()[-1])["mutants"] == 4
    resumed = falsum(work, "fuzz", "--resume", "--count", "8", "--no-triage", "--json", plugin=False)
    assert json.loads(resumed.stdout.splitlines()[-1])["mutants"] == 8, resumed.stderr

    name = listed(work)
    replayed = falsum(work, "replay", name)
    assert "impatient: reproduced in 3 of 3 attempts" in replayed.stdout, replayed.stderr
    without = falsum(work, "replay", name, plugin=False)
    assert without.returncode == 2
    assert "unknown oracle 'impatient'" in without.stderr

    triaged = falsum(work, "findings", "triage", name, "--no-bisect", "-j", "1")
    assert triaged.returncode == 0, triaged.stderr
    exported = falsum(work, "findings", "export", name, "--to", "to", "--format", "letter")
    assert exported.returncode == 0, exported.stderr
    (report,) = (work / "to").glob("*/report.md")
    assert report.read_text().startswith("Dear developers, ")
    unknown = falsum(work, "findings", "export", "--to", "to", "--format", "letter", plugin=False)
    assert unknown.returncode == 2
    assert "unknown tracker 'letter'" in unknown.stderr


def listed(work: Path) -> str:
    (line,) = falsum(work, "findings", "list", "--json").stdout.splitlines()
    digest: str = json.loads(line)["digest"]
    return digest


def test_pass(work: Path) -> None:
    done = falsum(work, "reduce", "a.smt2", "-s", "z3", "--json")
    assert "propose-nothing" in [one["name"] for one in json.loads(done.stdout)["passes"]], done.stderr


def test_profile_and_binding(work: Path) -> None:
    solvers = falsum(work, "solvers", "list", "--json").stdout.splitlines()
    assert "always-true" in [json.loads(line).get("product") for line in solvers]
    asked = ("-s", "second-bitwuzla", "--theory", "bitvectors", "--compare", "0", "--rng", "4", "--json")
    run = falsum(work, "api", *asked)
    assert run.returncode in (0, 1), run.stderr
    assert json.loads(run.stdout)["verdicts"]


def test_a_file_that_is_not_there(work: Path) -> None:
    done = falsum(work, "mutate", "a.smt2", "--strategy", "opfuzz", "--plugin", "nowhere.py")
    assert done.returncode == 2
    assert "'nowhere.py' does not exist" in done.stderr


def test_a_broken_file_is_left_out(work: Path) -> None:
    (work / "broken.py").write_text("import nowhere\n")
    done = falsum(work, "mutate", "a.smt2", "--strategy", "check-twice", "--plugin", "broken.py")
    assert done.returncode == 0
    said = "falsum: plug-in broken.py left out: ModuleNotFoundError: No module named 'nowhere'\n"
    assert done.stderr == said
