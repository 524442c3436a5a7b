"""A campaign as Python programs run it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.campaign.places import HONEST, liar

from falsum import Campaign, FindingRecord, UsageError
from falsum.store.reader import StoreReader

SEED = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> (+ (abs x) 1) (* 2 3)))\n(check-sat)\n"


@pytest.fixture
def seed(tmp_path: Path) -> Path:
    file = tmp_path / "seed.smt2"
    file.write_text(SEED)
    return file


def test_findings_are_reported_and_kept(seed: Path, tmp_path: Path) -> None:
    campaign = Campaign(
        tmp_path / "out",
        seeds=[seed],
        solvers=[liar("verdict", "<="), HONEST],
        strategies=["opfuzz"],
        count=20,
        jobs=1,
        rng=1,
        triage=False,
    )
    told: list[FindingRecord] = []
    summary = campaign.run(told.append)
    assert (summary.ended, summary.mutants) == ("count reached", 20)
    kept = list(campaign)
    assert kept
    assert {record.digest for record in kept} == {record.digest for record in told}
    assert sum(summary.findings.values()) == len(kept)
    for record in kept:
        assert record.script
        assert campaign.folder_of(record).is_dir()


def test_the_same_random_number_gives_the_same_mutants(seed: Path, tmp_path: Path) -> None:
    """The scripts of the findings are those of the command line, too."""
    found = []
    for name in ("first", "second"):
        campaign = Campaign(
            tmp_path / name, seeds=[seed], solvers=[liar("verdict", "<="), HONEST], strategies=["opfuzz"],
            count=10, jobs=1, rng=7, triage=False,
        )  # fmt: skip
        campaign.run()
        found.append([record.script for record in campaign])
    assert found[0] == found[1] != []


def test_triage_writes_reports(seed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from falsum.campaign.triage import background

    monkeypatch.setattr(background, "_SHARE_AT_THE_END", 100.0)
    solvers = [liar("verdict", "<="), HONEST, "z3"]
    campaign = Campaign(
        tmp_path / "out", seeds=[seed], solvers=solvers, strategies=["opfuzz"], count=10, jobs=1, rng=7
    )
    campaign.run()
    assert all((campaign.folder_of(record) / "report.md").is_file() for record in campaign)


def test_two_ends_are_one_too_many(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="either count or seconds"):
        Campaign(tmp_path, count=1, seconds=1)


MINE = """
from dataclasses import dataclass
from falsum.strategies import Mutant


@dataclass(frozen=True)
class Mine:
    name: str = "mine"
    arity: int = 1
    fails: bool = False

    def mutants(self, seeds, rng, lab):
        if self.fails:
            raise ValueError("out of ideas")
        for number in range(100):
            yield Mutant(f"{seeds[0].text}; {number}\\n", lineage=("mine",))


STRATEGIES = [Mine]
"""


def test_plug_ins_of_a_campaign(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "seed.smt2").write_text("(declare-const x Int)(assert (> x 3))(check-sat)\n")
    code = """
import falsum
if __name__ == "__main__":
    campaign = falsum.Campaign(
        "out", seeds=["seed.smt2"], solvers=["z3"], strategies=["mine", "mine:fails=true"], count=10,
        jobs=1, rng=1, triage=False, plugins=["mine.py"],
    )
    print(campaign.run().mutants)
    try:
        falsum.Campaign("out", plugins=["missing.py"])
    except falsum.UsageError as error:
        print(error)
"""
    (tmp_path / "main.py").write_text(code)
    result = subprocess.run(
        [sys.executable, "main.py"], check=True, cwd=tmp_path, capture_output=True, text=True
    ).stdout
    assert result.splitlines() == ["10", "missing.py is not there, or no file"]
    with StoreReader(tmp_path / "out") as store:
        faults = [text.splitlines()[-1] for _batch, _place, text in store.faults(1)]
    assert faults
    assert set(faults) == {"plug-in mine.py:14 fails: ValueError: out of ideas"}
