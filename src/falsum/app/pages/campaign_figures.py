"""CampaignFigures: the figures, plots and tables about one campaign."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Final

from falsum.app.pages.plots import Plot, Series
from falsum.campaign.progress import duration_text
from falsum.store.reader import StoreReader
from falsum.store.records import (
    Activity,
    ArmRecord,
    CampaignRecord,
    RareEdge,
    StrategyTotal,
    TimeSlot,
)

# A campaign that has not written for so long has been killed, or its machine sleeps.
_SILENT_SECONDS: Final = 60.0
_MOST_POINTS: Final = 60
_LEAST_SECONDS: Final = 5.0
# What is counted of answers, with the role of its colour; what else there is counts as other.
_ANSWERS: Final = {
    "sat": "one", "unsat": "two", "unknown": "three", "timed out": "four", "rejected": "five",
    "crashed": "bad",
}  # fmt: skip
_OTHER: Final = "other"
_SHOWN_ARMS: Final = 15
_SHOWN_EDGES: Final = 15


@dataclass(frozen=True, slots=True)
class StrategyYield:
    """A strategy, or a library, and its yield; shares are of all answers."""

    name: str
    made: int
    decided: float
    rejected: float
    timed_out: float
    cpu: float
    found: int
    sightings: int

    @property
    def per_cpu_hour(self) -> float | None:
        """New findings for each hour of CPU time; None if less than a minute was used."""
        return self.found * 3600 / self.cpu if self.cpu >= 60 else None


@dataclass(frozen=True)
class CampaignFigures:
    """The figures of a campaign; `now` is when they were read, `arms` are those of a learning schedule, cut
    off.
    """

    campaign: CampaignRecord
    slots: tuple[TimeSlot, ...]
    totals: tuple[StrategyTotal, ...]
    activity: Activity | None
    faults: int
    now: float
    arms: tuple[ArmRecord, ...] = ()
    arm_count: int = 0
    rarest: tuple[RareEdge, ...] = ()

    @property
    def is_library(self) -> bool:
        return "api" in self.campaign.plan

    @property
    def noun(self) -> str:
        return "run" if self.is_library else "mutant"

    @property
    def is_running(self) -> bool:
        return self.activity is not None and self.silent_seconds < _SILENT_SECONDS

    @property
    def silent_seconds(self) -> int:
        """The seconds since the campaign last recorded anything."""
        return max(0, round(self.now - self.activity.at)) if self.activity is not None else 0

    @property
    def status(self) -> str:
        """The status of the campaign, in a few words."""
        clock = duration_text(self.campaign.elapsed)
        if self.is_running:
            return f"running for {clock}"
        if self.activity is not None:
            return f"silent for {duration_text(self.silent_seconds)}: killed or paused after {clock}"
        return f"{self.campaign.ended or 'not ended'} after {clock}"

    @property
    def solvers(self) -> list[str]:
        plan = self.campaign.plan
        if self.is_library:
            return [name for name, *_others in plan["api"].get("solvers", ())]
        return list(plan.get("solvers", ()))

    @property
    def strategies(self) -> list[str]:
        return [] if self.is_library else list(self.campaign.plan.get("strategies", ()))

    @cached_property
    def made(self) -> int:
        return sum(one.made for one in self.totals)

    @property
    def rate(self) -> float:
        return self.made / self.campaign.elapsed if self.campaign.elapsed else 0.0

    @property
    def found(self) -> int:
        return sum(one.found for one in self.totals)

    @property
    def sightings(self) -> int:
        return sum(one.sightings for one in self.totals)

    @property
    def batches(self) -> int:
        return sum(one.batches for one in self.totals)

    @property
    def lost(self) -> int:
        """The number of batches that did not come back from their worker."""
        return sum(one.lost for one in self.totals)

    @property
    def inside(self) -> float | None:
        """The share of CPU time inside solvers; for libraries only the sum is known."""
        solver, own = self._sum("solver_cpu"), self._sum("own_cpu")
        return solver / (solver + own) if solver + own else None

    @property
    def cpu(self) -> float:
        return sum(_cpu(one.tally) for one in self.totals)

    @property
    def timeout_share(self) -> float | None:
        """The share of solver time that was lost to time-outs; for libraries, the share of runs."""
        if self.is_library:
            endings = self._merged("endings")
            total = sum(endings.values())
            return endings.get("timed out", 0) / total if total else None
        waited = self._sum("solver_seconds")
        return self._sum("timeout_seconds") / waited if waited else None

    @property
    def seconds_per_batch(self) -> float:
        seconds = sum(one.seconds for one in self.totals)
        return seconds / self.batches if self.batches else 0.0

    @property
    def busy_share(self) -> float | None:
        """The share of the workers' time that was spent in batches; known while a campaign runs."""
        if self.activity is None or not self.activity.jobs or not self.campaign.elapsed:
            return None
        seconds = sum(one.seconds for one in self.totals)
        return min(1.0, seconds / (self.campaign.elapsed * self.activity.jobs))

    def _sum(self, field: str) -> float:
        return float(sum(one.tally.get(field, 0) for one in self.totals))

    def _merged(self, field: str) -> dict[str, int]:
        total: dict[str, int] = {}
        for one in self.totals:
            for key, value in one.tally.get(field, {}).items():
                total[key] = total.get(key, 0) + value
        return total

    @cached_property
    def answers(self) -> dict[str, int]:
        """The answers of all solvers together, in a fixed order."""
        return _summed(answers_in(one.tally) for one in self.totals)

    @property
    def rows(self) -> list[StrategyYield]:
        """The strategies or libraries, those with most findings first."""
        rows = [_strategy_row(one) for one in self.totals]
        return sorted(rows, key=lambda row: (-row.found, -row.made, row.name))

    @property
    def edges(self) -> list[tuple[str, str, int]]:
        """The edges of instrumented solvers that each strategy was the first to reach in each configuration,
        most edges first.
        """
        rows = [
            (one.name, configuration, count)
            for one in self.totals
            for configuration, count in one.tally.get("edges", {}).items()
        ]
        return sorted(rows, key=lambda row: (-row[2], row))

    @cached_property
    def plots(self) -> list[Plot]:
        points = _points(self.slots, self.campaign.elapsed)
        edges = tuple(point.end for point in points)
        rate = Series(f"{self.noun}s", "one", tuple(point.made / point.width for point in points))
        counts, total = [], 0
        for point in points:
            total += point.found
            counts.append(float(total))
        plots = [
            Plot("throughput", "Throughput", f"{self.noun}s per second", edges, (rate,)),
            Plot("cpu", "CPU time", "cores", edges, self._cpu_series(points), stacked=True),
            Plot("answers", "Answers", "per second", edges, _answer_series(points), stacked=True),
            Plot("timeouts", "Time-outs", "per second", edges, (_timeout_series(points),)),
            Plot("findings", "Findings", "in all", edges, (Series("findings", "bad", tuple(counts)),),
                 steps=True),
        ]  # fmt: skip
        if self.edges:
            reached = tuple(float(one) for one in accumulate(point.edges for point in points))
            series = (Series("edges", "one", reached),)
            plots.append(Plot("edges", "Edges reached", "in all", edges, series, steps=True))
        return plots

    def _cpu_series(self, points: list[_Point]) -> tuple[Series, ...]:
        if self.is_library:
            cpu = tuple(point.tally.get("cpu", 0.0) / point.width for point in points)
            return (Series("solver and checks", "one", cpu),)
        inside = tuple(point.tally.get("solver_cpu", 0.0) / point.width for point in points)
        own = tuple(point.tally.get("own_cpu", 0.0) / point.width for point in points)
        return (Series("inside solvers", "one", inside), Series("in falsum", "two", own))


