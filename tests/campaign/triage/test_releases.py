"""Releases in which an oracle finds the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.campaign.triage.bisection import bisect
from falsum.campaign.triage.releases import ScriptReleases
from falsum.defects import table
from falsum.defects.case import Case
from falsum.defects.defect import Oracle
from falsum.defects.evidence.judgement import Defect
from falsum.defects.finding import Finding
from falsum.defects.kinds.wrong_core import CoreOracle
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.errors import SurroundingsError
from falsum.solvers.lab import Lab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Mutant

SCRIPT = "(declare-const x Int)(assert (> x 1))(check-sat)"


class Accusing(Oracle):
    """Asks twice, as oracles that ask more do, and finds fault with the first solver if its name says so."""

    name = "core"
    defect = CoreOracle.defect

    def find(self, case: Case, lab: Lab) -> Finding | None:
        suspect = lab.solvers[0]
        for want in (Want.VERDICT, Want.MODEL):
            lab.ask(Request(suspect, case.text, want))
        if "4.8.10" not in suspect:
            return None
        return Finding(self.name, (suspect,), "accusing", f"{suspect} is old", case)


@pytest.fixture(autouse=True)
def oracle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "BY_NAME", {"core": Accusing()})


def asked(cache: Path, script: str = SCRIPT) -> ScriptReleases:
    zoo = Zoo()
    try:
        for release in ("z3@4.8.7", "z3@4.8.10"):
            resolve(release, zoo)
    except SurroundingsError as error:
        pytest.skip(str(error))
    target = Target(Defect.WRONG_CORE, "core")
    return ScriptReleases("z3", Case(Mutant(script)), target, Limits(seconds=10.0), zoo=zoo, cache=cache)


def test_every_release_is_judged_by_the_oracle(tmp_path: Path) -> None:
    with asked(tmp_path) as releases:
        found = bisect(releases, 2)
    bad = [row for row in found.rows if row.standing is Standing.BAD]
    assert [row.release.split(".")[:3] for row in bad] == [["4", "8", "10"]]
    assert bad[0].said == "is old"
    assert found.last_good.startswith("4.8")
    assert found.fixed_in
    assert found.target.oracle == "core"


def test_a_release_that_rejects_the_script_is_not_good(tmp_path: Path) -> None:
    with asked(tmp_path, SCRIPT.replace("(> x 1)", "(no-such-function x)")) as wrong:
        row = wrong.row(next(each for each in wrong.releases() if each.version.startswith("4.8.7")))
    assert row.standing is Standing.REJECTS
