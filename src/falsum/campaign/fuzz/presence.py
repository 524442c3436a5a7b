"""Presence: whether the solvers of a worker are unchanged since the campaign began, and answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from falsum.campaign.outcome import BatchOutcome
from falsum.campaign.program_marks import ProgramMark, change_since, mark_of
from falsum.campaign.tally import FuzzTally
from falsum.errors import SurroundingsError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import EndingKind
from falsum.solvers.doctor import smoke_test
from falsum.solvers.solver import Solver

# Words of a tally by which a solver shows that it is there.
_ALIVE = frozenset({*map(str, Verdict), str(EndingKind.TIMED_OUT), str(EndingKind.OUT_OF_MEMORY)})


class Presence:
    """The state of the solvers: `gone` are those that can no longer be used, each with the reason."""

    def __init__(self, solvers: Iterable[Solver], gone: Mapping[str, str]) -> None:
        self._solvers = {solver.name: solver for solver in solvers}
        self._own_marks: dict[str, ProgramMark] = {}
        # After how many batches without an answer a solver is tried, and how many there were.
        self._patience: Counter[str] = Counter()
        self._silent: Counter[str] = Counter()
        self.gone = dict(gone)

    def look(self, names: Sequence[str], marks: Mapping[str, ProgramMark]) -> list[str]:
        """The solvers whose files are unchanged."""
        for name in names:
            if name not in self.gone and (change := change_since(self._mark(name, marks))):
                self.gone[name] = change
        return [name for name in names if name not in self.gone]

    def listen(self, names: Sequence[str], outcome: BatchOutcome) -> None:
        """Try the solvers without any answer in a batch on scripts that every solver decides.

        A solver that does not support the logic of a seed gives no answer either, so it is tried less and
        less often.
        """
        for name in names:
            if name in self.gone or not (outcome.faults or _is_silent(name, outcome)):
                continue
            self._silent[name] += 1
            if self._silent[name] <= self._patience[name]:
                continue
            try:
                smoke_test([self._solvers[name]])
            except SurroundingsError as error:
                self.gone[name] = str(error)
            self._patience[name] = 2 * self._silent[name]

    def _mark(self, name: str, marks: Mapping[str, ProgramMark]) -> ProgramMark:
        """The mark of a solver when the campaign began; on another machine, when this worker began."""
        if name in marks and marks[name].is_of_here:
            return marks[name]
        if name not in self._own_marks:
            self._own_marks[name] = mark_of(self._solvers[name])
        return self._own_marks[name]


def _is_silent(name: str, outcome: BatchOutcome) -> bool:
    """Whether a solver was asked and has answered neither a seed nor a mutant."""
    words = set(msgspec.convert(outcome.record.tally, FuzzTally).said.get(name, {}))
    for seed in outcome.seeds:
        for measure in seed.measures:
            if measure.solver.startswith(f"{name}="):
                words.update(measure.verdicts or (measure.ending,))
    return bool(words) and words.isdisjoint(_ALIVE)
