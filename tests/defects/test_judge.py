"""The judge: whom it names, by what evidence, and whom it never blames."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.labs import live_lab

from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.judge import judge
from falsum.defects.table import kind_named
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Claim

Says = Callable[[str, Want], Answer]

POSITIVE = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 0))(assert (< x 9))(check-sat)"
IMPOSSIBLE = (
    "(set-logic QF_LIA)(declare-const x Int)(assert (> x 5))(assert (< x 9))(assert (< x 0))(check-sat)"
)
# That z² = y³ + 7 has no solution (Mordell's equation) no evaluation shows, so only solvers can tell.
STRANGE = (
    "(set-logic ALL)(declare-const x Int)(assert (forall ((y Int) (z Int)) "
    "(distinct (* z z) (+ (* y y y) x 4))))(assert (< x 9))(check-sat)"
)
X_IS_3 = "((define-fun x () Int 3))"


class MixedLab:
    """Real solvers, and made-up ones beside them."""

    def __init__(self, live: LiveLab | None = None, **fakes: Says) -> None:
        self.live = live
        self.fakes = {name.replace("_", "@", 1): says for name, says in fakes.items()}

    @property
    def solvers(self) -> tuple[str, ...]:
        return (*(self.live.solvers if self.live else ()), *self.fakes)

    def ask(self, request: Request) -> Answer:
        if request.solver in self.fakes:
            return self.fakes[request.solver](request.script, request.want)
        assert self.live is not None
        return self.live.ask(request)


def said(*words: str, model: str | None = None, core: str | None = None) -> Answer:
    return Answer(tuple(map(Verdict, words)), FINISHED, model, core, stdout="\n".join(words))


def always(answer: Answer) -> Says:
    return lambda _script, _want: answer


def about(text: str, answer: Answer) -> Says:
    """Has a found on one script only."""
    return lambda script, _want: answer if script == text else said("unknown")


@pytest.fixture(scope="module")
def live() -> Iterator[LiveLab]:
    with live_lab("z3", "cvc5", seconds=20) as lab:
        yield lab


def judged(text: str, lab: MixedLab, **more: object) -> Judgement:
    return judge(text, (), lab.solvers, lab, **more)  # type: ignore[arg-type]


def kinds(judgement: Judgement) -> list[str]:
    return [each.kind for each in judgement.evidence]


def test_a_verified_model_proves_sat(live: LiveLab) -> None:
    judgement = judged(POSITIVE, MixedLab(live, liar=always(said("unsat"))))
    assert (judgement.defect, judgement.suspects, judgement.truth) == (
        Defect.REFUTATION_UNSOUNDNESS, ("liar",), Verdict.SAT,
    )  # fmt: skip
    assert kinds(judgement) == ["model"]
    assert "every assertion evaluates to true" in judgement.evidence[0].text
    assert "(define-fun x () Int" in judgement.evidence[0].details


def test_one_right_solver_is_enough_against_many() -> None:
    right = about(POSITIVE, said("sat", model=X_IS_3))
    lab = MixedLab(right=right, a=about(POSITIVE, said("unsat")), b=about(POSITIVE, said("unsat")))
    assert judged(POSITIVE, lab).suspects == ("a", "b")


def test_who_says_sat_with_a_wrong_model_is_wrong(live: LiveLab) -> None:
    judgement = judged(IMPOSSIBLE, MixedLab(live, liar=always(said("sat", model=X_IS_3))))
    assert (judgement.defect, judgement.suspects, judgement.truth) == (
        Defect.SOLUTION_UNSOUNDNESS, ("liar",), Verdict.UNSAT,
    )  # fmt: skip
    assert kinds(judgement)[:2] == ["own model", "core"]
    assert "(< x 0)" in judgement.evidence[1].details
    assert "(< x 9)" not in judgement.evidence[1].details


def test_a_core_that_two_products_confirm_needs_no_model(live: LiveLab) -> None:
    judgement = judged(IMPOSSIBLE, MixedLab(live, liar=always(said("sat"))))
    assert judgement.suspects == ("liar",)
    assert kinds(judgement)[0] == "core"
    assert not judgement.by_majority


def test_releases_of_one_family_count_once() -> None:
    lab = MixedLab(
        cvc4=about(STRANGE, said("unsat")), cvc5=about(STRANGE, said("unsat")), z3=about(STRANGE, said("sat"))
    )
    judgement = judged(STRANGE, lab)
    assert (judgement.defect, judgement.suspects, judgement.truth) == (Defect.UNDECIDED, (), None)


def test_a_majority_is_called_that() -> None:
    lab = MixedLab(
        a=about(STRANGE, said("sat")), b=about(STRANGE, said("sat")), c=about(STRANGE, said("unsat"))
    )
    judgement = judged(STRANGE, lab)
    assert judgement.suspects == ("c",)
    assert judgement.by_majority
    assert "This is a majority, not a proof." in judgement.evidence[0].text


def test_old_releases_do_not_outvote_the_newest() -> None:
    old = about(STRANGE, said("sat"))
    right = about(STRANGE, said("unsat"))
    assert judged(STRANGE, MixedLab(z3_4=old, z3_5=old, z3=right)).suspects == ()
    assert judged(STRANGE, MixedLab(z3_4=old, z3_5=right, z3=right)).suspects == ("z3@4",)
    # Both products fixed it: their old releases are two products, but no majority.
    lab = MixedLab(z3_4=old, z3=right, cvc4=old, cvc5_1=right)
    assert judged(STRANGE, lab).truth is not Verdict.SAT


def test_all_assignments_of_small_sorts_are_tried() -> None:
    text = "(declare-const b (_ BitVec 3))(assert (= (bvmul b b) #b011))(check-sat)"
    judgement = judged(text, MixedLab(right=about(text, said("unsat")), liar=about(text, said("sat"))))
    assert judgement.suspects == ("liar",)
    assert "8 assignments" in judgement.evidence[0].text


# -- relayed models --------------------------------------------------------------------------------


def with_definition(original: str, to_definition: str) -> Says:
    """Says one thing to the script and another to the same with x defined."""
    return lambda script, _want: said(to_definition if "define-fun x" in script else original)


def test_a_model_is_relayed_where_the_evaluator_cannot_say() -> None:
    giver = about(STRANGE, said("sat", model=X_IS_3))
    lab = MixedLab(
        giver=giver, other=with_definition("unknown", "sat"), liar=with_definition("unsat", "unsat")
    )
    judgement = judged(STRANGE, lab)
    assert (judgement.defect, judgement.suspects) == (Defect.REFUTATION_UNSOUNDNESS, ("liar",))
    assert kinds(judgement) == ["relayed model"]
    assert "(declare-const x" not in judgement.evidence[0].details


def test_who_accepts_the_model_contradicts_its_own_unsat() -> None:
    giver = about(STRANGE, said("sat", model=X_IS_3))
    judgement = judged(STRANGE, MixedLab(giver=giver, liar=with_definition("unsat", "sat")))
    assert judgement.suspects == ("liar",)
    assert "contradicts" in judgement.evidence[0].text


def test_who_refutes_its_own_model_cannot_stand_against_the_newest_release() -> None:
    def old(script: str, _want: Want) -> Answer:
        return said("unsat") if "define-fun x" in script else said("sat", model=X_IS_3)

    judgement = judged(STRANGE, MixedLab(z3_4=old, z3=always(said("unsat"))))
    assert (judgement.defect, judgement.suspects) == (Defect.SOLUTION_UNSOUNDNESS, ("z3@4",))
    assert "with that model substituted as definitions it answers unsat" in judgement.evidence[0].text
    # The newest alone is the odd one: nothing is decided.
    assert judged(STRANGE, MixedLab(z3=old, z3_4=always(said("unsat")))).suspects == ()


def test_a_relayed_model_that_somebody_neutral_refuses_proves_nothing() -> None:
    giver = about(STRANGE, said("sat", model=X_IS_3))
    lab = MixedLab(
        giver=giver,
        one=with_definition("unknown", "sat"),
        other=with_definition("unknown", "unsat"),
        c=with_definition("unsat", "unsat"),
    )
    assert judged(STRANGE, lab).defect == Defect.UNDECIDED


def test_our_evaluator_alone_against_two_products_blames_nobody() -> None:
    """Should the evaluator take a right model for a wrong one, solvers that accept it count as well."""
    lab = MixedLab(
        a=always(said("sat", model=X_IS_3)), b=always(said("sat", model=X_IS_3)), c=always(said("unsat"))
    )
    assert judged(IMPOSSIBLE, lab).suspects == ()


# -- what is never blamed --------------------------------------------------------------------------

DIVISION = "(declare-const x Real)(assert (= (/ x 0.0) 7.0))(check-sat)"


def fixed_division(script: str, _want: Want) -> Answer:
    """Takes division by zero for zero, and is free to."""
    return said("unsat" if "7.0" in script else "sat")


def free_division(script: str, _want: Want) -> Answer:
    model = "((define-fun x () Real 1.0) (define-fun /0 ((y Real)) Real 7.0))"
    return said("sat", model=model) if "(declare-const x Real)" in script else said("unknown")


def test_a_point_left_open_is_recognised() -> None:
    judgement = judged(DIVISION, MixedLab(fixed=fixed_division, free=free_division))
    assert (judgement.defect, judgement.suspects) == (Defect.UNDECIDED, ())
    assert kinds(judgement)[0] == "open point"


def test_who_is_wrong_whatever_is_chosen_is_blamed_at_an_open_point_as_well() -> None:
    text = "(declare-const x Real)(assert (or (= x 1.0) (= (/ x 0.0) 7.0)))(check-sat)"
    right = free_division
    assert judged(text, MixedLab(fixed=fixed_division, free=right)).suspects == ("fixed",)


def test_old_escapes_are_a_way_of_reading() -> None:
    text = r'(declare-const s String)(assert (= (str.len "\x41") (+ 3 (str.len s))))(check-sat)'
    old = always(said("unsat"))
    new = always(said("sat", model='((define-fun s () String "a"))'))
    assert judged(text, MixedLab(old=old, new=new)).suspects == ()


def test_nothing_is_said_about_a_script_we_cannot_read() -> None:
    text = "(frobnicate)(check-sat)"
    lab = MixedLab(a=always(said("sat", model="()")), b=always(said("unsat")))
    assert judged(text, lab).defect == Defect.UNDECIDED


# -- checks, claims --------------------------------------------------------------------------------


def test_the_check_in_question_is_found() -> None:
    text = "(declare-const x Int)(assert (> x 0))(check-sat)(assert (< x 9))(check-sat)"
    right = always(said("sat", "sat", model=X_IS_3))
    judgement = judged(text, MixedLab(right=right, liar=about(text, said("sat", "unsat"))))
    assert (judgement.suspects, judgement.check, judgement.truth) == (("liar",), 1, Verdict.SAT)


def test_options_of_the_script_do_not_silence_the_others() -> None:
    text = f"(set-option :only-mine true){POSITIVE}"
    refused = Answer((), Ending(EndingKind.REJECTED, Cause.UNSUPPORTED, "only-mine"))

    def strict(script: str, _want: Want) -> Answer:
        return refused if "only-mine" in script else said("sat", model=X_IS_3)

    assert judged(text, MixedLab(strict=strict, liar=about(text, said("unsat")))).suspects == ("liar",)


def test_a_witness_is_evidence() -> None:
    lab = MixedLab(liar=about(POSITIVE, said("unsat")))
    judgement = judged(POSITIVE, lab, claim=Claim((Verdict.SAT,), X_IS_3))
    assert (judgement.suspects, kinds(judgement)) == (("liar",), ["witness"])


def test_a_promise_without_a_witness_is_called_construction() -> None:
    lab = MixedLab(liar=about(STRANGE, said("sat")))
    judgement = judged(STRANGE, lab, claim=Claim((Verdict.UNSAT,)))
    assert (judgement.suspects, kinds(judgement)) == (("liar",), ["construction"])


def test_when_time_is_up_only_what_is_proven_is_said() -> None:
    slow_solvers: dict[str, Any] = {
        name: about(STRANGE, said(judgement))
        for name, judgement in (("a", "sat"), ("b", "sat"), ("c", "unsat"))
    }

    def late(script: str, _want: Want) -> Answer:
        time.sleep(0.3)
        return said("unknown")

    judgement = judge(STRANGE, (), ("a", "b", "c", "d"), MixedLab(**slow_solvers, d=late), seconds=0.2)
    assert (judgement.defect, judgement.suspects) == (Defect.UNDECIDED, ())
    assert judged(STRANGE, MixedLab(**slow_solvers, d=late)).suspects == ("c",)


# -- other defects --------------------------------------------------------------------------------


WRONG_MODEL = said("sat", model="((define-fun x () Int 12))")


def test_a_wrong_model_without_a_contradiction() -> None:
    judgement = judged(POSITIVE, MixedLab(liar=about(POSITIVE, WRONG_MODEL)))
    assert (judgement.defect, judgement.suspects) == (Defect.INVALID_MODEL, ("liar",))
    assert "(< x 9)" in judgement.evidence[0].text


def test_a_crash_is_told_with_its_cause() -> None:
    crash = Answer((), Ending(EndingKind.CRASHED, Cause.ASSERTION, "n > 0 failed"))
    judgement = judged(
        POSITIVE, MixedLab(a=about(POSITIVE, crash), b=about(POSITIVE, said("sat", model=X_IS_3)))
    )
    assert (judgement.defect, judgement.suspects) == (Defect.CRASH, ("a",))
    assert "n > 0 failed" in judgement.evidence[0].text


def test_another_contradiction_is_another_finding() -> None:
    crash = Answer((), Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV"))
    lab = MixedLab(
        a=about(POSITIVE, crash),
        b=about(POSITIVE, said("sat", model=X_IS_3)),
        c=about(POSITIVE, said("unsat")),
    )
    assert judge(POSITIVE, ("a",), lab.solvers, lab, about=kind_named(Defect.CRASH)).defect == Defect.CRASH
    assert judge(POSITIVE, ("a",), lab.solvers, lab, about=kind_named(Defect.INVALID_MODEL)).suspects == (
        "a",
    )
    assert (
        judge(POSITIVE, ("c",), lab.solvers, lab, about=kind_named(Defect.INVALID_MODEL)).defect
        == Defect.REFUTATION_UNSOUNDNESS
    )
    assert judge(POSITIVE, ("b",), lab.solvers, lab, about=kind_named(Defect.INVALID_MODEL)).suspects == ()


def test_a_wrong_core_has_a_model(live: LiveLab) -> None:
    liar = about(IMPOSSIBLE, said("unsat", core="(falsum!1 falsum!2)"))
    judgement = judged(IMPOSSIBLE, MixedLab(live, liar=liar), about=kind_named(Defect.WRONG_CORE))
    assert (judgement.defect, judgement.suspects) == (Defect.WRONG_CORE, ("liar",))
    right = judged(IMPOSSIBLE, MixedLab(live), about=kind_named(Defect.WRONG_CORE))
    assert right.defect == Defect.UNDECIDED


def test_wrong_assumptions_have_a_model(live: LiveLab) -> None:
    text = (
        "(declare-const a Bool)(declare-const b Bool)(assert (or a b))"
        "(check-sat-assuming ((not a) (not b)))(get-unsat-assumptions)"
    )
    answer = Answer((Verdict.UNSAT,), FINISHED, printed=("((not a))",))
    judgement = judged(
        text, MixedLab(live, liar=about(text, answer)), about=kind_named(Defect.WRONG_ASSUMPTIONS)
    )
    assert (judgement.defect, judgement.suspects) == (Defect.WRONG_ASSUMPTIONS, ("liar",))
    honest = Answer((Verdict.UNSAT,), FINISHED, printed=("((not b) (not a))",))
    assert (
        judged(
            text, MixedLab(live, honest=about(text, honest)), about=kind_named(Defect.WRONG_ASSUMPTIONS)
        ).defect
        == Defect.UNDECIDED
    )


def test_a_leak_stays_a_leak() -> None:
    lab = MixedLab(a=about(POSITIVE, said("sat", model=X_IS_3)))
    judgement = judge(POSITIVE, ("a",), lab.solvers, lab, about=kind_named(Defect.STATE_LEAK))
    assert (judgement.defect, judgement.suspects) == (Defect.STATE_LEAK, ("a",))


def test_a_newer_release_that_knows_less() -> None:
    lab = MixedLab(z3_4=about(STRANGE, said("sat")), z3_5=about(STRANGE, said("unknown")))
    judgement = judged(STRANGE, lab)
    assert (judgement.defect, judgement.suspects) == (Defect.INCOMPLETENESS, ("z3@5",))
    assert (
        judged(STRANGE, MixedLab(z3_5=about(STRANGE, said("sat")), z3_4=always(said("unknown")))).suspects
        == ()
    )


def test_a_newer_release_that_takes_much_longer() -> None:
    slow = Answer((), Ending(EndingKind.TIMED_OUT), seconds=11.0, cpu=10.0)
    quick = Answer((Verdict.SAT,), FINISHED, seconds=0.03, cpu=0.02)
    judgement = judged(STRANGE, MixedLab(z3_4=about(STRANGE, quick), z3=about(STRANGE, slow)))
    assert (judgement.defect, judgement.suspects) == (Defect.SLOW, ("z3",))


def test_where_nothing_is_wrong_nobody_is_suspected(live: LiveLab) -> None:
    judgement = judged(POSITIVE, MixedLab(live))
    assert (judgement.defect, judgement.suspects) == (Defect.UNDECIDED, ())


def test_an_invalid_model_of_what_has_none_is_said_to_be_so() -> None:
    script = "(declare-const x Bool)(assert (and x (not x)))(check-sat)"
    judgement = judged(
        script, MixedLab(liar=about(script, said("sat", model="((define-fun x () Bool true))")))
    )
    assert (judgement.defect, judgement.suspects) == (Defect.SOLUTION_UNSOUNDNESS, ("liar",))
    assert judgement.truth is Verdict.UNSAT
    assert "so the script is unsat" in judgement.evidence[0].text
    assert [each.kind for each in judgement.evidence] == ["evaluation", "own model"]
    assert len(judged(POSITIVE, MixedLab(liar=about(POSITIVE, WRONG_MODEL))).evidence) == 1
