"""Giving up in a decided fragment is found, unless a limit is the reason or nobody decides."""

from __future__ import annotations

import pytest
from tests.defects import liars

from falsum.defects.case import Case
from falsum.defects.evidence.judgement import Defect
from falsum.defects.judge import judge
from falsum.defects.kinds.incompleteness import IncompletenessOracle, decides
from falsum.defects.table import kind_named
from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.strategies.mutant import Mutant, Seed

UNKNOWN = Answer((Verdict.UNKNOWN,), FINISHED, stdout="unknown\n")
NONLINEAR = "(declare-const x Int)(assert (> (* x x) 3))(check-sat)"


def unsure(reason: str) -> Answer:
    return Answer((Verdict.UNKNOWN,), FINISHED, stdout=f'unknown\n(:reason-unknown "{reason}")\n')


@pytest.mark.parametrize(
    ("text", "reply", "is_found"),
    [
        (liars.POSITIVE, UNKNOWN, True),
        (liars.POSITIVE, unsure("incomplete"), True),
        (liars.POSITIVE, unsure("timeout"), False),
        (liars.POSITIVE, unsure("max. resource limit exceeded"), False),
        (liars.POSITIVE, unsure("Huge exponents in fp.rem are not supported."), False),
        (liars.POSITIVE, unsure("fp.rem of that size is not yet implemented"), False),
        (liars.POSITIVE, liars.TIMED_OUT, False),
        (NONLINEAR, UNKNOWN, False),
        (liars.POSITIVE.replace("(check-sat)", "(check-sat-using smt)"), UNKNOWN, False),
        (f"(set-option :smt.arith.solver 1){liars.POSITIVE}", UNKNOWN, False),
        (f"(set-option :produce-models true){liars.POSITIVE}", UNKNOWN, True),
        (liars.POSITIVE.replace("QF_LIA", "ALL"), UNKNOWN, True),
        (liars.POSITIVE.replace("QF_LIA", "QF_AUFLIA"), UNKNOWN, True),
        # What a script calls itself decides about the engine.
        (liars.POSITIVE.replace("QF_LIA", "HORN"), UNKNOWN, False),
        (liars.POSITIVE.replace("QF_LIA", "QF_BV"), UNKNOWN, False),
        (liars.POSITIVE.replace("QF_LIA", "QF_LRA"), UNKNOWN, False),
        (liars.POSITIVE.replace("QF_LIA", "QF_IDL_X"), UNKNOWN, False),
        ("(set-logic HORN)(declare-fun p () Bool)(assert (or p (not p)))(check-sat)", UNKNOWN, True),
        (
            "(set-logic HORN)(declare-fun p () Bool)(declare-fun q () Bool)(assert (or p q))(check-sat)",
            UNKNOWN,
            False,
        ),
        ("(set-logic QF_DIV)(declare-const x Int)(assert (> x 0))(check-sat)", UNKNOWN, False),
    ],
)
def test_giving_up_counts_only_in_decided_fragments(text: str, reply: Answer, *, is_found: bool) -> None:
    lab = liars.lab_of(z3=liars.says(reply), cvc5=liars.says(liars.sat()))
    incompleteness_oracle = IncompletenessOracle().find(liars.case_of(text), lab)
    assert (incompleteness_oracle is not None) is is_found
    if incompleteness_oracle is not None:
        assert incompleteness_oracle.suspects == ("z3",)
        assert "cvc5 answers sat" in incompleteness_oracle.evidence


def test_a_script_with_quantifiers_is_not_even_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("falsum.defects.case.read_script", None)
    lab = liars.lab_of(z3=liars.says(UNKNOWN), cvc5=liars.says(liars.sat()))
    text = "(declare-const x Int)(assert (forall ((y Int)) (> (* y y) x)))(check-sat)"
    assert IncompletenessOracle().find(liars.case_of(text), lab) is None


def test_the_seed_counts_if_nobody_else_decides() -> None:
    seed = Seed("seed.smt2", "(declare-const x Int)(assert (= x 0))(check-sat)")
    lab = liars.lab_of(z3=lambda script: "sat" if script == seed.text else UNKNOWN)
    incompleteness_oracle = IncompletenessOracle().find(Case(Mutant(liars.POSITIVE), (seed,)), lab)
    assert incompleteness_oracle is not None
    assert "it answers sat to the seed" in incompleteness_oracle.evidence
    assert IncompletenessOracle().find(liars.case_of(), lab) is None


TWICE = liars.POSITIVE + "(check-sat)"