def read_figures(store: StoreReader, number: int | None = None) -> CampaignFigures | None:
    """The figures of a campaign, or of the last one; None if there is none."""
    campaign = store.campaign(number)
    if campaign is None:
        return None
    arm_count, arms = store.arms(campaign.id, _SHOWN_ARMS)
    strategy_totals = tuple(store.strategy_totals(campaign))
    has_edges = any("edges" in one.tally for one in strategy_totals)
    return CampaignFigures(
        campaign,
        tuple(store.timeline(campaign)),
        strategy_totals,
        store.activity(campaign.id),
        store.fault_count(campaign.id),
        time.time(),
        tuple(arms),
        arm_count,
        tuple(store.rarest_edges(campaign.id, _SHOWN_EDGES)) if has_edges else (),
    )


def answers_in(tally: Mapping[str, Any]) -> dict[str, int]:
    """The answers of solvers: verdicts, and endings without a verdict."""
    if "said" in tally:
        return _summed(tally["said"].values())
    endings = {word: count for word, count in tally.get("endings", {}).items() if word in _ANSWERS}
    return _summed([tally.get("verdicts", {}), endings])


def _summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total = dict.fromkeys(_ANSWERS, 0)
    for each in counts:
        for word, count in each.items():
            kind = word if word in _ANSWERS else _OTHER
            total[kind] = total.get(kind, 0) + count
    return total


