"""Laws of one solver: case splits, simplification, quantifier elimination, interpolants, abducts."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.defects import liars
from tests.defects.forgeries import forger, found_in, triaged
from tests.labs import live_lab

from falsum.defects.kinds.broken_law import definitions, splits
from falsum.defects.kinds.broken_law.broken_law import LawOracle
from falsum.errors import ScriptError
from falsum.smtlib import Script, read_script
from falsum.smtlib.at_check import at_last_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.fake_lab import Reply
from falsum.solvers.lab import LiveLab
from falsum.solvers.request import Request

SAT = """(declare-const x Int)(declare-const y Int)
(assert (or (> x 0) (< y 2)))(assert (or (= (+ x y) 4) (> y 7)))(check-sat)"""
UNSAT = """(declare-const x Int)(declare-const y Int)
(assert (or (> x 9) (> x 8)))(assert (< (+ x y) y))(check-sat)"""
QUANTIFIED = """(set-logic LIA)(declare-const x Int)
(assert (exists ((z Int)) (and (> z x) (< z 3))))(assert (> x 0))(check-sat)"""


def flat(text: str) -> Script:
    script = at_last_check(read_script(text))
    assert script is not None
    return script


@pytest.mark.parametrize("text", [SAT, UNSAT, QUANTIFIED])
@pytest.mark.parametrize("number", range(5))
def test_honest_solvers_keep_the_laws(text: str, number: int) -> None:
    with live_lab("z3", "cvc5", seconds=20.0) as lab:
        assert found_in(LawOracle(), text + f"; {number}", lab) is None


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
@pytest.mark.parametrize(
    ("text", "whole"), [(SAT, Verdict.SAT), (UNSAT, Verdict.UNSAT), (QUANTIFIED, Verdict.SAT)]
)
def test_honest_solvers_keep_the_definitions(solver: str, text: str, whole: Verdict) -> None:
    with live_lab(solver, seconds=20.0) as lab:
        for number in range(6):
            assert definitions.broken(flat(text), whole, solver, lab, Random(number)) is None


def test_exactly_one_part_of_a_split_holds() -> None:
    """By z3: two parts together are unsat, and so are the negations of all."""
    with live_lab("z3", seconds=20.0) as lab:
        seen = set()
        for number in range(12):
            drawn = splits.drawn(flat(SAT), Random(number))
            assert drawn is not None
            seen.add(drawn.law)
            declared = "(declare-const x Int)(declare-const y Int)"
            for one in range(len(drawn.parts)):
                for other in range(one):
                    both = f"{declared}(assert {drawn.parts[one]})(assert {drawn.parts[other]})(check-sat)"
                    assert lab_verdict(lab, both) is Verdict.UNSAT
            none = "".join(f"(assert (not {part}))" for part in drawn.parts)
            assert lab_verdict(lab, f"{declared}{none}(check-sat)") is Verdict.UNSAT
    assert seen == {"case split", "cubes", "domain partition"}


def lab_verdict(lab: LiveLab, text: str) -> Verdict | None:
    return lab.ask(Request("z3", text)).verdict


def test_a_script_without_atoms_has_no_split() -> None:
    assert splits.drawn(flat("(declare-const a Bool)(assert a)(check-sat)"), Random(1)) is None


def printing(text: str, verdict: str) -> Callable[[str], Reply]:
    """Prints a text for a script without a check, and this verdict for one with a check."""

    def replies(script: str) -> Reply:
        if "(check-sat)" in script:
            return verdict
        return Answer((), FINISHED, stdout=f"{text}\n")

    return replies


@pytest.mark.parametrize(
    ("text", "whole", "printed", "verdict", "law"),
    [
        (SAT, Verdict.SAT, "false", "unsat", "simplify"),
        (UNSAT, Verdict.UNSAT, "(> x 2)", "sat", "simplify"),
        (QUANTIFIED, Verdict.SAT, "(< x 0)", "unsat", "quantifier elimination"),
        (UNSAT, Verdict.UNSAT, "(define-fun I () Bool (> x 8))", "sat", "interpolant"),
        (UNSAT, Verdict.UNSAT, "(define-fun I () Bool (> y 8))", "unsat", "interpolant"),
        (SAT, Verdict.SAT, "(define-fun C () Bool (> x 8))", "unsat", "abduct"),
        (SAT, Verdict.SAT, "(define-fun C () Bool (> x 8))", "sat", "abduct"),
    ],
)
def test_what_does_not_meet_its_definition(
    text: str, whole: Verdict, printed: str, verdict: str, law: str
) -> None:
    lab = liars.lab_of(liar=printing(printed, verdict))
    broken = {}
    for number in range(40):
        with contextlib.suppress(ScriptError):  # another law was drawn, and this is no term
            if found := definitions.broken(flat(text), whole, "liar", lab, Random(number)):
                broken[found[0]] = found[1]
    assert broken.get(law)


def test_symbols_of_definitions_are_common() -> None:
    text = """(declare-const p Bool)(declare-const q Bool)(define-fun both () Bool (and p q))
    (assert both)(assert (not p))(check-sat)"""
    lab = liars.lab_of(liar=printing("(define-fun I () Bool p)", "unsat"))
    for number in range(20):
        with contextlib.suppress(ScriptError):
            found = definitions.broken(flat(text), Verdict.UNSAT, "liar", lab, Random(number))
            assert found is None or found[0] != "interpolant"


def test_an_abduct_that_turns_on_an_open_point_says_nothing() -> None:
    """A selector of another constructor: cvc5 abduces for one choice, and then finds another."""
    text = """(set-logic QF_DT)(declare-datatypes ((T 0)) (((a) (b (f T)) (c (g T) (h T)))))
    (declare-const x T)(declare-const y T)(assert (= (c x y) (c (b y) (f x))))
    (assert (or ((_ is a) (f (c x y))) (= y (b (b a)))))(assert (not ((_ is a) y)))(check-sat)"""
    lab = liars.lab_of(liar=printing("(define-fun C () Bool true)", "sat"))
    for number in range(20):
        assert LawOracle().find(liars.case_of(text + f"; {number}"), lab) is None


def test_what_cannot_be_read_says_nothing() -> None:
    lab = liars.lab_of(liar=printing("(frobnicate x)", "unsat"))
    for number in range(20):
        case = liars.case_of(SAT + f"; {number}")
        finding = LawOracle().find(case, lab)
        assert finding is None or "frobnicate" not in finding.evidence


def test_the_judge_says_which_answer_is_wrong(tmp_path: Path) -> None:
    """Sat is right: the solver is wrong about the parts, and one of them is what is reported."""
    suspect = forger("unsat-parts")
    for number in range(20):
        script = f"(declare-const x Int)(assert (or (> x {number}) (< x 1)))(check-sat)"
        with live_lab(suspect, seconds=20.0) as lab:
            if found_in(LawOracle(), script, lab) is not None:
                break
    made, report = triaged(LawOracle(), script, (suspect, "z3"), tmp_path)
    assert str(made.judgement.defect) == "refutation unsoundness"
    assert made.judgement.suspects == (suspect,)
    assert made.script.count("(assert") == 2
    assert report.startswith("# Refutation unsoundness: unsat for a satisfiable")
