"""Seed profiles: whether a seed is usable, and how each solver does on it; the store remembers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from falsum.errors import FalsumError, ScriptError
from falsum.smtlib.at_check import at_each_check
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.inputs.safe_script import missing_part
from falsum.store.records import MeasureRecord
from falsum.strategies.mutant import Seed

# As in Sparrow: seeds that no solver decides within five seconds only cost time.
SLOW_SECONDS: Final = 5.0
# A seed that takes longer is put off, and waited for so many times as long when it comes again: quick seeds
# have their turn first. Once a solver has decided it, none of the others is waited for any longer.
FIRST_PATIENCE: Final = 0.3
_MORE_PATIENCE: Final = 4.0
MAX_SEED_LENGTH: Final = 1 << 17
_DECIDED: Final = frozenset({"sat", "unsat"})
_MANY_SEEDS: Final = 10
# How the reason begins why a seed is left out whose batches did not come back.
COSTLY: Final = "cost a worker twice"


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:16]


def unusable(seed: Seed) -> str:
    """Why a seed is useless to any solver; "" if it is not."""
    if len(seed.text) > MAX_SEED_LENGTH:
        return f"longer than {MAX_SEED_LENGTH} bytes"
    try:
        checks = list(at_each_check(seed.script))
    except (FalsumError, RecursionError) as error:
        place = f"{error.line}:{error.column}: {error.message}" if isinstance(error, ScriptError) else error
        return f"unreadable: {place}"
    if not checks:
        return "no (check-sat)"
    if lost := missing_part(seed.text):
        return f"solvers would not get all of it: {lost}"
    # Seeds that are decided without the value of any symbol are of use: solvers simplify, not always rightly.
    return "" if any(script.assertions for script in checks) else "nothing is asserted"


def patience(times_put_off: int) -> float:
    """How long a seed without a profile is waited for, in seconds."""
    return min(SLOW_SECONDS, FIRST_PATIENCE * _MORE_PATIENCE ** min(times_put_off, 5))


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