def _cpu(tally: Mapping[str, Any]) -> float:
    return float(tally.get("solver_cpu", 0.0) + tally.get("own_cpu", 0.0) + tally.get("cpu", 0.0))


def _strategy_row(one: StrategyTotal) -> StrategyYield:
    answers = answers_in(one.tally)
    total = sum(answers.values()) or 1
    decisions = (answers["sat"] + answers["unsat"]) / total
    return StrategyYield(
        one.name, one.made, decisions, answers["rejected"] / total, answers["timed out"] / total,
        _cpu(one.tally),
        one.found, one.sightings,
    )  # fmt: skip


@dataclass(slots=True)
class _Point:
    """Slots that share a point of a plot."""

    end: float
    width: float
    made: int
    found: int
    tally: dict[str, Any]
    said: dict[str, int]
    edges: int = 0


def _points(slots: Iterable[TimeSlot], elapsed: float) -> list[_Point]:
    """The slots merged into a limited number of points, empty ones included; the last may be shorter."""
    slots = list(slots)
    if not slots:
        return []
    width = slots[0].width
    end = max(elapsed, slots[-1].start + 0.1)
    while width < _LEAST_SECONDS or end / width > _MOST_POINTS:
        width *= 2
    points = []
    for number in range(int(end / width) + 1):
        start = number * width
        if start < end:
            last = min(end, start + width)
            points.append(_Point(last, last - start, 0, 0, {}, dict.fromkeys(_ANSWERS, 0)))
    for slot in slots:
        point = points[min(int(slot.start / width), len(points) - 1)]
        point.made += slot.made
        point.found += slot.found
        point.edges += sum(slot.tally.get("edges", {}).values())
        point.said = _summed([point.said, answers_in(slot.tally)])
        for name in ("solver_cpu", "own_cpu", "cpu"):
            point.tally[name] = point.tally.get(name, 0.0) + slot.tally.get(name, 0.0)
    if len(points) > 1 and points[-1].width < width / 2:
        _join_last(points)
    return points


def _join_last(points: list[_Point]) -> None:
    """The points with the last one merged into the one before if it is short, because short points are
    unsteady.
    """
    last, before = points.pop(), points[-1]
    before.end, before.width = last.end, before.width + last.width
    before.made += last.made
    before.found += last.found
    before.edges += last.edges
    before.said = _summed([before.said, last.said])
    for name, value in last.tally.items():
        before.tally[name] = before.tally.get(name, 0.0) + value


def _answer_series(points: list[_Point]) -> tuple[Series, ...]:
    series = [
        Series(word, role, tuple(point.said[word] / point.width for point in points))
        for word, role in _ANSWERS.items()
    ]
    other = tuple(point.said.get(_OTHER, 0) / point.width for point in points)
    return tuple(one for one in (*series, Series(_OTHER, "six", other)) if any(one.values)) or (series[0],)


def _timeout_series(points: list[_Point]) -> Series:
    return Series("time-outs", "four", tuple(point.said["timed out"] / point.width for point in points))
