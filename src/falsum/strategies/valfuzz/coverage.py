"""Coverage: the truth values that monitors of a seed have taken, and those that are impossible."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from falsum.strategies.mutant import SATURATED

_OPEN: Final = "open"


class MonitorTarget(NamedTuple):
    """A monitor to be made true or false; `side` is + or - if the seed or its negation is asserted, too."""

    side: str
    monitor: int
    wanted: bool

    @property
    def key(self) -> str:
        """The key for the random numbers of a target, which must stay the same for reproducible mutants."""
        return f"Target(side={self.side!r}, monitor={self.monitor}, wanted={self.wanted})"


class TargetOutcome(StrEnum):
    """The result for a target; CONFLICT: unsat together with the other monitors that were enforced.

    LATE: no solver answered in time, so the target stays open for the next visit.
    """

    SAT = "sat"
    UNSAT = "unsat"
    CONFLICT = "conflict"
    UNKNOWN = "unknown"
    LATE = "late"


_OUTCOMES: Final = tuple(TargetOutcome)
_DIGITS: Final = "".join(map(str, range(len(_OUTCOMES))))


@dataclass(slots=True)
class Coverage:
    """Boolean sub-expression saturation coverage of one seed (Definition III.2).

    `seen` are the values that monitors had in models of φ^test, `in_mutants` those that they had in models of
    φ^sub, as far as these are known; `outcomes` are the results of the targets tried. The last monitors are
    relations between the holes of one subset, `related`; with `is_last` no further subset follows.
    """

    targets: tuple[MonitorTarget, ...]
    monitors: int
    related: str = ""
    is_last: bool = True
    outcomes: dict[MonitorTarget, TargetOutcome] = field(default_factory=dict)
    seen: dict[tuple[int, bool], None] = field(default_factory=dict)
    in_mutants: dict[tuple[int, bool], None] = field(default_factory=dict)

    @property
    def is_done(self) -> bool:
        """Whether every target has an outcome that stays."""
        return not self.open_targets

    @property
    def is_saturated(self) -> bool:
        """Whether every target was tried, with all subsets of holes: then the seed has no more mutants."""
        return self.is_done and self.is_last

    @property
    def open_targets(self) -> list[MonitorTarget]:
        late = TargetOutcome.LATE
        return [target for target in self.targets if self.outcomes.get(target, late) is late]

    @property
    def share(self) -> float:
        """The share of values seen among those not known to be impossible."""
        possible = 2 * self.monitors - len(self.refuted)
        return len(self.seen) / possible if possible else 1.0

    @property
    def refuted(self) -> list[tuple[int, bool]]:
        """Values that a monitor cannot take for any constants."""
        outcomes = dict.fromkeys(
            (target.monitor, target.wanted)
            for target, outcome in self.outcomes.items()
            if outcome is TargetOutcome.UNSAT and not target.side
        )
        return [value for value in outcomes if value not in self.seen]

    @property
    def memory(self) -> str:
        """The coverage as text for the next visit: a digit per target, two per monitor, and the subsets."""
        outcomes = [self.outcomes.get(target) for target in self.targets]
        signs = "".join("." if outcome is None else str(_OUTCOMES.index(outcome)) for outcome in outcomes)
        state = SATURATED if self.is_saturated else _OPEN
        return f"{state} {signs} {self._digits(self.seen)} {self._digits(self.in_mutants)} {self.related}"

    def _digits(self, values: dict[tuple[int, bool], None]) -> str:
        pairs = ((monitor, value) for monitor in range(self.monitors) for value in (False, True))
        return "".join(str(int(pair in values)) for pair in pairs)

    def recall(self, memory: str, monitors: int | None = None) -> None:
        """Take over the coverage of earlier visits; that of another meta-formula is dropped.

        With a number of monitors, it is that of an earlier subset of holes, and only the outcomes for so many
        monitors hold for this one.
        """
        words = memory.split(" ")
        sides = len(self.targets) // (2 * self.monitors) if self.monitors else 0
        if len(words) != 5 or not sides or len(words[1]) % sides or len(words[1]) // sides != len(words[2]):
            return
        count = len(words[2]) // 2
        length = count if monitors is None else min(monitors, count)
        if length > self.monitors or (monitors is None and count != self.monitors):
            return
        place = {target: number for number, target in enumerate(self.targets)}
        for target in self.targets:
            if target.monitor < length:
                side = place[target] // (2 * self.monitors)
                digit = words[1][2 * (side * count + target.monitor) + (not target.wanted)]
                if digit in _DIGITS:
                    self.outcomes[target] = _OUTCOMES[int(digit)]
        for values, digits in ((self.seen, words[2]), (self.in_mutants, words[3])):
            for number, digit in enumerate(digits[: 2 * length]):
                if digit == "1":
                    values[number // 2, bool(number % 2)] = None

    def see(self, monitor: int, *, value: bool) -> None:
        self.seen[monitor, value] = None

    def note(self, target: MonitorTarget, outcome: TargetOutcome) -> None:
        self.outcomes[target] = outcome

    def __str__(self) -> str:
        counts = [f"{len(self.seen)} of {2 * self.monitors} values seen"]
        if self.in_mutants:
            counts[0] += f", {len(self.in_mutants)} in mutants"
        counts += [
            f"{count} {outcome}"
            for outcome in TargetOutcome
            if (count := list(self.outcomes.values()).count(outcome))
        ]
        return f"{', '.join(counts)}, {len(self.open_targets)} targets open"
