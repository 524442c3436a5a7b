"""Evidence for sat: witnesses of a check, models that others accept, and in which words."""

from __future__ import annotations

import pytest
from tests.defects.test_judge import (
    DIVISION,
    STRANGE,
    X_IS_3,
    MixedLab,
    Says,
    about,
    always,
    free_division,
    judged,
    kinds,
    said,
)
from tests.defects.test_judge_branches import solver

from falsum.defects.evidence.evidence_for_sat import (
    as_definitions,
    support_for_sat,
    with_model_substituted,
)
from falsum.defects.evidence.evidence_session import open_sessions
from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.request import Want
from falsum.strategies.mutant import Claim

SAT = Verdict.SAT
TWO_CHECKS = "(declare-const x Int)(assert (> x 0))(check-sat)(assert (< x 9))(check-sat)"


@pytest.mark.usefixtures("no_luck")
@pytest.mark.parametrize(
    ("claim", "suspects"),
    [
        (Claim((None, SAT), X_IS_3), ("liar",)),
        (Claim((SAT, SAT), X_IS_3), ("liar",)),
        # It says nothing of the second check.
        (Claim((SAT,), X_IS_3), ()),
        (Claim((SAT, None), X_IS_3), ()),
        (Claim((SAT, Verdict.UNSAT), X_IS_3), ("other",)),
        (Claim((None, SAT), "((define-fun x () Int 12))"), ("liar",)),
    ],
)
def test_a_witness_is_of_the_check_in_question(claim: Claim, suspects: tuple[str, ...]) -> None:
    lab = MixedLab(liar=about(TWO_CHECKS, said("sat", "unsat")), other=about(TWO_CHECKS, said("sat", "sat")))
    judgement = judged(TWO_CHECKS, lab, claim=claim)
    assert judgement.suspects == suspects
    if suspects:
        assert judgement.check == 1
        is_witness = claim.witness == X_IS_3 and suspects == ("liar",)
        assert kinds(judgement) == ["witness" if is_witness else "construction"]


@pytest.mark.parametrize(
    ("inconsistent", "words"),
    [
        (("c",), "c answers sat. This way c contradicts its own answer, since"),
        (("c", "d"), "c, d answer sat. This way c, d contradict their own answers, since"),
    ],
)
def test_who_accepts_a_model_contradicts_its_own_unsat(inconsistent: tuple[str, ...], words: str) -> None:
    liars = dict.fromkeys(inconsistent, solver("unsat", with_model="sat"))
    judgement = judged(STRANGE, MixedLab(None, a=solver("sat", X_IS_3), **liars))
    assert judgement.suspects == inconsistent
    assert words in judgement.evidence[0].text


def test_who_accepts_a_model_and_gave_it_are_counted_as_products() -> None:
    lab = MixedLab(
        a=solver("sat", X_IS_3),
        b=solver("unknown", with_model="sat"),
        z3=solver("unknown", with_model="sat"),
        z3_4=solver("unknown", with_model="sat"),
        c=solver("unsat"),
    )
    judgement = judged(STRANGE, lab)
    assert judgement.suspects == ("c",)
    assert judgement.evidence[0].text.endswith("b, z3, z3@4 answer sat. These are 3 independent products.")


def test_only_the_first_models_are_relayed() -> None:
    """Of five different models the last one is not put to others."""
    values = (-7, -9, -10, -13, -14)  # with these, too, Mordell's equation has no solution

    def accepting(value: int) -> MixedLab:
        def other(script: str, _want: Want) -> Answer:
            return said("sat" if defined(value) in script else "unknown")

        givers = {f"g{-each}": solver("sat", f"({defined(each)})") for each in values}
        return MixedLab(None, **givers, other=other, liar=solver("unsat"))

    def defined(value: int) -> str:
        return f"(define-fun x () Int (- {-value}))"

    for value in values[:-1]:
        assert judged(STRANGE, accepting(value)).evidence[0].kind == "relayed model"
    assert judged(STRANGE, accepting(values[-1])).evidence[0].kind == "majority"


@pytest.mark.parametrize(("on_probes", "suspects"), [("unsat", ()), ("sat", ("liar",))])
def test_a_model_with_choices_counts_against_who_leaves_them_open(
    on_probes: str, suspects: tuple[str, ...]
) -> None:
    def liar(script: str, _want: Want) -> Answer:
        return said("unsat" if "(declare-const x Real)(assert (= (/ x 0.0) 7.0))" in script else on_probes)

    def free(script: str, want: Want) -> Answer:
        answer = free_division(script, want)
        return answer if answer.verdict is SAT else said("sat")

    judgement = judged(DIVISION, MixedLab(free=free, liar=liar))
    assert judgement.suspects == suspects
    assert not suspects or kinds(judgement) == ["model"]


