"""Defects other than wrong verdicts: what shows each, and what is not enough."""

from __future__ import annotations

import pytest
from tests.defects.evidence.test_branches import solver
from tests.defects.evidence.test_judge import POSITIVE, STRANGE, X_IS_3, MixedLab, Says, about, always, said

from falsum.defects.evidence.judge import judge
from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.finding import Subject
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.request import Want

TWO = "(declare-const a Bool)(declare-const b Bool)(assert a)(assert (not a))(assert b)(check-sat)"
A_AND_B = "((define-fun a () Bool true) (define-fun b () Bool true))"
NEITHER = A_AND_B.replace("true", "false")
REJECTED = Answer((), Ending(EndingKind.REJECTED, Cause.UNSUPPORTED, "no"))
TIMED_OUT = Answer((), Ending(EndingKind.TIMED_OUT), seconds=10.0)


def judged(text: str, subject: Subject | None, suspect: str = "s", /, **solvers: Says) -> Judgement:
    lab = MixedLab(None, **solvers)
    return judge(text, (suspect,), lab.solvers, lab, about=subject)


# -- cores and assumptions -------------------------------------------------------------------------


def naming(core: str, on_core: Answer) -> Says:
    """Answers unsat to everything, names a core, and answers what is in the core."""

    def says(script: str, want: Want) -> Answer:
        if script.count("(assert") < 3:
            return on_core
        return said("unsat", core=core if want is Want.CORE else None)

    return says


@pytest.mark.parametrize(
    ("core", "own", "other", "evidence"),
    [
        ("(falsum!1 falsum!3)", said("sat", model=A_AND_B), said("unsat"), "model"),
        ("(falsum!1 falsum!3)", said("sat"), said("sat", model=A_AND_B), "model"),
        ("(falsum!1 falsum!3)", said("sat"), said("unknown"), "own verdict"),
        ("(falsum!1 falsum!3)", said("sat"), said("unsat"), ""),
        ("(falsum!1 falsum!3)", said("unknown"), said("sat"), ""),
        ("(falsum!1 falsum!3)", said("sat", model=NEITHER), said("unsat"), ""),
        ("(falsum!1 falsum!3)", said("unsat"), said("unsat", model=A_AND_B), ""),
        # All of the assertions, and none of them, are not judged.
        ("(falsum!1 falsum!2 falsum!3)", said("sat", model=A_AND_B), said("sat"), ""),
        ("()", said("sat", model=A_AND_B), said("sat"), ""),
    ],
)
def test_a_core_is_wrong_by_a_model_or_by_its_own_solver(
    core: str, own: Answer, other: Answer, evidence: str
) -> None:
    found = judged(TWO, Subject.CORE, s=naming(core, own), other=naming("()", other))
    if not evidence:
        assert (found.defect, found.suspects) == (Defect.UNDECIDED, ())
        return
    assert (found.defect, found.suspects) == (Defect.WRONG_CORE, ("s",))
    assert [each.kind for each in found.evidence] == [evidence]
    assert "(not a)" not in found.evidence[0].details
    assert ("answers sat itself" in found.evidence[0].text) is (evidence == "own verdict")
    another = judged(TWO, Subject.MODEL, s=naming(core, own), other=naming("()", other))
    assert (another.defect, another.suspects) == (Defect.UNDECIDED, ())


def test_a_model_of_the_core_that_holds_for_every_choice_counts_at_an_open_point() -> None:
    text = TWO.replace("(assert b)", "(assert (= (div 1 0) 7))")

    def says(script: str, want: Want) -> Answer:
        if "declare-const a" not in script:
            return said("unsat")  # to what it may choose
        return said("unknown") if script.count("(assert") < 3 else said("unsat", core="(falsum!1)")

    def other(script: str, _want: Want) -> Answer:
        return said("unsat") if script.count("(assert") == 3 else said("sat", model=A_AND_B)

    found = judged(text, Subject.CORE, s=says, other=other)
    assert (found.defect, found.suspects) == (Defect.WRONG_CORE, ("s",))


