"""The engine: tries what passes propose, many edits at once, and keeps what stays true and is smaller.

It does not know what a bug is: the predicate is a plain callable. Whole assertions go first, then what is
inside them. Passes that helped run first in the next round. An edit that failed is not tried again on the
same terms before the script is much smaller. When nothing else helps, all is tried that has not failed on a
script hardly larger than this one, by passes that are not hopeless: of what is left, hardly anything can go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from falsum.ddmin.partition import halve
from falsum.ddmin.predicate import Asker, Budget, EndedError, Predicate, StopReason
from falsum.errors import ScriptError, UsageError
from falsum.reducer.apply import apply
from falsum.reducer.edit_keys import track
from falsum.reducer.edits import Edit
from falsum.reducer.layers import layered
from falsum.reducer.measure import Measure, Scales
from falsum.reducer.outline import Outline
from falsum.reducer.passes import ALL, CLOSING, FINE, OPENING
from falsum.reducer.passes.protocol import Pass
from falsum.smtlib import Script, print_script, read_script

__all__ = ["Budget", "Predicate", "Reduction", "StopReason", "reduce"]

# A pass that fails so often in a row, with one layer or in all, waits for the next round.
_PATIENCE = 8
_PATIENCE_WITH_PASS = 24
# An edit that failed is tried again when the script weighs less than so much of what it did then; the second
# when nothing else helps.
_MUCH_SMALLER = 0.5
_SMALLER = 0.9
# A pass that has failed so often and never helped is left out until the script is much smaller.
_MOST_IN_VAIN = 64
# How many earlier results are asked for when the last one does not show it any more.
_MOST_STEPS_BACK = 12


@dataclass(slots=True)
class PassStatistics:
    """What a pass has done so far."""

    name: str
    runs: int = 0
    tests: int = 0
    steps: int = 0
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a reduction is."""

    tests: int
    length: int
    at: str


@dataclass(frozen=True, slots=True)
class Reduction:
    """A script made small. `is_confirmed`: the predicate said yes again at the end, asked anew.

    `flickers`: it said yes and later no to one and the same script; `text` is then the smallest script it
    said yes to twice, if any.
    """

    text: str
    length_before: int
    stop: StopReason
    tests: int
    remembered: int
    steps: int
    seconds: float
    is_confirmed: bool
    flickers: bool
    passes: tuple[PassStatistics, ...] = ()


@dataclass(slots=True)
class _State:
    """The smallest script so far, and how it came about."""

    script: Script
    measure: Measure
    history: list[str] = field(default_factory=list)


