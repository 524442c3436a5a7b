"""LibraryState: the progress of a campaign over libraries, as it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from falsum.api.run_result import RunStatus
from falsum.campaign.library.batch import LibraryTally
from falsum.campaign.progress import Status
from falsum.plural import counted

_VERDICTS: Final = ("sat", "unsat", "unknown")
_MAX_ERRORS: Final = 10


@dataclass(frozen=True, slots=True)
class LibraryState:
    status: Status
    tallies: Mapping[str, LibraryTally]
    gone: Mapping[str, str] = field(default_factory=dict)
    edges: Mapping[str, int] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return "falsum api"

    @property
    def total(self) -> LibraryTally:
        total = LibraryTally()
        for tally in self.tallies.values():
            total.add(tally)
        return total

    @property
    def left(self) -> str:
        if self.status.count is not None:
            return f"{counted(max(0, self.status.count * len(self.tallies) - self.total.runs), 'run')} left"
        return self.status.time_left

    @property
    def answered(self) -> bool:
        return bool(self.total.verdicts) or bool(self.total.endings.get(RunStatus.DONE))

    def opening(self) -> str:
        return ", ".join(self.tallies)

    def line(self) -> str:
        total = self.total
        return (
            f"{counted(total.runs, 'run')} ({self._rate}); {_verdicts(total)}, "
            f"{total.endings.get('timed out', 0)} timed out; {self.status.found or 'nothing found'}"
        )

    def panel(self) -> Iterator[tuple[str, str]]:
        total = self.total
        yield "runs", f"{total.runs} ({self._rate})   {self.left}"
        yield "answers", _verdicts(total)
        yield "ended", _counts(total.endings)
        yield "found", self.status.found or "nothing yet"

    def summary(self) -> Iterator[tuple[str, str]]:
        yield "runs", f"{self.total.runs} ({self._rate})"
        yield "answers", _verdicts(self.total)
        for name, tally in self.tallies.items():
            calls = tally.lines / tally.runs if tally.runs else 0.0
            yield name, f"{counted(tally.runs, 'run')}: {_counts(tally.endings)}; {calls:.0f} calls per run"
            common = sorted(tally.errors.items(), key=lambda item: -item[1])
            for message, count in common[:_MAX_ERRORS]:
                yield "", f"{count} × {message}"
            if len(common) > _MAX_ERRORS:
                yield "", f"and {len(common) - _MAX_ERRORS} other messages"

        for name, why in self.gone.items():
            yield "left out", f"{name}: {why}"
        for name, count in self.edges.items():
            yield "edges reached", f"{count} of {name}"
        if self.total.unconfirmed:
            crashes = counted(self.total.unconfirmed, "crash", "crashes")
            yield "not confirmed", f"{crashes} of no new process"

    def table(self) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
        return (), ()

    def plain(self) -> dict[str, Any]:
        status, total = self.status, self.total
        return {
            "elapsed": round(status.elapsed, 2),
            "jobs": status.jobs,
            "findings": status.sightings,
            "runs_per_second": round(total.runs / status.elapsed, 2) if status.elapsed else 0.0,
            **total.plain(),
            "edges": dict(self.edges),
            "solvers": {name: tally.plain() for name, tally in self.tallies.items()},
        }

    @property
    def _rate(self) -> str:
        return self.status.rate(self.total.runs)


def _verdicts(tally: LibraryTally) -> str:
    return ", ".join(f"{tally.verdicts.get(word, 0)} {word}" for word in _VERDICTS)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {word}" for word, count in sorted(counts.items())) or "none"
