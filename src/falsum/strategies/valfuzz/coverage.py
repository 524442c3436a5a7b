"""Coverage: the truth values that monitors of a seed have taken, and those they cannot take."""

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
        """What random numbers for the target are drawn from: it must stay the same for mutants to stay so."""
        return f"Target(side={self.side!r}, monitor={self.monitor}, wanted={self.wanted})"


class TargetOutcome(StrEnum):
    """The result for a target; CONFLICT: unsat together with the other monitors that were enforced."""

    SAT = "sat"
    UNSAT = "unsat"
    CONFLICT = "conflict"
    UNKNOWN = "unknown"


_OUTCOMES: Final = tuple(TargetOutcome)
_DIGITS: Final = "".join(map(str, range(len(_OUTCOMES))))


@dataclass(slots=True)
class Coverage:
    """Boolean sub-expression saturation coverage of one seed (Definition III.2, over models of φ^test).

    `seen` are the values that monitors had in models; `outcomes` are the results of the targets tried.
    """

    targets: tuple[MonitorTarget, ...]
    monitors: int
    outcomes: dict[MonitorTarget, TargetOutcome] = field(default_factory=dict)
    seen: dict[tuple[int, bool], None] = field(default_factory=dict)

    @property
    def is_saturated(self) -> bool:
        """Whether every target was tried: then the seed has no more mutants."""
        return len(self.outcomes) == len(self.targets)

    @property
    def share(self) -> float:
        """The share of values seen among those not known to be impossible."""
        possible = 2 * self.monitors - len(self.refuted)
        return len(self.seen) / possible if possible else 1.0

    @property
    def refuted(self) -> list[tuple[int, bool]]:
        """Values that a monitor cannot take, whatever the constants are."""
        found = dict.fromkeys(
            (target.monitor, target.wanted)
            for target, outcome in self.outcomes.items()
            if outcome is TargetOutcome.UNSAT and not target.side
        )
        return [value for value in found if value not in self.seen]

    @property
    def memory(self) -> str:
        """The coverage as text for the next visit: a digit per target, two per monitor."""
        outcomes = [self.outcomes.get(target) for target in self.targets]
        tried = "".join("." if outcome is None else str(_OUTCOMES.index(outcome)) for outcome in outcomes)
        seen = "".join(
            str(int((monitor, value) in self.seen)) for monitor in range(self.monitors) for value in (0, 1)
        )
        return f"{SATURATED if self.is_saturated else _OPEN} {tried} {seen}"

    def recall(self, memory: str) -> None:
        """Take over the coverage of earlier visits; one of another meta-formula is dropped."""
        words = memory.split(" ")
        if len(words) != 3 or len(words[1]) != len(self.targets) or len(words[2]) != 2 * self.monitors:
            return
        for target, digit in zip(self.targets, words[1], strict=True):
            if digit in _DIGITS:
                self.outcomes[target] = _OUTCOMES[int(digit)]
        for place, digit in enumerate(words[2]):
            if digit == "1":
                self.seen[place // 2, bool(place % 2)] = None

    def see(self, monitor: int, *, value: bool) -> None:
        self.seen[monitor, value] = None

    def note(self, target: MonitorTarget, outcome: TargetOutcome) -> None:
        self.outcomes[target] = outcome

    def __str__(self) -> str:
        counts = [f"{len(self.seen)} of {2 * self.monitors} values seen"]
        counts += [
            f"{count} {outcome}"
            for outcome in TargetOutcome
            if (count := list(self.outcomes.values()).count(outcome))
        ]
        return f"{', '.join(counts)}, {len(self.targets) - len(self.outcomes)} targets open"