def reduce(
    script: Script,
    predicate: Predicate,
    *,
    passes: Sequence[Pass] = ALL,
    jobs: int = 1,
    budget: Budget | None = None,
    confirm: Predicate | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Reduction:
    """The smallest script the passes can make of this one for which the predicate holds.

    `confirm` (by default the predicate) is asked about the result at the end. Ctrl-C ends the reduction and
    keeps the best so far.
    """
    asker = Asker(predicate, jobs, budget)
    try:
        reducer = _Reducer(script, asker, passes, progress)
        try:
            reducer.run()
            stop = StopReason.SMALLEST
        except EndedError as end:
            stop = end.reason
        except KeyboardInterrupt:
            stop = StopReason.INTERRUPTED
        return _confirmed(reducer, confirm or asker.again, stop, len(print_script(script)))
    finally:
        asker.close()


def _confirmed(reducer: _Reducer, confirm: Predicate, stop: StopReason, before: int) -> Reduction:
    """Asks for the result anew; if it is not confirmed, goes back to one that is."""
    texts = reducer.state.history[::-1]
    text, confirmed = texts[0], False
    tried, at = 0, 0
    # Whoever interrupts does not want to wait.
    waits = stop is not StopReason.INTERRUPTED
    while waits and not confirmed and at < len(texts) and tried < _MOST_STEPS_BACK:
        text, tried = texts[at], tried + 1
        confirmed = confirm(text)
        at += tried
    asker = reducer.asker
    return Reduction(
        text if confirmed else texts[0],
        before,
        stop,
        asker.tests,
        asker.remembered,
        len(texts) - 1,
        asker.seconds(),
        is_confirmed=confirmed,
        flickers=waits and (tried > 1 or not confirmed),
        passes=tuple(reducer.statistics.values()),
    )


class _Reducer:
    """One reduction."""

    def __init__(
        self,
        script: Script,
        asker: Asker,
        passes: Sequence[Pass],
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.asker = asker
        given = {one.name: one for one in passes}
        self.opening = [given[name] for name in OPENING if name in given]
        self.closing = [given[name] for name in CLOSING if name in given]
        self.fine = [given[name] for name in FINE if name in given]
        self.passes = [one for one in passes if one.name not in (*FINE, *CLOSING)]
        self.progress = progress
        self.scales = Scales()
        self.statistics = {one.name: PassStatistics(one.name) for one in passes}
        # How much the script weighed when an edit last failed, by what it does to which terms (and, where it
        # could be done to several that are the same, to which one); the text each pass last ran on in vain.
        self.failed: dict[tuple[object, ...], int] = {}
        self.failed_at: dict[tuple[int, tuple[object, ...]], int] = {}
        self.in_vain: dict[str, str] = {}
        # How many tests each pass had done, and the weight, when it was last given a new start.
        self.tested: dict[str, tuple[int, int]] = {}
        measure = self.scales.measure(script)
        if not asker.again(measure.text):
            raise UsageError("the script does not show what shall be kept, as falsum prints it")
        self.state = _State(script, measure, [measure.text])
        self.outline = Outline(script)

    def run(self) -> None:
        self._round(self.opening, thorough=False)
        is_smaller = True
        while is_smaller:
            while self._round(self.passes, thorough=False):
                self.passes.sort(key=lambda one: -self._usefulness(one))
            self.in_vain.clear()
            while self._round(self.fine, thorough=True):
                pass
            is_smaller = self._round(self.passes, thorough=True)
        self._round(self.closing, thorough=True)

    def _usefulness(self, one: Pass) -> int:
        """In three grades only, so that the given order counts among equals."""
        seen = self.statistics[one.name]
        return 0 if not seen.steps else 1 + (seen.steps * 4 > seen.tests)

    def _round(self, passes: Sequence[Pass], *, thorough: bool) -> bool:
        before = self.state.measure
        for one in passes:
            if self.in_vain.get(one.name) == self.state.measure.text or self._is_hopeless(one):
                continue
            at, tests, seen = self.state.measure, self.asker.tests, self.statistics[one.name]
            self._run(one, thorough=thorough)
            seen.runs += 1
            seen.tests += self.asker.tests - tests
            seen.weight += at.weight - self.state.measure.weight
            if self.state.measure == at:
                self.in_vain[one.name] = at.text
        return self.state.measure < before

    def _is_hopeless(self, one: Pass) -> bool:
        seen, weight = self.statistics[one.name], self.state.measure.weight
        tests, then = self.tested.setdefault(one.name, (seen.tests, weight))
        if weight < _MUCH_SMALLER * then:
            tests, _ = self.tested[one.name] = (seen.tests, weight)
        return not seen.steps and seen.tests - tests >= _MOST_IN_VAIN

    def _run(self, one: Pass, *, thorough: bool) -> None:
        if self.outline.script is not self.state.script:
            self.outline = Outline(self.state.script)
        outline = self.outline
        work = _Work(one, outline)
        for layer in layered(outline, one.edits(outline)):
            left = [edit for edit in layer if self._is_worth_a_try(work, edit, thorough=thorough)]
            self._run_layer(work, left, thorough=thorough)
            if work.in_a_row >= _PATIENCE_WITH_PASS and not thorough:
                break

    def _is_worth_a_try(self, work: _Work, edit: Edit, *, thorough: bool) -> bool:
        """Not what has failed before, unless the script has become much smaller since."""
        key = work.note(edit)
        weight = self.state.measure.weight
        if thorough:
            return weight < _SMALLER * self.failed_at.get(key, weight * 2)
        return weight < _MUCH_SMALLER * self.failed.get(key[1], weight * 4)

    def _run_layer(self, work: _Work, edits: list[Edit], *, thorough: bool) -> None:
        """Every edit is accepted, or has failed by itself."""

        def attempt(some: Sequence[Edit], ahead: Iterator[Sequence[Edit]]) -> bool:
            went_well = self._try(work, some, ahead)
            work.in_a_row = 0 if went_well else work.in_a_row
            return went_well

        def failed(edit: Edit, good: int) -> None:
            key = work.keys[id(edit)]
            self.failed[key[1]] = self.failed_at[key] = self.state.measure.weight
            work.in_a_row = 0 if good else work.in_a_row + 1

        halve(edits, attempt, failed, patience=None if thorough else _PATIENCE)

    def _try(self, work: _Work, edits: Sequence[Edit], ahead: Iterator[Sequence[Edit]]) -> bool:
        """Whether the script with these further edits is smaller and shows it still; then it is taken."""
        found = self._candidate(work, edits)
        if found is None:
            return False
        measure = found
        if self.progress is not None:
            self.progress(Progress(self.asker.tests, self.state.measure.length, work.name))
        others = (c.text for some in ahead if (c := self._candidate(work, some)) is not None)
        if not self.asker.ask(measure.text, others):
            return False
        # What counts is the text: a reader may see it with other conversions than were made here.
        again = _read(measure.text)
        if again is None:
            return False
        work.accepted.extend(edits)
        self.state.script, self.state.measure = again, measure
        self.state.history.append(measure.text)
        self.statistics[work.name].steps += 1
        return True

    def _candidate(self, work: _Work, edits: Sequence[Edit]) -> Measure | None:
        script = apply(work.outline, [*work.accepted, *edits])
        # Weighing costs less than printing, and shared terms that are written out may be very long.
        if script is None or self.scales.weight(script) > self.state.measure.weight:
            return None
        measure = self.scales.measure(script)
        return measure if measure < self.state.measure else None


class _Work:
    """A pass at work on a script: what has been accepted so far of what it proposed."""

    def __init__(self, one: Pass, outline: Outline) -> None:
        self.name = one.name
        self.outline = outline
        self.accepted: list[Edit] = []
        self.in_a_row = 0
        # By identity: what an edit does, and the how manieth it is that does just that.
        self.keys: dict[int, tuple[int, tuple[object, ...]]] = {}
        self._counts: Counter[tuple[object, ...]] = Counter()

    def note(self, edit: Edit) -> tuple[int, tuple[object, ...]]:
        what = (self.name, *track(self.outline, edit))
        self._counts[what] += 1
        key = self.keys[id(edit)] = (self._counts[what], what)
        return key


def _read(text: str) -> Script | None:
    try:
        return read_script(text)
    except ScriptError:
        return None
