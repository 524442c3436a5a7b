"""Seed profiles: whether a seed is usable, and how fast each solver decides it; kept in the store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from falsum.campaign.search.time_rules import SLOW_SECONDS
from falsum.solvers.answer import Answer, EndingKind
from falsum.store.records import MeasureRecord

_DECIDED: Final = frozenset({"sat", "unsat"})
_MANY_SEEDS: Final = 10
# How the reason begins why a seed is left out whose batches did not come back.
COSTLY: Final = "cost a worker twice"


def measure_of(solver: str, answer: Answer) -> MeasureRecord:
    return MeasureRecord(solver, answer.seconds, answer.words, str(answer.ending.kind))


def slowest(measures: Iterable[Mapping[str, MeasureRecord]]) -> dict[str, MeasureRecord]:
    """For each solver the seed that took it longest."""
    slowest_by_digest: dict[str, MeasureRecord] = {}
    for some in measures:
        for solver, measure in some.items():
            if solver not in slowest_by_digest or measure.seconds > slowest_by_digest[solver].seconds:
                slowest_by_digest[solver] = measure
    return slowest_by_digest


def accepting(measures: Mapping[str, MeasureRecord], solvers: Iterable[str]) -> tuple[str, ...]:
    """The solvers that accept the seed, as far as is known; a crash on it is already a finding."""
    refusals = {EndingKind.REJECTED, EndingKind.CRASHED}
    return tuple(
        solver for solver in solvers if solver not in measures or measures[solver].ending not in refusals
    )


def answers_nothing(solver: str, measures: Iterable[Mapping[str, MeasureRecord]]) -> bool:
    """Whether a solver has answered no seed at all, and failed on many that another one has decided.

    A rejection is no failure: a solver need not know every logic.
    """
    count = 0
    for measure in measures:
        if solver not in measure or measure[solver].ending == EndingKind.REJECTED:
            continue
        if measure[solver].verdicts:
            return False
        count += is_decided(measure.values())
    return count >= _MANY_SEEDS


def is_decided(measures: Iterable[MeasureRecord]) -> bool:
    """Whether some solver has decided the seed."""
    return any(word in _DECIDED for measure in measures for word in measure.verdicts)


def useless(measures: Mapping[str, MeasureRecord], solvers: Sequence[str]) -> str:
    """Why a seed is useless to these solvers; "" if it is not, or if that is unknown."""
    own_measures = [measures[solver] for solver in solvers if solver in measures]
    if not own_measures or len(own_measures) < len(solvers):
        return ""
    if all(measure.ending == EndingKind.REJECTED for measure in own_measures):
        return "rejected by every solver"
    if is_decided(own_measures):
        return ""
    if any(measure.ending == EndingKind.CRASHED for measure in own_measures):
        return ""
    slow = any(measure.ending == EndingKind.TIMED_OUT for measure in own_measures)
    return f"not decided within {SLOW_SECONDS:g} s" if slow else "decided by no solver"
