"""Releases in which an oracle finds the same."""

from __future__ import annotations

import pytest
from falsum.campaign.triage.oracle_predicate import OracleTarget
from falsum.campaign.triage.scripts.oracle_releases import OracleReleases, standing_without_finding
from falsum.campaign.triage.symptom import Standing

from falsum.campaign.triage.bisection import bisect
from falsum.defects.case import Case
from falsum.defects.defect import Oracle
from falsum.defects.finding import Finding, Subject
from falsum.errors import SurroundingsError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Mutant

SCRIPT = "(declare-const x Int)(assert (> x 1))(check-sat)"


class Accusing(Oracle):
    """Asks twice, as oracles that ask more do, and finds fault with the first solver if its name says so."""

    name = "accusing"
    subject = Subject.CORE

    def judge(self, case: Case, lab: Lab) -> Finding | None:
        suspect = lab.solvers[0]
        for want in (Want.VERDICT, Want.MODEL):
            lab.ask(Request(suspect, case.text, want))
        if "4.8.10" not in suspect:
            return None
        return Finding(self.name, (suspect,), "accusing", f"{suspect} is old", case)


def asked(script: str = SCRIPT) -> OracleReleases:
    zoo = Zoo()
    try:
        for release in ("z3@4.8.7", "z3@4.8.10"):
            resolve(release, zoo)
    except SurroundingsError as error:
        pytest.skip(str(error))
    suspect = resolve("z3@4.8.10", zoo)
    target = OracleTarget(Accusing(), Case(Mutant(SCRIPT)), (suspect.name,))
    return OracleReleases(target, script, suspect, (), Limits(seconds=10.0), zoo)


def test_every_release_is_judged_by_the_oracle() -> None:
    found = bisect(asked(), 2)
    bad = [row for row in found.rows if row.standing is Standing.BAD]
    assert [row.release.split(".")[:3] for row in bad] == [["4", "8", "10"]]
    assert bad[0].said == "is old"
    assert found.last_good.startswith("4.8")
    assert found.fixed_in
    assert str(found.symptom.kind) == "oracle"


def test_a_release_that_rejects_the_script_is_not_good() -> None:
    wrong = asked(SCRIPT.replace("(> x 1)", "(no-such-function x)"))
    row = wrong.row(next(release for release in wrong.releases() if release.version.startswith("4.8.7")))
    assert row.standing is Standing.REJECTS


SAT = Answer((Verdict.SAT,), FINISHED)


@pytest.mark.parametrize(
    ("answers", "standing"),
    [
        ((SAT, SAT), Standing.GOOD),
        ((SAT,), Standing.UNKNOWN),  # what is in question was not asked
        ((), Standing.UNKNOWN),
        ((SAT, Answer((Verdict.UNKNOWN,), FINISHED)), Standing.UNKNOWN),
        ((SAT, Answer((), Ending(EndingKind.TIMED_OUT))), Standing.TIMED_OUT),
        ((SAT, Answer((), Ending(EndingKind.REJECTED))), Standing.REJECTS),
        ((SAT, Answer((), Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV"))), Standing.CRASHES),
    ],
)
def test_only_who_has_answered_all_is_good(answers: tuple[Answer, ...], standing: Standing) -> None:
    assert standing_without_finding(answers) is standing