def test_a_core_of_who_does_not_answer_unsat_is_none() -> None:
    def says(script: str, _want: Want) -> Answer:
        return (
            said("sat", model=A_AND_B) if script.count("(assert") < 3 else said("unknown", core="(falsum!1)")
        )

    assert judged(TWO, Subject.CORE, s=says).defect is Defect.UNDECIDED
    assert judged("(frob)" + TWO, Subject.CORE, s=naming("(falsum!1)", said("sat"))).suspects == ()


@pytest.mark.parametrize(
    ("named", "is_wrong"),
    [
        ("(falsum!a1 falsum!a3)", True),
        ("(falsum!a1 falsum!a2 falsum!a3)", False),
        ("()", False),
        ("(falsum!a1 other)", False),
    ],
)
def test_assumptions_are_made_where_the_script_has_none(named: str, *, is_wrong: bool) -> None:
    """Each assertion is implied by a constant that is assumed."""

    def says(script: str, want: Want) -> Answer:
        if want is Want.ASSUMPTIONS:
            assert "(check-sat-assuming (falsum!a1 falsum!a2 falsum!a3))" in script
            return Answer((Verdict.UNSAT,), FINISHED, printed=(named,))
        return said("unsat") if script == TWO else said("sat" if "falsum!a" in script else "unknown")

    found = judged(TWO, Subject.ASSUMPTIONS, s=says)
    assert found.defect is (Defect.WRONG_ASSUMPTIONS if is_wrong else Defect.UNDECIDED)
    assert found.suspects == (("s",) if is_wrong else ())
    assert judged(TWO, Subject.MODEL, s=says).suspects == ()  # that would be another finding


# -- models ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "is_refused"),
    [("unsat", "unsat", True), ("unsat", "unknown", False), ("unsat", "sat", False), ("sat", "sat", False)],
)
def test_two_products_refuse_a_model_that_falsum_cannot_evaluate(
    first: str, second: str, *, is_refused: bool
) -> None:
    others = {
        "b": solver("unknown", with_model=first),
        "c": solver("unknown", with_model=second),
    }
    found = judged(STRANGE, Subject.MODEL, "s", s=solver("sat", X_IS_3), **others)
    assert found.defect is (Defect.INVALID_MODEL if is_refused else Defect.UNDECIDED)
    assert found.suspects == (("s",) if is_refused else ())
    if is_refused:
        assert [each.kind for each in found.evidence] == ["relayed model"]
        assert "b, c answer unsat, and no solver answers sat" in found.evidence[0].text


def test_a_model_is_not_refused_at_an_open_point() -> None:
    """Those who refuse it choose otherwise."""
    text = STRANGE.replace("(assert (< x 9))", "(assert (< (div x 0) 9))")

    def refuses(script: str, _want: Want) -> Answer:
        return said("unsat" if "(define-fun x" in script or "div" in script else "unknown")

    found = judged(text, Subject.MODEL, s=solver("sat", X_IS_3, text=text), b=refuses, c=refuses)
    assert found.suspects == ()


ESCAPED = r'(declare-const t String)(assert (= (str.len t) 1))(assert (= t t "\x41"))(check-sat)'


def test_a_model_of_who_reads_strings_in_an_old_way_is_right() -> None:
    model = '((define-fun t () String "A"))'

    def old(script: str, _want: Want) -> Answer:
        return said("sat", model=model) if "declare-const t" in script else said("unsat")

    def new(script: str, _want: Want) -> Answer:
        return said("sat", model=model)

    assert judged(ESCAPED, Subject.MODEL, s=old).suspects == ()
    assert judged(ESCAPED, Subject.MODEL, s=new).suspects == ("s",)


def test_models_of_others_are_another_finding() -> None:
    wrong = about(POSITIVE, said("sat", model="((define-fun x () Int 12))"))
    right = about(POSITIVE, said("sat", model=X_IS_3))
    assert judged(POSITIVE, Subject.MODEL, s=right, other=wrong).suspects == ()
    assert judged(POSITIVE, None, "other", s=right, other=wrong).suspects == ("other",)


# -- who decides less, or later, than before -------------------------------------------------------


