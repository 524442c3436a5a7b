"""Who contradicts an answer: a verified model first, then the suspect itself, then others."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.defects import liars

from falsum.defects.contradiction import contradiction, last_verdict
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Ending
from falsum.solvers.fake_lab import Reply

GOOD, BAD = liars.sat(liars.GOOD_MODEL), liars.sat(liars.BAD_MODEL)


@pytest.mark.parametrize(
    ("suspect", "other", "suspects", "words"),
    [
        ("unsat", "unsat", None, ""),
        ("unknown", liars.TIMED_OUT, None, ""),
        (GOOD, "unsat", ("a",), "under its own model all of it evaluates to true"),
        ("unsat", GOOD, ("a",), "under a model of b all of it evaluates to true"),
        # A model that does not satisfy the script shows nothing, but sat is sat.
        (BAD, "unsat", ("a",), "a itself answers sat to it"),
        (BAD, GOOD, ("a",), "under a model of b all of it evaluates to true"),
        ("unsat", BAD, ("a", "b"), "b answers sat to it"),
        ("unsat", liars.sat(), ("a", "b"), "b answers sat to it"),
    ],
)
def test_who_contradicts(suspect: Reply, other: Reply, suspects: tuple[str, ...] | None, words: str) -> None:
    lab = liars.lab_of(a=liars.says(suspect), b=liars.says(other))
    found = contradiction(liars.POSITIVE, "a", liars.case_of(), lab)
    assert (found.suspects if found else None) == suspects
    assert str(found or "") == words


def test_an_open_point_that_solvers_choose_differently_shows_nothing() -> None:
    """The one leaves division by zero open, the other says it is zero: both may be right."""
    text = "(declare-const x Int)(assert (= (div x 0) 1))(check-sat)"
    model = "((define-fun x () Int 3))"

    def leaves_open(_script: str) -> Reply:
        return liars.sat(model)

    def zero(_script: str) -> Answer | str:
        return "unsat"

    lab = liars.lab_of(a=zero, b=leaves_open)
    assert contradiction(text, "a", liars.case_of(text), lab) is None


@pytest.mark.parametrize(
    ("verdicts", "ending", "last"),
    [
        ("sat unsat", FINISHED, Verdict.UNSAT),
        ("sat", FINISHED, None),
        # Stopped after its first answer: that is not the answer to the last check.
        ("sat", liars.TIMED_OUT.ending, None),
        ("sat unsat", liars.TIMED_OUT.ending, None),
    ],
)
def test_an_answer_that_ends_early_has_no_last_verdict(
    verdicts: str, ending: Ending, last: Verdict | None
) -> None:
    text = "(declare-const x Int)(assert (> x 0))(check-sat)(assert (< x 0))(check-sat)"
    answer = Answer(tuple(map(Verdict, verdicts.split())), ending)
    assert last_verdict("a", liars.case_of(text), liars.lab_of(a=liars.says(answer))) is last


def test_a_script_that_cannot_be_read_has_no_last_verdict() -> None:
    assert last_verdict("a", liars.case_of("(assert"), liars.lab_of(a=liars.says("sat"))) is None


def test_who_reads_strings_in_an_old_way_contradicts_nobody() -> None:
    text = r'(declare-const s String)(assert (= (str.len "\x41") 1))(check-sat)'

    def replies(on_probes: str) -> Callable[[str], Reply]:
        return lambda script: liars.sat() if script == text else on_probes

    case = liars.case_of(text)
    old = liars.lab_of(a=liars.says("unsat"), b=replies("unsat"))
    assert contradiction(text, "a", case, old) is None
    standard = liars.lab_of(a=lambda script: "unsat" if script == text else "sat", b=replies("sat"))
    assert contradiction(text, "a", case, standard) is not None


@pytest.mark.parametrize("ending", [liars.TIMED_OUT.ending, liars.CRASH])
def test_an_answer_that_is_not_complete_contradicts_nobody(ending: Ending) -> None:
    cut = Answer((Verdict.SAT,), ending, model=liars.GOOD_MODEL)
    lab = liars.lab_of(a=liars.says("unsat"), b=liars.says(cut))
    assert contradiction(liars.POSITIVE, "a", liars.case_of(), lab) is None


def test_a_model_that_holds_for_every_choice_counts_at_an_open_point() -> None:
    text = "(declare-const x Int)(assert (or (= x 3) (= (div x 0) 1)))(check-sat)"
    lab = liars.lab_of(a=liars.says("unsat"), b=liars.says(liars.sat("((define-fun x () Int 3))")))
    found = contradiction(text, "a", liars.case_of(text), lab)
    assert found is not None
    assert found.is_verified
    # Its own choice holds against a solver.
    chosen = "((define-fun x () Int 4) (define-fun div0 ((x Int)) Int 1))"
    own = liars.lab_of(a=liars.says(liars.sat(chosen)))
    found = contradiction(text, "a", liars.case_of(text), own)
    assert found is not None
    assert found.is_verified
