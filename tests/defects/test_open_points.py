"""Points the standard leaves open: each is recognised, nobody is blamed for it; what is defined is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.defects import liars
from tests.labs import live_lab
from tests.smtlib.saying import says

from falsum.defects.evidence.judgement import OPEN_POINT, Defect
from falsum.defects.judge import judge
from falsum.defects.kinds.broken_law.broken_law import LawOracle
from falsum.defects.kinds.wrong_verdict.claim import ClaimOracle
from falsum.defects.kinds.wrong_verdict.disagreement import DisagreementOracle
from falsum.defects.kinds.wrong_verdict.reference import ReferenceOracle
from falsum.defects.open_points import (
    choose_alike,
    has_related_choices,
    leaves_all_open,
    reads_strings_as_standard,
    touched,
)
from falsum.defects.table import kind_named
from falsum.smtlib.evaluation.open_points import ALL, ESCAPES
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.request import Request

LIST = "(declare-datatypes ((List 0)) (((empty) (link (first Int) (rest List)))))"
OPEN = {
    "(= (div 3 0) 7)": "division by zero",
    "(= (div 9 3 0) 7)": "division by zero",
    "(= (mod 3 0) 7)": "division by zero",
    "(= (rem 3 0) 7)": "division by zero",
    "(= (/ 3.0 0.0) 7.0)": "division by zero",
    "(= (** 0 (- 1)) 7)": "negative powers of zero",
    "(= (^ 0 0) 7)": "powers of zero",
    "(= (^ 0.0 (- 1.0)) 7.0)": "powers of zero",
    "(= (fp.min (_ +zero 5 11) (_ -zero 5 11)) (_ +zero 5 11))": "sign of fp.m",
    "(= (fp.max (_ -zero 3 5) (_ +zero 3 5)) (_ +zero 3 5))": "sign of fp.m",
    "(= ((_ fp.to_ubv 4) RNE (_ NaN 5 11)) #x7)": "conversion of an out-of-range float",
    "(= ((_ fp.to_ubv 4) RTZ (fp.neg ((_ to_fp 5 11) RNE 2.0))) #x7)": "conversion of an out-of-range float",
    "(= ((_ fp.to_sbv 4) RTZ (_ -oo 5 11)) #x7)": "conversion of an out-of-range float",
    "(= ((_ fp.to_sbv 4) RNE ((_ to_fp 5 11) RNE 7.5)) #x7)": "conversion of an out-of-range float",
    "(= (fp.to_real (_ NaN 5 11)) 7.0)": "fp.to_real of",
    "(= (fp.to_ieee_bv (_ NaN 2 3)) #b01101)": "bits of NaN",
    "(= (first empty) 7)": "selector applied to another constructor",
    "(= (first (rest empty)) 7)": "selector applied to another constructor",
    "(= (seq.nth (seq.unit 3) 1) 7)": "seq.nth out of range",
    "(= (seq.nth (seq.unit 3) (- 1)) 7)": "seq.nth out of range",
    "(= (set.choose (as set.empty (Set Int))) 7)": "element of an empty set",
    "(= (bag.choose (as bag.empty (Bag Int))) 7)": "element of an empty bag",
    "(= (nullable.val (as nullable.null (Nullable Int))) 7)": "value of nullable.null",
    "(= (sqrt (- 1.0)) 7.0)": "real function outside its domain",
    "(= (arcsin 2.0) 7.0)": "real function outside its domain",
}
DEFINED = (
    "(= (bvudiv #x3 #x0) #xf)",
    "(= (bvurem #x3 #x0) #x3)",
    "(= (bvsdiv #x9 #x0) #x1)",
    "(= (bvsmod #x9 #x0) #x9)",
    "(= (bvsdiv #x8 #xf) #x8)",
    "(= (bvshl #x3 #x4) #x0)",
    "(= ((_ int_to_bv 4) (- 1)) #xf)",
    "(= (div 7 (- 2)) (- 3))",
    "(= (mod (- 7) 2) 1)",
    "(= (/ 3.0 2.0) 1.5)",
    "(= (** 2 3) 8)",
    "((_ divisible 3) 0)",
    "(= (to_int (- 1.3)) (- 2))",
    '(= (str.at "abc" 3) "")',
    '(= (str.at "abc" (- 1)) "")',
    '(= (str.substr "abc" 2 9) "c")',
    '(= (str.indexof "abc" "" 4) (- 1))',
    '(= (str.replace "abc" "" "d") "dabc")',
    '(= (str.to_int "") (- 1))',
    '(= (str.from_int (- 3)) "")',
    '(str.in_re "" ((_ re.^ 0) (str.to_re "a")))',
    "(= (fp.rem ((_ to_fp 5 11) RNE 3.0) (_ +oo 5 11)) ((_ to_fp 5 11) RNE 3.0))",
    "(fp.isNaN (fp.div RNE (_ +zero 5 11) (_ -zero 5 11)))",
    "(fp.isNaN (fp.sqrt RNE (fp.neg ((_ to_fp 5 11) RNE 2.0))))",
    "(= (as seq.empty (Seq Int)) (seq.at (seq.unit 3) 1))",
    "((_ is empty) empty)",
)


def text_of(formula: str) -> str:
    return f"{LIST}(assert {formula})(check-sat)"


@pytest.mark.parametrize("formula", OPEN)
def test_an_open_point_is_recognised_and_nobody_is_blamed(formula: str) -> None:
    assert not isinstance(says(formula, declarations=LIST), bool)
    case = liars.case_of(text_of(formula))
    assert any(point.name.startswith(OPEN[formula]) for point in touched(case))
    for model in (None, "()"):
        lab = liars.lab_of(fixed=liars.says("unsat"), free=liars.says(liars.sat(model)))
        assert not choose_alike(case, lab.solvers, lab)
        for suspects in ((), ("fixed",), ("free",)):
            for about in (None, kind_named(Defect.REFUTATION_UNSOUNDNESS), kind_named(Defect.INVALID_MODEL)):
                judgement = judge(case.text, suspects, lab.solvers, lab, about=about)
                assert (judgement.defect, judgement.suspects) == (Defect.UNDECIDED, ())


@pytest.mark.parametrize("formula", DEFINED)
def test_what_is_defined_is_no_open_point(formula: str) -> None:
    assert says(formula, declarations=LIST) is True
    assert touched(liars.case_of(text_of(formula))) == ()


def test_the_judge_names_the_point() -> None:
    lab = liars.lab_of(fixed=liars.says("unsat"), free=liars.says("sat"))
    judgement = judge(text_of("(= (first empty) 7)"), (), lab.solvers, lab)
    assert judgement.evidence[0].kind == OPEN_POINT
    assert "(selector applied to another constructor)" in judgement.evidence[0].text


@pytest.mark.parametrize(
    "text",
    [
        "(define-fun f ((x Int)) Int (div x 0))(assert (= (f 3) 4))(check-sat)",
        "(define-fun-rec f ((x Int)) Int (ite (= x 1) x (div x 0)))(assert (= (f 3) 4))(check-sat)",
        "(define-funs-rec ((f ((x Int)) Int)) ((div x 0)))(assert (= (f 3) 4))(check-sat)",
        "(declare-const x Int)(check-sat-assuming ((= (div 3 x) 4)))",
        "(declare-const x Int)(assert (forall ((y Int)) (= (div x y) 4)))(check-sat)",
        "(declare-const x Int)(assert (let ((y (div 3 x))) (= y 4)))(check-sat)",
    ],
)
def test_definitions_assumptions_and_bodies_are_looked_into(text: str) -> None:
    assert [point.name for point in touched(liars.case_of(text))] == ["division by zero"]


@pytest.mark.parametrize(
    "text",
    [
        "(declare-const x Int)(assert (= (partial.div x 0) 4))(check-sat)",
        "(declare-const x Int)(frobnicate (div x 0))(assert (> x 4))(check-sat)",
        "(declare-const x Int)(assert (> x 4)",
    ],
)
def test_what_falsum_cannot_read_may_touch_any_point(text: str) -> None:
    """Three solvers against one prove nothing, and neither does a claim."""
    case = liars.case_of(text, claim=Verdict.SAT)
    lab = liars.lab_of(a=liars.says("sat"), b=liars.says("sat"), c=liars.says("sat"), d=liars.says("unsat"))
    assert not choose_alike(case, lab.solvers, lab)
    assert not any(leaves_all_open(case, solver, lab) for solver in lab.solvers)
    assert DisagreementOracle().find(case, lab) is None
    assert ClaimOracle().find(case, lab) is None
    for about in (None, kind_named(Defect.REFUTATION_UNSOUNDNESS), kind_named(Defect.INVALID_MODEL)):
        for claim in (None, case.mutant.claim):
            judgement = judge(text, (), lab.solvers, lab, claim=claim, about=about)
            assert (judgement.defect, judgement.suspects) == (Defect.UNDECIDED, ())
            assert "does not understand the whole script" in judgement.evidence[0].text


def test_a_claim_blames_no_solver_that_may_choose() -> None:
    """The claim may go back to a solver that chose otherwise; a witness that holds anyway does not."""
    chosen = text_of("(= (div 3 0) 7)")
    anyhow = "(declare-const x Int)(assert (or (= x 1) (= (div 3 0) 7)))(check-sat)"
    fixed = liars.lab_of(fixed=liars.says("unsat"))
    assert ClaimOracle().find(liars.case_of(chosen, claim=Verdict.SAT), fixed) is None
    witness = "((define-fun div0 ((x Int)) Int 7))"
    assert ClaimOracle().find(liars.case_of(chosen, claim=Verdict.SAT, witness=witness), fixed) is None
    assert ClaimOracle().find(liars.case_of(anyhow, claim=Verdict.SAT), fixed) is None
    witness = "((define-fun x () Int 1))"
    assert ClaimOracle().find(liars.case_of(anyhow, claim=Verdict.SAT, witness=witness), fixed) is not None
    free = liars.lab_of(free=lambda script: "unsat" if script == chosen else "sat")
    assert ClaimOracle().find(liars.case_of(chosen, claim=Verdict.SAT), free) is not None


def test_a_witness_with_choices_proves_nothing_to_who_chose_otherwise() -> None:
    text = text_of("(= (div 3 0) 7)")
    case = liars.case_of(text, claim=Verdict.SAT, witness="((define-fun div0 ((x Int)) Int 7))")
    claim = case.mutant.claim
    unsure = liars.says("unknown")
    fixed = liars.lab_of(fixed=lambda s: "unsat" if " 7)" in s else "sat", other=unsure)
    assert (
        judge(
            text,
            ("fixed",),
            fixed.solvers,
            fixed,
            claim=claim,
            about=kind_named(Defect.REFUTATION_UNSOUNDNESS),
        ).suspects
        == ()
    )
    free = liars.lab_of(free=lambda s: "unsat" if s == text else "sat", other=unsure)
    assert judge(
        text, ("free",), free.solvers, free, claim=claim, about=kind_named(Defect.REFUTATION_UNSOUNDNESS)
    ).suspects == ("free",)


def test_who_leaves_all_open_is_asked_little() -> None:
    """All choices of a point in one script each, before any place is tried by itself."""
    case = liars.case_of(text_of("(= (div 3 0) 7)"))
    (point,) = touched(case)
    free, fixed = liars.lab_of(solver=liars.says("sat")), liars.lab_of(solver=liars.says("unknown"))
    assert leaves_all_open(case, "solver", free)
    assert choose_alike(case, ("solver",), free)
    assert len({script for _solver, script in free.asked}) == len(point.choices)
    assert leaves_all_open(case, "solver", fixed)  # not to know is not to exclude
    assert len({script for _solver, script in fixed.asked}) > len(point.choices)


@pytest.mark.parametrize(
    ("answers", "alike"),
    [
        (("sat", "sat"), True),
        (("unsat", "unsat"), True),
        (("sat", "unsat"), False),
        (("unknown", "unsat"), False),
        (("unknown", "sat"), True),
        (("unknown", "unknown"), True),
    ],
)
def test_who_excludes_what_another_leaves_open_chooses_otherwise(
    answers: tuple[str, str], *, alike: bool
) -> None:
    case = liars.case_of(text_of("(= (div 3 0) 7)"))
    one, other = answers
    lab = liars.lab_of(one=liars.says(one), other=liars.says(other), silent=liars.says(liars.REJECTED))
    assert choose_alike(case, lab.solvers, lab) is alike


REALS = "(declare-const x Real)(declare-const y Real)"
FLOAT = "(declare-const f (_ FloatingPoint 5 11))"
RELATED = {
    "(distinct (/ x 0.0) (/ y 0.0))": REALS,
    "(and (= y 0.0) (distinct (/ x y) (/ (+ x 1.0) y)))": REALS,
    "(and (= y 0.0) (distinct (/ 1.0 y) (/ (/ 2.0 y) 3.0) (/ 4.0 y)))": REALS,
    "(and (> (/ x y) 0.0) (< (/ x 0.0) 0.0))": REALS,
    "(forall ((z Real)) (= (/ z 0.0) 7.0))": REALS,
    "(= ((_ fp.to_sbv 4) RNE (_ +oo 5 11)) ((_ fp.to_sbv 4) RNE (_ -oo 5 11)))": "",
    "(= ((_ fp.to_ubv 4) RNE (_ +oo 5 11)) ((_ fp.to_sbv 4) RNE (_ +oo 5 11)))": "",
    "(and (fp.isInfinite f) (distinct (fp.to_real f) (fp.to_real (fp.neg f))))": FLOAT,
    "(and (fp.isZero f) (= (fp.min f (fp.neg f)) (fp.max f (fp.neg f))))": FLOAT,
    "(= (first empty) (first (rest empty)))": LIST,
    "(= (seq.nth (seq.unit 3) 1) (seq.nth (seq.unit 4) 1))": "",
}
ALONE = {
    "(= (/ x 0.0) 3.0)": REALS,
    "(and (= (/ x 0.0) 3.0) (> (/ x 0.0) 2.0))": REALS,
    "(= (/ x 2.0) (/ y 3.0) (/ 1.0 y))": REALS,
    "(forall ((z Real)) (= (/ z 3.0) (/ 1.0 y)))": REALS,
    "(= (str.to_code (str.from_code 300)) (str.to_code (str.from_code 301)))": "",
}


@pytest.mark.parametrize("formula", RELATED)
def test_relations_between_open_points_are_open(formula: str) -> None:
    """Solvers that leave open each point by itself, and relate them differently, are both right."""
    text = f"{RELATED[formula]}(assert {formula})(check-sat)"
    case = liars.case_of(text, claim=Verdict.SAT, reference=f"(assert true){text}")
    lab = liars.lab_of(
        a=liars.says("sat"), b=liars.says("sat"), c=lambda script: "unsat" if formula in script else "sat"
    )
    assert has_related_choices(case)
    assert not choose_alike(case, lab.solvers, lab)
    assert not any(leaves_all_open(case, solver, lab) for solver in lab.solvers)
    for oracle in (DisagreementOracle(), ClaimOracle(), ReferenceOracle(), LawOracle()):
        assert oracle.find(case, lab) is None
    for claim in (None, case.mutant.claim):
        judgement = judge(text, (), lab.solvers, lab, claim=claim)
        assert (judgement.defect, judgement.suspects) == (Defect.UNDECIDED, ())
        assert "relate values to each other that the standard leaves open" in judgement.evidence[0].text


@pytest.mark.parametrize("formula", ALONE)
def test_one_open_application_relates_nothing(formula: str) -> None:
    assert not has_related_choices(liars.case_of(f"{ALONE[formula]}(assert {formula})(check-sat)"))


def test_related_choices_do_not_excuse_who_refuses_a_model_that_needs_none() -> None:
    text = f"{REALS}(assert (or (= (/ x 0.0) (/ y 0.0)) (= x 1.0)))(check-sat)"
    chosen = "((define-fun x () Real 2.0)(define-fun y () Real 3.0)(define-fun /0 ((n Real)) Real 4.0))"
    for model, suspects in (("((define-fun x () Real 1.0))", ("wrong",)), (chosen, ())):
        lab = liars.lab_of(wrong=liars.says("unsat"), right=liars.says(liars.sat(model)))
        assert judge(text, (), lab.solvers, lab).suspects == suspects
        assert (DisagreementOracle().find(liars.case_of(text), lab) is not None) is bool(suspects)


@pytest.mark.parametrize(
    "settings",
    ["", "(set-logic QF_NIA)", "(set-option :arith.solver 2)(set-logic ALL)"],
)
def test_probes_have_the_options_and_the_logic_of_the_script(settings: str) -> None:
    """A solver may choose otherwise elsewhere; only one that rejects the probe is asked in another logic."""
    text = f"{settings}(declare-const z Int)(assert (= (div z 0) 7))(check-sat)"
    lab = liars.lab_of(a=liars.says("sat"), b=liars.says(liars.REJECTED))
    choose_alike(liars.case_of(text), ("a",), lab)
    heads = {script[: script.index("(declare")].replace("\n", "") for _solver, script in lab.asked}
    assert heads == {settings}
    choose_alike(liars.case_of(text), ("b",), lab)
    assert any(
        script.startswith("(set-logic QF_NIA)(declare") for solver, script in lab.asked if solver == "b"
    )


@pytest.mark.parametrize("misread", ESCAPES.probes)
def test_who_misreads_one_escape_does_not_read_strings_as_the_standard_does(misread: str) -> None:
    lab = liars.lab_of(old=lambda script: "unsat" if script == misread else "sat", new=liars.says("sat"))
    assert not reads_strings_as_standard(r'"\n"', "old", lab)
    assert reads_strings_as_standard('"n"', "old", lab)
    assert reads_strings_as_standard(r'"\n"', "new", lab)


@pytest.fixture(scope="module")
def live() -> Iterator[LiveLab]:
    with live_lab("z3", "cvc5", seconds=20) as lab:
        yield lab


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_real_solvers_leave_standard_points_open(live: LiveLab, solver: str) -> None:
    """So what they say of a script with such a point can be held against them."""
    for formula in OPEN:
        case = liars.case_of(text_of(formula))
        if has_related_choices(case):
            continue
        if all(point.heads.isdisjoint({"^", "**", "asin"}) for point in touched(case)):
            assert leaves_all_open(case, solver, live), formula


def test_every_trial_is_read_by_somebody(live: LiveLab) -> None:
    for point in ALL:
        trial = point.probe(*point.choices[0])
        assert any(live.ask(Request(solver, trial)).verdict is not None for solver in live.solvers), trial
