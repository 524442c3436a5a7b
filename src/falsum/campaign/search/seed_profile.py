"""Seed profiles: whether a seed is usable, and how each solver does on it; the store remembers."""

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
    """For each solver the seed it took longest for."""
    found: dict[str, MeasureRecord] = {}
    for some in measures:
        for solver, measure in some.items():
            if solver not in found or measure.seconds > found[solver].seconds:
                found[solver] = measure
    return found


def accepting(measures: Mapping[str, MeasureRecord], solvers: Iterable[str]) -> tuple[str, ...]:
    """The solvers that accept the seed, as far as is known; a crash on it is a finding already."""
    refused = {EndingKind.REJECTED, EndingKind.CRASHED}
    return tuple(
        solver for solver in solvers if solver not in measures or measures[solver].ending not in refused
    )


def answers_nothing(solver: str, measures: Iterable[Mapping[str, MeasureRecord]]) -> bool:
    """Whether a solver has answered no seed at all, and failed on many that another solver has decided.

    A rejection is no failure: a solver need not know every logic.
    """
    decided = 0
    for known in measures:
        if solver not in known or known[solver].ending == EndingKind.REJECTED:
            continue
        if known[solver].verdicts:
            return False
        decided += is_decided(known.values())
    return decided >= _MANY_SEEDS


def is_decided(measures: Iterable[MeasureRecord]) -> bool:
    """Whether some solver has decided the seed."""
    return any(word in _DECIDED for measure in measures for word in measure.verdicts)


def useless(measures: Mapping[str, MeasureRecord], solvers: Sequence[str]) -> str:
    """Why a seed is useless to these solvers; "" if it is not, or if that is not known yet."""
    known = [measures[solver] for solver in solvers if solver in measures]
    if not known or len(known) < len(solvers):
        return ""
    if all(measure.ending == EndingKind.REJECTED for measure in known):
        return "rejected by every solver"
    if is_decided(known):
        return ""
    if any(measure.ending == EndingKind.CRASHED for measure in known):
        return ""
    slow = any(measure.ending == EndingKind.TIMED_OUT for measure in known)
    return f"not decided within {SLOW_SECONDS:g} s" if slow else "decided by no solver"
