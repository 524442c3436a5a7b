"""How long a batch stays with its seeds."""

from __future__ import annotations

import pytest

from falsum.campaign.search.time_rules import BatchBudget, Visit
from falsum.solvers.answer import FINISHED, Answer, Ending, EndingKind
from falsum.store.records import MeasureRecord
from falsum.strategies.mutant import PARAMETERS, Mutant

BUDGET = BatchBudget(20, cpu=1.0, enough=8)


def visit(preparation: float) -> Visit:
    """A visit whose first mutant was made after so many seconds."""
    made = Visit(BUDGET, 10.0, by_time=True)
    assert not made.is_used_up(10.0 + preparation)
    return made


def test_it_ends_after_enough_mutants() -> None:
    short = visit(0.1)
    assert [short.is_enough(mutants, 10.5) for mutants in (7, 8)] == [False, True]


def test_it_goes_on_until_the_mutants_have_taken_as_long_as_the_preparation() -> None:
    long = visit(3.0)
    assert [long.is_enough(8, cpu) for cpu in (15.9, 16.0)] == [False, True]
    assert [long.is_enough(mutants, 14.0) for mutants in (19, 20)] == [False, True]
    assert [long.is_used_up(cpu) for cpu in (15.9, 16.0)] == [False, True]


def test_its_cpu_time_begins_with_the_first_mutant() -> None:
    short = visit(0.1)
    assert [short.is_used_up(cpu) for cpu in (11.0, 11.1)] == [False, True]


def test_without_enough_the_count_decides() -> None:
    whole = Visit(BatchBudget(20), 10.0, by_time=True)
    assert not whole.is_used_up(10.0)
    assert [whole.is_enough(mutants, 10.5) for mutants in (19, 20)] == [False, True]


LATE = Answer((), Ending(EndingKind.TIMED_OUT))


@pytest.mark.parametrize(
    ("answer", "on_the_seed", "by_time", "too_hard"),
    [
        (LATE, "finished", True, True),
        (Answer((), FINISHED), "finished", True, False),
        # It says nothing about a mutant if a solver cannot even do the seed.
        (LATE, "timed out", True, False),
        (LATE, "finished", False, False),
    ],
)
def test_nothing_is_made_from_a_mutant_that_is_too_hard(
    answer: Answer, on_the_seed: str, *, by_time: bool, too_hard: bool
) -> None:
    made = Visit(BUDGET, 10.0, by_time=by_time)
    measures = {"s": MeasureRecord("s", 0.1, (), on_the_seed)}
    made.look_at(Mutant("", lineage=("a", "b")), {"s": answer, "variant": LATE}, measures)
    assert made.is_too_hard(Mutant("", lineage=("a", "b", "c"))) is too_hard
    for other in (("a",), ("a", "b"), ("a", "c", "b")):
        assert not made.is_too_hard(Mutant("", lineage=other))


def test_parameters_at_the_end_of_a_lineage_are_no_edits() -> None:
    made = Visit(BUDGET, 10.0, by_time=True)
    measures = {"s": MeasureRecord("s", 0.1, (), "finished")}
    told = f"{PARAMETERS}typefuzz:chain=5"
    made.look_at(Mutant("", lineage=("a", told)), {"s": LATE}, measures)
    assert made.is_too_hard(Mutant("", lineage=("a", "b", told)))
    assert not made.is_too_hard(Mutant("", lineage=("a", told)))
    assert not made.is_too_hard(Mutant("", lineage=("b", told)))
