"""Whom the judge names of several: who answers the script as it is, who reads it as the standard does."""

from __future__ import annotations

import pytest
from tests.defects import liars
from tests.defects.test_judge import (
    POSITIVE,
    STRANGE,
    X_IS_3,
    MixedLab,
    Says,
    about,
    always,
    judged,
    kinds,
    said,
)
from tests.defects.test_judge_branches import solver

from falsum.defects.evidence.evidence_session import closely, in_question, not_looked_at, open_sessions
from falsum.defects.evidence.judgement import Defect, Evidence, Judgement
from falsum.defects.judge import judge
from falsum.defects.kinds.wrong_verdict.reference_pair import refuted_script
from falsum.defects.table import kind_named
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause, Ending, EndingKind
from falsum.solvers.request import Request, Want

SAT, UNSAT = Verdict.SAT, Verdict.UNSAT
REJECTED = Answer((), Ending(EndingKind.REJECTED, Cause.UNSUPPORTED, "no such option"))
TIMED_OUT = Answer((), Ending(EndingKind.TIMED_OUT))


def on(text: str, as_it_is: Answer, otherwise: Answer) -> Says:
    return lambda script, _want: as_it_is if script == text else otherwise


def test_who_answers_the_script_as_it_is_is_blamed_before_who_answers_its_plain_form() -> None:
    text = f"(set-option :only-mine true){POSITIVE}"
    right = always(said("sat", model=X_IS_3))
    liar = on(text, said("unsat"), said("unknown"))
    strict = on(text, REJECTED, said("unsat"))
    assert judged(text, MixedLab(right=right, liar=liar, strict=strict)).suspects == ("liar",)
    assert judged(text, MixedLab(right=right, strict=strict)).suspects == ("strict",)


def test_who_rejects_a_logic_is_asked_in_all() -> None:
    def narrow(script: str, _want: Want) -> Answer:
        return REJECTED if "QF_LIA" in script else said("unsat")

    assert judged(POSITIVE, MixedLab(right=always(said("sat", model=X_IS_3)), narrow=narrow)).suspects == (
        "narrow",
    )


