"""Standings: the results of a contest, fuzzer by fuzzer."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from falsum.app.contest.rank_diagram import RankDiagram
from falsum.app.pages.plots import Plot, Series
from falsum.contest.statistics import (
    MOST_SAMPLES,
    critical_difference,
    effect_size,
    mann_whitney,
    mean_ranks,
)
from falsum.contest.trials import ContestTrial

_ROLES: Final = ("one", "two", "three", "four", "five", "six")
_STEPS: Final = 30


@dataclass(frozen=True, slots=True)
class Row:
    """One fuzzer: the bugs of the pool that it found, in all trials and per trial, the CPU seconds that a
    trial used, and its other reports.

    U, p and A12 compare its trials with those of the best fuzzer.
    """

    name: str
    bugs: int
    only: int
    median: float
    mean: float
    cpu: float
    others: int
    reports: int
    false_alarms: int
    unclear: int
    u: float | None
    p: float | None
    a12: float | None
    note: str


@dataclass(frozen=True)
class Standings:
    """Trials of all fuzzers on the same benchmarks, the same number on each; `pool` is the number of bugs to
    be found.
    """

    trials: Sequence[ContestTrial]
    pool: int

    @cached_property
    def names(self) -> list[str]:
        """The fuzzers, the one with the most bugs first."""
        names = dict.fromkeys(trial.fuzzer for trial in self.trials)
        return sorted(names, key=lambda name: (-len(self.found(name)), -sum(self.counts(name)), name))

    def of(self, name: str) -> list[ContestTrial]:
        mine = [trial for trial in self.trials if trial.fuzzer == name]
        return sorted(mine, key=lambda trial: (trial.benchmark, trial.number))

    def found(self, name: str) -> set[str]:
        return {bug for trial in self.of(name) for bug in trial.bugs}

    def counts(self, name: str) -> list[float]:
        return [float(len(trial.bugs)) for trial in self.of(name)]

    @property
    def seconds(self) -> float:
        return max((trial.seconds for trial in self.trials), default=0.0)

    @cached_property
    def rows(self) -> list[Row]:
        best = self.counts(self.names[0]) if self.names else []
        return [self._row(name, best) for name in self.names]

    def _row(self, name: str, best: list[float]) -> Row:
        mine, trials = self.counts(name), self.of(name)
        rest = {bug for other in self.names if other != name for bug in self.found(other)}
        is_best = name == self.names[0]
        u, p = (None, None) if is_best else mann_whitney(mine, best)
        return Row(
            name=name,
            bugs=len(self.found(name)),
            only=len(self.found(name) - rest),
            median=statistics.median(mine),
            mean=statistics.mean(mine),
            cpu=statistics.mean(trial.cpu for trial in trials),
            others=len({bug for trial in trials for bug in trial.others}),
            reports=sum(trial.reports for trial in trials),
            false_alarms=sum(trial.false_alarms for trial in trials),
            unclear=sum(trial.unclear for trial in trials),
            u=u,
            p=p,
            a12=None if is_best else effect_size(mine, best),
            note=next((trial.note for trial in trials if trial.note), ""),
        )

    @cached_property
    def benchmarks(self) -> list[str]:
        return list(dict.fromkeys(trial.benchmark for trial in self.trials))

    def on(self, name: str, benchmark: str) -> int:
        """The number of bugs that a fuzzer found on a benchmark in all its trials."""
        return len({bug for trial in self.of(name) if trial.benchmark == benchmark for bug in trial.bugs})

    @property
    def overlap(self) -> list[tuple[str, list[str]]]:
        """Each bug that was found, with the fuzzers that found it; those of one fuzzer first."""
        bugs = sorted({bug for name in self.names for bug in self.found(name)})
        rows = [(bug, [name for name in self.names if bug in self.found(name)]) for bug in bugs]
        return sorted(rows, key=lambda row: len(row[1]))

    @property
    def growth(self) -> list[Plot]:
        """Bugs per trial as CPU time passes, on average; six fuzzers a plot."""
        edges = tuple(self.seconds * step / _STEPS for step in range(1, _STEPS + 1))
        plots = []
        for start in range(0, len(self.names), len(_ROLES)):
            series = tuple(
                Series(name, role, tuple(self._after(name, edge) for edge in edges))
                for name, role in zip(self.names[start : start + len(_ROLES)], _ROLES, strict=False)
            )
            title = "Bugs per trial as CPU time passes" + (f" ({start + 1}th and on)" if start else "")
            plots.append(Plot(f"growth-{start}", title, "bugs", edges, series))
        return plots

    def _after(self, name: str, seconds: float) -> float:
        trials = self.of(name)
        return sum(cpu <= seconds for trial in trials for cpu in trial.bugs.values()) / len(trials)

    @property
    def diagram(self) -> RankDiagram | None:
        """Mean ranks; None for fewer than two fuzzers, or too many to say which differ."""
        if not 2 <= len(self.names) <= MOST_SAMPLES:
            return None
        samples = {name: self.counts(name) for name in self.names}
        blocks = min(map(len, samples.values()))
        return RankDiagram(mean_ranks(samples), critical_difference(len(samples), blocks), blocks)


def complete(trials: Sequence[ContestTrial]) -> list[ContestTrial]:
    """The trials of the rounds that all fuzzers have completed, so that all have the same number."""
    names = {trial.fuzzer for trial in trials}
    had: dict[tuple[str, int, float], set[str]] = {}
    for trial in trials:
        had.setdefault((trial.benchmark, trial.number, trial.seconds), set()).add(trial.fuzzer)
    return [each for each in trials if had[each.benchmark, each.number, each.seconds] == names]