@pytest.mark.parametrize(("on_probes", "suspects"), [("unsat", ()), ("sat", ("c",))])
def test_a_relayed_model_counts_against_who_leaves_its_choices_open(
    on_probes: str, suspects: tuple[str, ...]
) -> None:
    text = STRANGE.replace("(< x 9)", "(or (< x 9) (= (div x 0) 7))")
    about_it = "(declare-const x Int)(assert (forall"

    def liar(script: str, _want: Want) -> Answer:
        return said("unsat" if about_it in script or "(define-fun x" in script else on_probes)

    def free(model: str | None, verdict: str) -> Says:
        def says(script: str, want: Want) -> Answer:
            if "(define-fun x" in script:
                return said("sat")
            if about_it not in script:
                return said("sat")
            return said(verdict, model=model if want is Want.MODEL else None)

        return says

    judgement = judged(text, MixedLab(a=free(X_IS_3, "sat"), b=free(None, "unknown"), c=liar))
    assert judgement.suspects == suspects


def test_a_model_that_is_false_is_not_relayed() -> None:
    """It breaks (< x 9), whoever accepts it."""
    lab = MixedLab(
        a=solver("sat", "((define-fun x () Int 12))"),
        b=solver("unknown", with_model="sat"),
        c=solver("unsat"),
    )
    assert "relayed model" not in kinds(judged(STRANGE, lab))


def test_a_newest_release_that_refuses_a_model_speaks_for_its_product() -> None:
    lab = MixedLab(
        a=solver("sat", X_IS_3), z3_4=solver("unknown", with_model="sat"),
        z3=solver("unsat", with_model="unsat"),
    )  # fmt: skip
    assert judged(STRANGE, lab).suspects == ()


def test_models_as_definitions() -> None:
    flat = read_script("(set-logic QF_LIA)(declare-const x Int)(assert (> x 0))(check-sat)")
    assert as_definitions(flat, "((x") == "((x"
    assert as_definitions(flat, X_IS_3).strip() == "(define-fun x () Int 3)"
    spellings = with_model_substituted(flat, X_IS_3)
    assert [text.splitlines()[0] for text in spellings] == ["(set-logic QF_LIA)", "(set-logic ALL)"]
    assert with_model_substituted(flat, "garbage") == ()
    assert (
        len(with_model_substituted(read_script("(set-logic ALL)(declare-const x Int)(check-sat)"), X_IS_3))
        == 1
    )


EITHER = "(declare-const x Int)(assert (or (= x 1) (= (div 3 0) 7)))(check-sat)"
CHOOSING = "((define-fun x () Int 2) (define-fun div0 ((y Int)) Int 7))"
PLAIN = "((define-fun x () Int 1))"


@pytest.mark.parametrize(
    ("models", "chooser", "has_choices"),
    [((CHOOSING, PLAIN), "b", False), ((PLAIN, CHOOSING), "a", False), ((CHOOSING,), "a", True)],
)
def test_a_model_that_holds_for_every_choice_is_preferred(
    models: tuple[str, ...], chooser: str, *, has_choices: bool
) -> None:
    givers = {name: solver("sat", model, text=EITHER) for name, model in zip("ab", models, strict=False)}
    lab = MixedLab(None, **givers)
    (session,) = open_sessions(EITHER, lab.solvers, lab)
    found = support_for_sat(session, None)
    assert found is not None
    assert (found.choosers, found.has_choices) == ((chooser,), has_choices)


def test_who_gave_a_model_may_accept_it_as_well() -> None:
    lab = MixedLab(
        a=solver("sat", X_IS_3, with_model="sat"), b=solver("unknown", with_model="sat"), c=solver("unsat")
    )
    judgement = judged(STRANGE, lab)
    assert (judgement.suspects, kinds(judgement)) == (("c",), ["relayed model"])


def test_a_model_with_choices_counts_against_who_chooses_as_its_solver_does() -> None:
    """Both exclude the same choices, so the script has to be sat for both."""

    def right(script: str, want: Want) -> Answer:
        if "(define-fun x" in script:
            return said("sat")
        return free_division(script, want) if script == DIVISION else said("unsat")

    judgement = judged(DIVISION, MixedLab(right=right, liar=always(said("unsat"))))
    assert (judgement.suspects, kinds(judgement)) == (("liar",), ["model"])