@pytest.mark.parametrize(
    ("own", "other", "is_found"),
    [
        ("sat unknown", "sat sat", True),
        ("sat unknown", "unknown sat", True),
        ("sat unknown", "sat unknown", False),
        ("sat unknown", "sat", False),
        ("unknown sat", "sat", True),
    ],
)
def test_who_decides_the_check_in_question(own: str, other: str, *, is_found: bool) -> None:
    def says(words: str) -> Answer:
        return Answer(tuple(map(Verdict, words.split())), FINISHED, stdout=words.replace(" ", "\n"))

    def gives_up(script: str) -> Answer:
        checks = script.count("(check-sat)")
        return says(" ".join(own.split()[:checks]))

    lab = liars.lab_of(z3=gives_up, cvc5=liars.says(says(other)))
    incompleteness_oracle = IncompletenessOracle().find(liars.case_of(TWICE), lab)
    assert (incompleteness_oracle is not None) is is_found
    if incompleteness_oracle is not None:
        assert incompleteness_oracle.evidence.startswith(
            f"z3 answers unknown to check {1 + own.split().index('unknown')} (it"
        )


def test_a_verdict_without_a_check_is_not_judged() -> None:
    more = Answer((Verdict.SAT, Verdict.UNKNOWN), FINISHED)
    lab = liars.lab_of(z3=liars.says(more), cvc5=liars.says(more))
    assert IncompletenessOracle().find(liars.case_of(), lab) is None


def test_who_gives_up_once_and_not_again_has_not_given_up() -> None:
    """The reason is asked for with one more command, and then it decides."""
    lab = liars.lab_of(
        z3=lambda script: "sat" if "reason-unknown" in script else UNKNOWN, cvc5=liars.says(liars.sat())
    )
    assert IncompletenessOracle().find(liars.case_of(), lab) is None


@pytest.mark.parametrize(
    "reply", [UNKNOWN, liars.TIMED_OUT, liars.REJECTED, Answer((Verdict.SAT, Verdict.UNKNOWN), FINISHED)]
)
def test_a_seed_that_the_solver_does_not_decide_tells_nothing(reply: Answer) -> None:
    seed = Seed("seed.smt2", "(declare-const x Int)(assert (= x 0))(check-sat)(check-sat)")
    lab = liars.lab_of(z3=lambda script: reply if script == seed.text else UNKNOWN)
    assert IncompletenessOracle().find(Case(Mutant(liars.POSITIVE), (seed,)), lab) is None


@pytest.mark.parametrize("count", [0, 2])
def test_only_one_seed_tells_what_a_solver_decides(count: int) -> None:
    seed = Seed("seed.smt2", "(declare-const x Int)(assert (= x 0))(check-sat)")
    lab = liars.lab_of(z3=lambda script: "sat" if script == seed.text else UNKNOWN)
    assert IncompletenessOracle().find(Case(Mutant(liars.POSITIVE), (seed,) * count), lab) is None


@pytest.mark.parametrize(
    ("text", "is_decided"),
    [
        ("(declare-const x Real)(assert (< (* 2 x) 3))", True),
        ("(declare-const x Real)(assert (< (* x x) 3))", False),
        ("(declare-const x Int)(assert (forall ((y Int)) (< x y)))", False),
        ("(declare-const s String)(assert (= s (str.++ s s)))", False),
        ("(declare-fun f (Int) Int)(declare-fun g (Int) Int)(assert (= f g))", False),
        ("(define-fun f ((x Int)) Int (+ x 1))(assert (= (f 1) 1))", True),
        ("(define-fun-rec f ((x Int)) Int (f (- x 1)))(assert (= (f 1) 1))", False),
        ("(define-funs-rec ((f ((x Int)) Int)) ((f (- x 1))))(assert (= (f 1) 1))", False),
        ("(declare-fun f (Int) Int)(assert (= f (lambda ((x Int)) 0)))", False),
        ("(declare-const b (_ BitVec 8))(assert (= b #x01))(assert (= #b1 (bvredor b)))", False),
        ("(declare-const b (_ BitVec 8))(declare-fun f ((_ BitVec 8)) Bool)(assert (f (bvmul b b)))", True),
    ],
)
def test_fragments(text: str, *, is_decided: bool) -> None:
    assert decides("z3@4.8.6", read_script(text)) is is_decided
    assert not decides("unheard-of", read_script(text))
    assert not decides("z3:sat.euf=true", read_script(text))


def test_the_judge_names_who_decides() -> None:
    lab = liars.lab_of(z3=liars.says(UNKNOWN), cvc5=liars.honest)
    judgement = judge(liars.POSITIVE, ("z3",), ("z3", "cvc5"), lab, about=kind_named(Defect.INCOMPLETENESS))
    assert (judgement.defect, judgement.suspects) == (Defect.INCOMPLETENESS, ("z3",))
    assert judgement.evidence[0].text == "cvc5 answers sat; z3 gives up and answers unknown."
