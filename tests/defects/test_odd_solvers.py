"""Odd but honest solvers: nobody is blamed for a format, a status, a time-out or a signal from outside."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.odd_solvers import HANGING, MANNERS, ODD

from falsum.defects import ALL
from falsum.defects.case import Case
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Claim, Mutant

SAT, UNSAT = Verdict.SAT, Verdict.UNSAT
SCRIPTS = {
    """(set-logic QF_LIA)(declare-const x Int)(assert (> x 5))(check-sat)
    (push 1)(assert (< x 5))(check-sat)(pop 1)(assert (< x 9))(check-sat)""": (SAT, UNSAT, SAT),
    """(declare-const s String)(assert (= (str.len s) 2))(assert (not (= s "ab")))(check-sat)""": (SAT,),
    """(set-logic QF_LIA)(declare-const x Int)(assert (and (> x 5) (< x 6)))(check-sat)""": (UNSAT,),
}
# Options that make z3 or cvc5 answer another question, or none.
MEANINGS = [
    """(set-option :rewriter.hi_fp_unspecified true)(declare-const x (_ FloatingPoint 5 11))
    (assert (fp.isNaN x))(assert (not (= (fp.to_real x) 0.0)))(check-sat)""",
    """(set-option :smt.array.extensional false)(set-logic QF_AX)(declare-sort I 0)(declare-sort E 0)
    (declare-const a (Array I E))(declare-const b (Array I E))(declare-const i I)
    (assert (not (= a b)))(assert (= (store a i (select b i)) b))(assert (= (select a i) (select b i)))
    (check-sat)""",
    """(set-option :smt.string_solver none)(declare-const s String)(assert (= (str.++ s "a") "b"))
    (check-sat)""",
    """(set-option :smt.arith.ignore_int true)(declare-const x Int)(assert (< 0 (* 2 x) 2))(check-sat)""",
    """(set-option :memory_max_alloc_count 3)(declare-const x Int)(assert (> x 3))(check-sat)""",
    """(set-option :smt.candidate_models true)(declare-const x Int)(assert (> (* x x x) 3))(check-sat)""",
    """(set-option :timeout 1)(declare-const x Int)(assert (= (* x x x) 27))(check-sat)""",
    """(set-option :strings-alpha-card 2)(declare-const s String)(assert (= (str.to_code s) 90))
    (check-sat)""",
    """(check-sat-using (then (using-params simplify :hi_div0 false) smt))(check-sat)""",
    """(declare-const x Int)(assert (> x 3))(check-sat-using (using-params smt :no_such 3))
    (assert (< x 3))(check-sat)""",
]


@pytest.fixture(scope="module")
def real() -> Solver:
    return resolve("z3", Zoo())


@pytest.fixture(scope="module")
def other() -> Iterator[LiveLab]:
    """Answers of another product, got once."""
    with LiveLab([resolve("cvc5", Zoo())], Limits(seconds=20)) as lab:
        yield lab


class Both:
    """A lab of an odd solver and one that is as it should be."""

    def __init__(self, odd: LiveLab, other: LiveLab) -> None:
        self.odd = odd
        self.other = other
        self.solvers = (*odd.solvers, *other.solvers)

    def ask(self, request: Request) -> Answer:
        return (self.odd if request.solver in self.odd.solvers else self.other).ask(request)


def test_the_gallery_is_large() -> None:
    assert len(set(MANNERS)) * 2 + len(MEANINGS) >= 60


@pytest.mark.parametrize("product", ["", "z3="], ids=["any program", "z3"])
@pytest.mark.parametrize("manner", MANNERS)
def test_nobody_is_blamed_for_being_odd(real: Solver, other: LiveLab, product: str, manner: str) -> None:
    assert real.release is not None
    name = f"{product}{ODD} {real.release.program} {manner}"
    with LiveLab([resolve(name, Zoo())], Limits(seconds=0.5 if manner in HANGING else 20)) as odd:
        lab = Both(odd, other)
        for script, truth in SCRIPTS.items():
            answer = odd.ask(Request(name, script))
            assert len(answer.verdicts) == len(truth)
            assert all(not one.contradicts(right) for one, right in zip(answer.verdicts, truth, strict=True))
            assert not answer.crashed, answer.ending
            if manner == "plain":
                assert answer.verdicts == truth
            for want in (Want.VERDICT, Want.MODEL):
                case = Case(Mutant(script, Claim(truth)), (), want)
                for oracle in ALL:
                    # A z3 that gives up in a fragment that z3 decides is incomplete, and not just odd.
                    gives_up = (
                        bool(product) and manner.startswith("unknown") and oracle.name == "incompleteness"
                    )
                    if oracle.every == 1 and oracle.want in (Want.VERDICT, want) and not gives_up:
                        assert oracle.find(case, lab) is None, (oracle.name, manner)


@pytest.mark.parametrize("script", MEANINGS)
def test_nobody_is_blamed_for_an_option_that_changes_the_question(
    real: Solver, other: LiveLab, script: str
) -> None:
    with LiveLab([real], Limits(seconds=20)) as z3:
        lab = Both(z3, other)
        for oracle in ALL:
            if oracle.every == 1:
                assert oracle.find(Case(Mutant(script)), lab) is None, oracle.name
        assert not any(z3.ask(Request("z3", script, cold=cold)).crashed for cold in (False, True))


def test_a_solver_that_lies_is_blamed_all_the_same(real: Solver, other: LiveLab) -> None:
    """Otherwise the tests above would show nothing."""
    assert real.release is not None
    for product in ("", "z3="):
        name = f"{product}{ODD} {real.release.program} lies"
        with LiveLab([resolve(name, Zoo())], Limits(seconds=20)) as odd:
            script, truth = next(iter(SCRIPTS.items()))
            case, lab = Case(Mutant(script, Claim(truth))), Both(odd, other)
            finding = [oracle.find(case, lab) for oracle in ALL if oracle.every == 1]
            assert any(one is not None and one.suspects == (name,) for one in finding)