def test_a_verdict_before_a_crash_is_none_in_the_plain_form() -> None:
    crashed = Answer((UNSAT,), Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV"))
    right = always(said("sat", model=X_IS_3))
    text = f"(set-option :only-mine true){POSITIVE}"
    judgement = judged(text, MixedLab(right=right, crashing=on(text, REJECTED, crashed)))
    assert judgement.defect != Defect.REFUTATION_UNSOUNDNESS


@pytest.mark.parametrize(("on_probe", "suspects"), [("unsat", ()), ("sat", ("old",))])
def test_who_reads_strings_in_an_old_way_is_not_blamed_for_sat(
    on_probe: str, suspects: tuple[str, ...]
) -> None:
    r"""`\x41` has four letters, and one for releases before the standard."""
    text = r'(assert (= (str.len "\x41") 1))(check-sat)'
    old = on(text, said("sat"), said(on_probe))
    judgement = judged(text, MixedLab(old=old, new=on(text, said("unsat"), said("sat"))))
    assert judgement.suspects == suspects
    assert "evaluation" in kinds(judgement) or not suspects


@pytest.mark.parametrize(("on_probe", "suspects"), [("unsat", ()), ("sat", ("small",))])
def test_who_has_another_alphabet_is_not_blamed(on_probe: str, suspects: tuple[str, ...]) -> None:
    """Releases before the standard have 256 characters."""
    text = "(declare-const s String)(assert (= (str.to_code s) 300))(check-sat)"
    right = on(text, said("sat", model=r'((define-fun s () String "\u{12c}"))'), said("sat"))
    small = on(text, said("unsat"), said(on_probe))
    assert judged(text, MixedLab(right=right, small=small)).suspects == suspects


def test_the_check_is_that_of_any_solver_if_the_script_cannot_be_read() -> None:
    text = "(frobnicate)(check-sat)(check-sat)"
    lab = MixedLab(
        short=about(text, said("sat")), a=about(text, said("sat", "sat")), b=about(text, said("sat", "unsat"))
    )
    judgement = judged(text, lab)
    assert (judgement.defect, judgement.check) == (Defect.UNDECIDED, 1)


def test_no_more_than_twelve_checks_are_looked_at_closely() -> None:
    text = "(declare-const x Int)" + "(check-sat)" * 20
    lab = MixedLab(a=always(said(*["sat"] * 20)))
    sessions = open_sessions(text, ("a", "a"), lab)
    assert [session.check for session in sessions] == list(range(20))
    assert [session.check for session in closely(sessions)] == [*range(11), 19]
    assert not_looked_at(sessions, 20) == "Models of checks 12 to 19 were not looked at."
    assert not_looked_at(sessions[:12], 12) == ""
    assert sessions[0].solvers == ("a",)
    assert in_question(sessions).check == 19
    assert [session.check for session in open_sessions(text, ("a",), lab, 15)] == [15]
    (nothing,) = open_sessions("", (), lab)
    assert (nothing.check, nothing.flat) == (0, None)


class CountingLab(MixedLab):
    def __init__(self, **fakes: Says) -> None:
        super().__init__(None, **fakes)
        self.requests: list[Request] = []

    def ask(self, request: Request) -> Answer:
        self.requests.append(request)
        return super().ask(request)


def test_after_two_time_outs_a_solver_is_not_asked_again() -> None:
    lab = CountingLab(slow=always(TIMED_OUT), quick=always(said("sat", model=X_IS_3)))
    judged(POSITIVE, lab)
    assert all(request.cold for request in lab.requests)
    (session,) = open_sessions(POSITIVE, ("slow", "quick"), lab)
    lab.requests.clear()
    for _ in range(2):
        assert session.verdict_of("slow") is None
        assert session.plain_verdict_of("slow") is None
        assert list(session.own_models("slow")) == []
        assert session.verdict_of("quick") is SAT
    assert [request.solver for request in lab.requests] == ["slow", "slow", "quick"]


def test_a_solver_that_decides_before_it_times_out_is_asked_again() -> None:
    late = Answer((SAT,), Ending(EndingKind.TIMED_OUT), model=X_IS_3)
    lab = CountingLab(late=always(late))
    (session,) = open_sessions(POSITIVE, ("late",), lab)
    assert session.verdict_of("late") is SAT
    session.answer("late", Want.MODEL)
    assert [model.text for model in session.own_models("late")] == [X_IS_3] * 3


def test_models_are_those_of_who_answers_sat_first_and_each_once() -> None:
    other = "((define-fun x () Int 4))"
    lab = MixedLab(
        a=on(POSITIVE, said("unsat"), said("sat", model=other)),
        b=always(said("sat", model=X_IS_3)),
        c=always(said("sat", model=X_IS_3)),
    )
    (session,) = open_sessions(POSITIVE, ("a", "b", "c"), lab)
    assert [(model.solver, model.text) for model in session.models()] == [("b", X_IS_3), ("a", other)]


def test_a_majority_may_rest_on_some_who_contradict_themselves() -> None:
    """One of those who answer sat refuses its own model; that does not make unsat doubtful."""
    lab = MixedLab(
        a=solver("sat", X_IS_3, with_model="unsat"), d=solver("sat"),
        b=solver("unsat"), c=solver("unsat"), e=solver("unsat"),
    )  # fmt: skip
    judgement = judged(STRANGE, lab)
    assert (judgement.suspects, kinds(judgement)[0]) == (("a", "d"), "majority")
    # Of those who answer sat it does.
    lab = MixedLab(a=solver("sat", X_IS_3, with_model="unsat"), d=solver("sat"), b=solver("unsat"))
    assert judged(STRANGE, lab).suspects == ()


def test_a_crash_stays_a_crash_if_its_solver_is_wrong_as_well() -> None:
    crash = Answer((), Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV"))

    def liar(script: str, want: Want) -> Answer:
        return crash if want is Want.MODEL else said("unsat")

    lab = MixedLab(right=always(said("sat", model=X_IS_3)), liar=liar)
    wrong = Defect.REFUTATION_UNSOUNDNESS
    found = {
        about: judge(POSITIVE, ("liar",), lab.solvers, lab, about=kind_named(about)).defect
        for about in (Defect.CRASH, wrong, Defect.INVALID_MODEL)
    }
    assert found == {Defect.CRASH: Defect.CRASH, wrong: wrong, Defect.INVALID_MODEL: wrong}


# -- time ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("solvers", "suspects"),
    [
        # What our evaluator shows, and a crash, no further answer could change.
        ({"a": solver("sat", X_IS_3, text=POSITIVE), "b": solver("unsat", text=POSITIVE)}, ("b",)),
        ({"a": about(POSITIVE, Answer((), Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV")))}, ("a",)),
    ],
)
def test_what_is_proven_is_said_when_time_is_up(
    solvers: dict[str, Says], suspects: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = MixedLab(None, **solvers)
    clock = iter(range(10**6))
    monkeypatch.setattr("time.monotonic", lambda: next(clock) / 10)
    judgement = judge(POSITIVE, (), lab.solvers, lab, seconds=2.0)
    assert judgement.suspects in (suspects, ())
    assert judge(POSITIVE, (), lab.solvers, lab, seconds=10**6).suspects == suspects


# -- judgements in words ---------------------------------------------------------------------------


def test_a_judgement_in_words() -> None:
    majority = Evidence("majority", "Two say so.")
    assert Judgement(Defect.CRASH, ("z3",), None, (majority,)).check == 0
    model = Evidence("model", "It is sat.")
    wrong = Judgement(Defect.REFUTATION_UNSOUNDNESS, ("a", "b"), SAT, (model, majority))
    assert str(wrong) == "refutation unsoundness: a, b; It is sat."
    assert not wrong.by_majority
    assert Judgement(Defect.REFUTATION_UNSOUNDNESS, ("a",), SAT, (majority,)).by_majority
    assert str(Judgement(Defect.UNDECIDED, (), None, ())) == "undecided"


def test_an_undecided_contradiction_names_both_sides() -> None:
    judgement = judged(STRANGE, MixedLab(a=solver("sat"), b=solver("unsat"), c=solver("unknown")))
    assert judgement.evidence[0].text.startswith("a: sat; b: unsat. falsum found no evidence")


# -- scripts that must agree -----------------------------------------------------------------------

ONE, OTHER = liars.POSITIVE, liars.AGREEING[liars.POSITIVE]


@pytest.mark.parametrize(
    ("one", "other", "refuted"),
    [
        (said("unsat"), said("sat", model=liars.GOOD_MODEL), ONE),
        (said("sat", model=liars.GOOD_MODEL), said("unsat"), OTHER),
        (said("unsat"), said("sat", model=liars.BAD_MODEL), None),
        (said("unsat"), said("sat"), None),
        (said("unsat"), said("unknown", model=liars.GOOD_MODEL), None),
        (said("unknown"), said("sat", model=liars.GOOD_MODEL), None),
        (said("unsat", "unsat"), said("sat", model=liars.GOOD_MODEL), None),
        (said("sat", model=liars.GOOD_MODEL), said("sat", model=liars.GOOD_MODEL), None),
    ],
)
def test_a_common_model_shows_which_of_two_is_wrong(one: Answer, other: Answer, refuted: str | None) -> None:
    lab = CountingLab(s=lambda script, _want: one if script == ONE else other)
    found = refuted_script(ONE, OTHER, ("s",), lab)
    assert (found.script if found else None) == refuted
    assert found is None or found.witness.strip() == "(define-fun x () Int 1)"
    assert all(request.cold for request in lab.requests)


@pytest.mark.parametrize("unread", ["(assert", "(declare-const x Int)", "(assert-more false)(check-sat)"])
def test_what_cannot_be_read_is_not_refuted(unread: str) -> None:
    lab = MixedLab(s=lambda script, _want: said("unsat") if script == unread else said("sat", model="()"))
    assert refuted_script(unread, OTHER, ("s",), lab) is None


def test_another_contradiction_than_that_of_the_suspects_is_not_theirs() -> None:
    lab = MixedLab(
        a=solver("sat", X_IS_3, text=POSITIVE), b=solver("unsat", text=POSITIVE), c=always(said("sat"))
    )
    for kind in (kind_named(Defect.INVALID_MODEL), kind_named(Defect.WRONG_CORE)):
        assert judge(POSITIVE, ("b",), lab.solvers, lab, about=kind).suspects == ("b",)
        assert judge(POSITIVE, ("c",), lab.solvers, lab, about=kind).suspects == ()
        assert judge(POSITIVE, (), lab.solvers, lab, about=kind).suspects == ("b",)


def test_where_nothing_is_wrong_the_answers_are_told() -> None:
    lab = MixedLab(s=always(said("unknown")), other=always(TIMED_OUT))
    judgement = judge(STRANGE, ("s",), lab.solvers, lab)
    assert judgement.defect == Defect.UNDECIDED
    assert judgement.evidence[0].text.endswith(
        "can be shown to be wrong: s answers unknown; other timed out."
    )
