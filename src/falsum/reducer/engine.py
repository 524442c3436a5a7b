"""The reduction loop: tries the edits that passes propose, many at once, and keeps what holds and is smaller.

The engine does not know what a bug is: the predicate is a plain callable. Whole assertions are removed first,
then parts of them. Passes that helped run first in the next round. An edit that failed is not tried again on
the same terms until the script is much smaller. When no pass helps any more, one thorough round tries
everything that has not failed on a script of nearly this size, except for passes that never succeed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from falsum.ddmin import Budget, BudgetExhaustedError, CachedPredicate, Predicate, StopReason, ddmin
from falsum.errors import ScriptError, UsageError
from falsum.reducer.apply import apply
from falsum.reducer.edit_keys import EditKey, edit_key
from falsum.reducer.edits import Edit
from falsum.reducer.layers import layers_of
from falsum.reducer.measure import Measure, Measurer
from falsum.reducer.outline import Outline
from falsum.reducer.passes import ALL, CLOSING, FINE, OPENING
from falsum.reducer.passes.protocol import Pass
from falsum.smtlib import Script, print_script, read_script

# After so many failures in a row, within one layer or over all layers, a pass waits for the next round.
_MAX_FAILURES_IN_LAYER = 8
_MAX_FAILURES_IN_PASS = 24
# An edit that failed is tried again once the script weighs less than this share of what it weighed then; the
# second number is for thorough rounds.
_MUCH_SMALLER = 0.5
_SMALLER = 0.9
# A pass with so many tests and no success is skipped until the script is much smaller.
_MAX_TESTS_WITHOUT_SUCCESS = 64
# How many earlier results are checked if the last one does not hold any more.
_MAX_STEPS_BACK = 12


@dataclass(slots=True)
class PassStatistics:
    """The record of a pass: runs, tests, accepted tests (`steps`) and weight removed."""

    name: str
    runs: int = 0
    tests: int = 0
    steps: int = 0
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """State of a running reduction; `at` is the name of the pass."""

    tests: int
    length: int
    at: str


@dataclass(frozen=True, slots=True)
class Reduction:
    """The result of a reduction.

    `is_confirmed`: the predicate held for `text` when it was evaluated once more at the end. `is_flaky`: it
    held for some script and later did not; `text` is then the smallest script for which it held twice.
    `lengths` are those of the input and of every script that was accepted.
    """

    text: str
    length_before: int
    stop: StopReason
    tests: int
    cache_hits: int
    steps: int
    seconds: float
    is_confirmed: bool
    is_flaky: bool
    passes: tuple[PassStatistics, ...] = ()
    lengths: tuple[int, ...] = ()


@dataclass(slots=True)
class _State:
    """The smallest script so far, and the texts of all that were accepted."""

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
    """Returns the smallest script found for which the predicate holds.

    `confirm` (by default the predicate) is evaluated for the result at the end. Ctrl-C ends the reduction
    and keeps the smallest script so far. Raises UsageError if the predicate does not hold for the input.
    """
    cached = CachedPredicate(predicate, jobs, budget)
    try:
        reducer = _Reducer(script, cached, passes, progress)
        try:
            reducer.run()
            stop = StopReason.SMALLEST
        except BudgetExhaustedError as end:
            stop = end.reason
        except KeyboardInterrupt:
            stop = StopReason.INTERRUPTED
        return _confirmed(reducer, confirm or cached.recheck, stop, len(print_script(script)))
    finally:
        cached.close()


def _confirmed(reducer: _Reducer, confirm: Predicate, stop: StopReason, length_before: int) -> Reduction:
    """Evaluates the predicate for the result once more; falls back to an earlier result if it fails."""
    texts = reducer.state.history[::-1]
    text, confirmed = texts[0], False
    tried, at = 0, 0
    # A user who interrupts does not want to wait.
    waits = stop is not StopReason.INTERRUPTED
    while waits and not confirmed and at < len(texts) and tried < _MAX_STEPS_BACK:
        text, tried = texts[at], tried + 1
        confirmed = confirm(text)
        at += tried
    cached = reducer.predicate
    return Reduction(
        text if confirmed else texts[0],
        length_before,
        stop,
        cached.tests,
        cached.cache_hits,
        len(texts) - 1,
        cached.elapsed(),
        is_confirmed=confirmed,
        is_flaky=waits and (tried > 1 or not confirmed),
        passes=tuple(reducer.statistics.values()),
        lengths=tuple(map(len, reducer.state.history)),
    )


class _Reducer:
    """One reduction."""

    def __init__(
        self,
        script: Script,
        predicate: CachedPredicate,
        passes: Sequence[Pass],
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.predicate = predicate
        by_name = {one.name: one for one in passes}
        self.opening = [by_name[name] for name in OPENING if name in by_name]
        self.closing = [by_name[name] for name in CLOSING if name in by_name]
        self.fine = [by_name[name] for name in FINE if name in by_name]
        self.passes = [one for one in passes if one.name not in (*FINE, *CLOSING)]
        self.progress = progress
        self.measurer = Measurer()
        self.statistics = {one.name: PassStatistics(one.name) for one in passes}
        # The script's weight when an edit last failed: by what the edit does to which terms, and also by
        # which of several identical occurrences it does it to.
        self.failed: dict[EditKey, int] = {}
        self.failed_at: dict[tuple[int, EditKey], int] = {}
        # The text on which each pass last ran without success.
        self.fruitless_on: dict[str, str] = {}
        # A pass's number of tests, and the weight, when its count of fruitless tests last started at zero.
        self.counted_from: dict[str, tuple[int, int]] = {}
        measure = self.measurer.measure(script)
        if not predicate.recheck(measure.text):
            raise UsageError("the predicate does not hold for the script as falsum prints it")
        self.state = _State(script, measure, [measure.text])
        self.outline = Outline(script)

    def run(self) -> None:
        self._round(self.opening, thorough=False)
        is_smaller = True
        while is_smaller:
            while self._round(self.passes, thorough=False):
                self.passes.sort(key=lambda one: -self._usefulness(one))
            self.fruitless_on.clear()
            while self._round(self.fine, thorough=True):
                pass
            is_smaller = self._round(self.passes, thorough=True)
        self._round(self.closing, thorough=True)

    def _usefulness(self, one: Pass) -> int:
        """The usefulness of a pass in three grades, so that equally useful passes keep the given order."""
        seen = self.statistics[one.name]
        return 0 if not seen.steps else 1 + (seen.steps * 4 > seen.tests)

    def _round(self, passes: Sequence[Pass], *, thorough: bool) -> bool:
        """Run the passes once; return whether the script became smaller."""
        before = self.state.measure
        for one in passes:
            if self.fruitless_on.get(one.name) == self.state.measure.text or self._is_hopeless(one):
                continue
            at, tests, seen = self.state.measure, self.predicate.tests, self.statistics[one.name]
            self._run(one, thorough=thorough)
            seen.runs += 1
            seen.tests += self.predicate.tests - tests
            seen.weight += at.weight - self.state.measure.weight
            if self.state.measure == at:
                self.fruitless_on[one.name] = at.text
        return self.state.measure < before

    def _is_hopeless(self, one: Pass) -> bool:
        seen, weight = self.statistics[one.name], self.state.measure.weight
        tests, then = self.counted_from.setdefault(one.name, (seen.tests, weight))
        if weight < _MUCH_SMALLER * then:
            tests, _ = self.counted_from[one.name] = (seen.tests, weight)
        return not seen.steps and seen.tests - tests >= _MAX_TESTS_WITHOUT_SUCCESS

    def _run(self, one: Pass, *, thorough: bool) -> None:
        if self.outline.script is not self.state.script:
            self.outline = Outline(self.state.script)
        outline = self.outline
        run = _PassRun(one, outline)
        for layer in layers_of(outline, one.edits(outline)):
            promising = [edit for edit in layer if self._is_promising(run, edit, thorough=thorough)]
            self._run_layer(run, promising, thorough=thorough)
            if run.failures_in_a_row >= _MAX_FAILURES_IN_PASS and not thorough:
                break

    def _is_promising(self, run: _PassRun, edit: Edit, *, thorough: bool) -> bool:
        """Whether the edit has not failed before, or the script has become much smaller since."""
        key = run.register(edit)
        weight = self.state.measure.weight
        if thorough:
            return weight < _SMALLER * self.failed_at.get(key, weight * 2)
        return weight < _MUCH_SMALLER * self.failed.get(key[1], weight * 4)

    def _run_layer(self, run: _PassRun, edits: list[Edit], *, thorough: bool) -> None:
        def attempt(some: Sequence[Edit], ahead: Iterator[Sequence[Edit]]) -> bool:
            accepted = self._try(run, some, ahead)
            run.failures_in_a_row = 0 if accepted else run.failures_in_a_row
            return accepted

        def failed(edit: Edit, accepted: int) -> None:
            key = run.keys[id(edit)]
            self.failed[key[1]] = self.failed_at[key] = self.state.measure.weight
            run.failures_in_a_row = 0 if accepted else run.failures_in_a_row + 1

        ddmin(edits, attempt, failed, max_failures=None if thorough else _MAX_FAILURES_IN_LAYER)

    def _try(self, run: _PassRun, edits: Sequence[Edit], ahead: Iterator[Sequence[Edit]]) -> bool:
        """Accepts these further edits if the script becomes smaller and the predicate holds."""
        measure = self._candidate(run, edits)
        if measure is None:
            return False
        if self.progress is not None:
            self.progress(Progress(self.predicate.tests, self.state.measure.length, run.name))
        others = (c.text for some in ahead if (c := self._candidate(run, some)) is not None)
        if not self.predicate.holds(measure.text, others):
            return False
        # The text is what counts: the reader may see other implicit conversions in it than were made here.
        script = _read(measure.text)
        if script is None:
            return False
        run.accepted.extend(edits)
        self.state.script, self.state.measure = script, measure
        self.state.history.append(measure.text)
        self.statistics[run.name].steps += 1
        return True

    def _candidate(self, run: _PassRun, edits: Sequence[Edit]) -> Measure | None:
        """The measure of the script with these further edits; None if it is no smaller."""
        script = apply(run.outline, [*run.accepted, *edits])
        # Weighing is cheaper than printing: shared terms may be very long when written out.
        if script is None or self.measurer.weight(script) > self.state.measure.weight:
            return None
        measure = self.measurer.measure(script)
        return measure if measure < self.state.measure else None


class _PassRun:
    """One run of a pass over a script, with the edits accepted so far."""

    def __init__(self, one: Pass, outline: Outline) -> None:
        self.name = one.name
        self.outline = outline
        self.accepted: list[Edit] = []
        self.failures_in_a_row = 0
        # By the identity of an edit: its occurrence number among edits with the same key, and the key.
        self.keys: dict[int, tuple[int, EditKey]] = {}
        self._occurrences: Counter[EditKey] = Counter()

    def register(self, edit: Edit) -> tuple[int, EditKey]:
        key = (self.name, *edit_key(self.outline, edit))
        self._occurrences[key] += 1
        self.keys[id(edit)] = (self._occurrences[key], key)
        return self.keys[id(edit)]


def _read(text: str) -> Script | None:
    try:
        return read_script(text)
    except ScriptError:
        return None
