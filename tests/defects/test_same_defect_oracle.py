"""A script is reduced while an oracle finds the same in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from falsum.defects.case import Case
from falsum.defects.evidence.judgement import Defect
from falsum.defects.kinds.wrong_core import CoreOracle
from falsum.defects.recheck import found_again
from falsum.defects.same_defect import Kept, SameDefect
from falsum.defects.targets.target import Target
from falsum.errors import UsageError
from falsum.reducer import reduce
from falsum.smtlib import print_script, read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Mutant

SCRIPT = print_script(
    read_script(
        """(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)
        (assert (or (= y 2) (< y 0)))(assert (> x 0))(assert (distinct x (+ 2 y)))(assert (< x 0))
        (check-sat)"""
    )
)


@dataclass
class ForgingLab:
    """Its solver knows that x is positive and negative; its cores have the first assertion only."""

    tells: Callable[[str], bool]
    solvers: tuple[str, ...] = ("liar",)
    is_closed: bool = False

    def ask(self, request: Request) -> Answer:
        script = request.script
        if self.tells(script):
            return Answer(
                (Verdict.UNSAT,), FINISHED, core="(falsum!1)" if request.want is Want.CORE else None
            )
        model = "((define-fun x () Int 1) (define-fun y () Int 2))"
        return Answer((Verdict.SAT,), FINISHED, model=model)

    def close(self) -> None:
        self.is_closed = True


def is_impossible(script: str) -> bool:
    return "(> x 0)" in script and "(< x 0)" in script


KEPT = Kept(Target(Defect.WRONG_CORE, "core"), ("liar",))


def test_a_script_is_reduced_while_the_oracle_finds_the_same() -> None:
    labs: list[ForgingLab] = []

    def make(_limits: Limits) -> ForgingLab:
        labs.append(ForgingLab(is_impossible))
        return labs[-1]

    with SameDefect(Case(Mutant(SCRIPT)), KEPT, make, Limits()) as predicate:
        result = reduce(read_script(SCRIPT), predicate, confirm=predicate.cold)
    assert result.is_confirmed
    assert (
        read_script(result.text).assertions
        == read_script("(declare-const x Int)(assert (> x 0))(assert (< x 0))").assertions
    )
    assert all(lab.is_closed for lab in labs)


def test_what_does_not_show_now_is_refused() -> None:
    lab = ForgingLab(lambda _script: False)
    with pytest.raises(UsageError, match="does not show the defect now"):
        SameDefect(Case(Mutant(SCRIPT)), KEPT, lambda _limits: lab, Limits())
    assert lab.is_closed


def test_another_suspect_is_another_finding() -> None:
    lab = ForgingLab(is_impossible)
    case = Case(Mutant(SCRIPT))
    assert found_again(CoreOracle(), case, ("somebody else",), lab) is None
    found = found_again(CoreOracle(), case, ("liar",), lab)
    assert found is not None
    assert [exchange.request.want for exchange in found.exchanges] == [Want.VERDICT, Want.CORE, Want.MODEL]
