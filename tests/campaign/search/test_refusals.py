"""Solvers that reject a logic are not asked again and again."""

from __future__ import annotations

import msgspec
import pytest
from tests.campaign.places import HONEST, batch_of, liar, state_of

from falsum.campaign.fuzz.runner import run
from falsum.campaign.search.refusals import Refusals, logic_in
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.store.records import MeasureRecord

BITS, INTS = "(set-logic QF_BV)(check-sat)", "(set-logic QF_LIA)(check-sat)"
REJECTED = Answer((), Ending(EndingKind.REJECTED, Cause.UNSUPPORTED, "no integers"))
SAT = Answer((Verdict.SAT,), FINISHED)


def test_a_logic_that_is_always_rejected_is_tried_now_and_then() -> None:
    refusals = Refusals()
    for _ in range(8):
        assert not refusals.expects_rejection("z3", INTS)
        refusals.learn("z3", INTS, REJECTED)
    expected = [refusals.expects_rejection("z3", INTS) for _ in range(64)]
    assert expected.count(False) == 2
    assert not refusals.expects_rejection("z3", BITS)
    assert not refusals.expects_rejection("cvc5", INTS)
    refusals.learn("z3", INTS, SAT)
    assert not refusals.expects_rejection("z3", INTS)


def test_only_solvers_with_tactics_are_asked_to_use_one() -> None:
    refusals = Refusals()
    with_tactic = "(set-logic QF_LIA)(check-sat-using horn)"
    assert refusals.expects_rejection("cvc5", with_tactic)
    assert not refusals.expects_rejection("z3", with_tactic)
    assert not refusals.expects_rejection("z3@4.8.12", with_tactic)
    assert not refusals.expects_rejection("cvc5", INTS)


@pytest.mark.parametrize("answer", [SAT, Answer((), Ending(EndingKind.TIMED_OUT))])
def test_anything_else_ends_the_row(answer: Answer) -> None:
    refusals = Refusals()
    for _ in range(7):
        refusals.learn("z3", INTS, REJECTED)
    refusals.learn("z3", INTS, answer)
    refusals.learn("z3", INTS, REJECTED)
    assert not refusals.expects_rejection("z3", INTS)


def test_the_logic_of_a_script() -> None:
    assert (logic_in(BITS), logic_in("(check-sat)")) == ("QF_BV", "")


def test_in_a_batch() -> None:
    """The others are asked about every mutant."""
    refusing = liar("error", "x")
    batch = batch_of(refusing, HONEST, count=14)
    with state_of(*batch.plan.solvers) as state:
        names = batch.plan.solvers
        measures = tuple(MeasureRecord(state.identity(name), 0.1, ("sat",), "finished") for name in names)
        known = msgspec.structs.replace(batch.seeds[0], measures=measures, is_profiled=True)
        outcome = run(msgspec.structs.replace(batch, seeds=(known,)), state)
    said = outcome.record.tally["said"]
    assert sum(said[refusing].values()) == 8
    assert sum(said[HONEST].values()) == 14