def took(seconds: float, *words: str) -> Says:
    ending = FINISHED if words else Ending(EndingKind.TIMED_OUT)
    return always(Answer(tuple(map(Verdict, words)), ending, seconds=seconds))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (took(0.02, "sat"), took(10.0), "z3@4 takes 0.02 s; z3 times out after 10.00 s."),
        (took(0.02, "sat"), took(1.01, "sat"), "z3@4 takes 0.02 s; z3 takes 1.01 s."),
        (took(0.02, "sat"), took(1.0, "sat"), ""),
        (took(2.0, "sat"), took(20.1, "sat"), "z3@4 takes 2.00 s; z3 takes 20.10 s."),
        (took(2.0, "sat"), took(20.0), ""),
        (took(0.02, "unknown"), took(10.0), ""),
        (took(0.02), took(10.0), ""),
        (took(0.02, "sat"), always(Answer((), REJECTED.ending, seconds=10.0)), ""),
        (took(0.02, "sat"), took(0.02, "unknown"), "z3@4 decides the script (answers sat); z3 answers unk"),
        (took(0.02, "sat"), took(0.02), ""),
    ],
)
def test_a_newer_release_that_is_worse(old: Says, new: Says, words: str) -> None:
    found = judged(STRANGE, Subject.TIME, "z3", z3_4=old, z3=new)
    assert found.suspects == (("z3",) if words else ())
    if words:
        assert found.defect is (Defect.INCOMPLETENESS if "unk" in words else Defect.SLOW)
        assert found.evidence[0].text.startswith(words)
        assert found.evidence[0].kind == "older release"
    # The older one is not blamed for what the newer one does.
    assert judged(STRANGE, Subject.TIME, "z3@4", z3_4=old, z3=new).suspects == ()


@pytest.mark.parametrize(
    ("own", "other", "is_incomplete"),
    [
        (said("sat", "unknown"), said("sat", "unsat"), True),
        (said("sat", "unknown"), said("sat", "unknown"), False),
        (said("sat", "unknown"), said("sat"), False),
        (said("sat", "unsat"), said("sat", "unsat"), False),
        (said("sat"), said("sat", "unsat"), False),
        (TIMED_OUT, said("sat", "unsat"), False),
        (Answer((Verdict.SAT, Verdict.UNKNOWN), TIMED_OUT.ending), said("sat", "unsat"), False),
    ],
)
def test_who_gives_up_where_another_decides(own: Answer, other: Answer, *, is_incomplete: bool) -> None:
    text = "(declare-const x Int)(assert (> x 0))(check-sat)(assert (< x 0))(check-sat)"
    found = judged(text, Subject.COMPLETENESS, s=about(text, own), other=about(text, other))
    assert found.suspects == (("s",) if is_incomplete else ())
    if is_incomplete:
        assert (found.defect, found.check) == (Defect.INCOMPLETENESS, 1)
        assert found.evidence[0].text == "other answers unsat; s gives up and answers unknown."


# -- crashes, leaks, and nothing -------------------------------------------------------------------

CRASH = Answer((), Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV"))


def test_a_crash_of_another_solver_is_another_finding() -> None:
    lab = {"s": always(said("unknown")), "other": always(CRASH)}
    assert judged(POSITIVE, Subject.CRASH, "s", **lab).suspects == ()
    assert judged(POSITIVE, Subject.CRASH, "other", **lab).suspects == ("other",)


def test_a_leak_says_what_a_fresh_process_answers() -> None:
    for answer, words in (
        (said("sat", "unknown"), "s answers sat unknown."),
        (TIMED_OUT, "s timed out."),
        (said(), "s finished."),
    ):
        found = judged(POSITIVE, Subject.STATE, s=always(answer))
        assert (found.defect, found.suspects) == (Defect.STATE_LEAK, ("s",))
        assert f"In a fresh process {words}" in found.evidence[0].text


def test_where_nothing_is_wrong_the_answers_are_told() -> None:
    found = judged(STRANGE, None, s=always(said("unknown")), other=always(TIMED_OUT))
    assert found.defect is Defect.UNDECIDED
    assert found.evidence[0].text.endswith("can be shown to be wrong: s answers unknown; other timed out.")
