"""FuzzState: the progress of a campaign over scripts, as it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from falsum.campaign.fuzz.strategy_rows import COLUMNS, StrategyRow
from falsum.campaign.progress import Status
from falsum.campaign.search.focus import FocusReached
from falsum.campaign.search.search import ArmRow
from falsum.campaign.tally import FuzzTally
from falsum.defects.kinds.invalid_model import MODELS_LEFT
from falsum.plural import counted

_VERDICTS: Final = ("sat", "unsat", "unknown")
# Always shown; what else there was follows.
_WORDS: Final = (*_VERDICTS, "timed out", "rejected", "crashed")

# Arms with most CPU time in the summary, and in events.
_SHOWN_ARMS: Final = 4
_TOLD_ARMS: Final = 100
# Functions in focus in the summary that were never reached.
_SHOWN_MISSING: Final = 20


@dataclass(frozen=True, slots=True)
class FuzzState:
    """`filtered` of the `seeds` are left out, `costly` ones of them because they cost workers; `rows` are the
    strategies by name; `arms` are what a schedule that learns chooses from, `grown` counts the seeds it made;
    `gone` are solvers that cannot be asked any more, each with the reason; `edges` says how many instrumented
    solvers have reached, `focus` how much of the code in focus.
    """

    status: Status
    tally: FuzzTally
    seeds: int
    filtered: int
    rows: Mapping[str, StrategyRow] = field(default_factory=dict)
    costly: tuple[str, ...] = ()
    arms: Sequence[ArmRow] = ()
    grown: int = 0
    gone: Mapping[str, str] = field(default_factory=dict)
    edges: Mapping[str, int] = field(default_factory=dict)
    focus: Mapping[str, FocusReached] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return "falsum fuzz"

    @property
    def inside(self) -> float:
        """The share of CPU time spent inside solvers."""
        total = self.tally.solver_cpu + self._own_cpu
        return self.tally.solver_cpu / total if total else 0.0

    @property
    def left(self) -> str:
        if self.status.count is not None:
            return f"{counted(max(0, self.status.count - self.tally.mutants), 'mutant')} left"
        return self.status.time_left

    @property
    def answered(self) -> bool:
        return any(word in _VERDICTS for words in self.tally.said.values() for word in words)

    def opening(self) -> str:
        return counted(self.seeds, "seed")

    def line(self) -> str:
        counts = self.tally.answers()
        words = ", ".join(f"{counts[word]} {word}" for word in _words(counts) if counts[word])
        return (
            f"{counted(self.tally.mutants, 'mutant')} ({self._rate}); {words or 'no answers'}; "
            f"{self.inside:.0%} of CPU time inside solvers, {self._lost}; "
            f"{self.status.found or 'nothing found'}"
        )

    def panel(self) -> Iterator[tuple[str, str]]:
        counts = self.tally.answers()
        yield "mutants", f"{self.tally.mutants} ({self._rate})   {self.left}"
        yield "answers", "   ".join(f"{word} {counts[word]}" for word in _words(counts))
        yield "CPU time", f"{self.inside:.0%} inside solvers; {self._lost}"
        yield "seeds", f"{self.seeds - self.filtered} of {self.seeds} in use"
        yield "found", self.status.found or "nothing yet"

    def summary(self) -> Iterator[tuple[str, str]]:
        tally = self.tally
        yield "mutants", f"{tally.mutants} ({self._rate})"
        why = " (falsum summary says why)" if self.filtered else ""
        yield "seeds", f"{self.seeds}, {self.filtered} left out{why}"
        if tally.repeated or tally.too_long or tally.not_horn:
            repeats = counted(tally.repeated, "repeat")
            horn = f", {tally.not_horn} no longer Horn clauses" if tally.not_horn else ""
            yield "not asked", f"{repeats} of other mutants, {tally.too_long} too long{horn}"
        for solver, why in self.gone.items():
            yield "left out", f"{solver}: {why}"
        if tally.unconfirmed:
            yield "not confirmed", f"{counted(tally.unconfirmed, 'crash', 'crashes')} of no new process"
        if tally.models_left:
            yield "not looked at", f"models of {counted(tally.models_left, 'script')} {MODELS_LEFT}"
        if self.costly:
            yield "cost a worker twice", "\n".join(self.costly)
        for solver, words in tally.said.items():
            yield solver, ", ".join(f"{count} {word}" for word, count in sorted(words.items()))
        saturated = sum(len(row.saturated) for row in self.rows.values())
        if saturated:
            yield "saturated", f"{counted(saturated, 'seed')} of which a strategy has no more mutants"
        if self.arms:
            arms = self.arms[:_SHOWN_ARMS]
            yield f"arms ({len(arms)} of {len(self.arms)})", "\n".join(row.line() for row in arms)
            yield "grown", f"{counted(self.grown, 'mutant')} with new behaviour among the seeds"
        for solver, count in self.edges.items():
            yield "edges reached", f"{count} of {solver}"
        for solver, reached in self.focus.items():
            yield "reached in focus", f"{reached} of {solver}"
            if reached.missing:
                rest = len(reached.missing) - _SHOWN_MISSING
                more = f"\nand {rest} more (--json has all)" if rest > 0 else ""
                yield "never reached", "\n".join(reached.missing[:_SHOWN_MISSING]) + more
        yield "time-outs", f"{self._lost}; {counted(tally.abandoned, 'mutant')} given up"
        inside, own = tally.solver_cpu, self._own_cpu
        yield "CPU time", f"{inside:.1f} s inside solvers, {own:.1f} s in falsum ({self.inside:.0%} inside)"

    def table(self) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
        return ("strategy", *COLUMNS), [(name, *row.cells()) for name, row in self.rows.items()]

    def plain(self) -> dict[str, Any]:
        status, tally = self.status, self.tally
        rate = tally.mutants / status.elapsed if status.elapsed else 0.0
        return {
            "elapsed": round(status.elapsed, 2),
            "mutants": tally.mutants,
            "mutants_per_second": round(rate, 2),
            "inside_solvers": round(self.inside, 4),
            "timeout_share": round(tally.timeout_share, 4),
            "timeout_seconds": round(tally.timeout_seconds, 2),
            "solver_cpu": round(tally.solver_cpu, 2),
            "own_cpu": round(self._own_cpu, 2),
            "said": tally.said,
            "strategies": {strategy: row.plain() for strategy, row in self.rows.items()},
            "arms": [row.plain() for row in self.arms[:_TOLD_ARMS]],
            "grown": self.grown,
            "abandoned": tally.abandoned,
            "granted": tally.granted,
            "unconfirmed": tally.unconfirmed,
            "models_left": tally.models_left,
            "gone": dict(self.gone),
            "edges": dict(self.edges),
            "focus": {solver: reached._asdict() for solver, reached in self.focus.items()},
            "findings": status.kinds,
            "faults": status.faults,
            "seeds": self.seeds,
            "filtered": self.filtered,
            "costly": self.costly,
            "jobs": status.jobs,
        }

    @property
    def _own_cpu(self) -> float:
        return self.tally.own_cpu + self.status.cpu

    @property
    def _rate(self) -> str:
        return self.status.rate(self.tally.mutants)

    @property
    def _lost(self) -> str:
        return f"{self.tally.timeout_share:.0%} of solver time lost to time-outs"


def _words(counts: Mapping[str, int]) -> tuple[str, ...]:
    """The answers to show; every counted answer is included."""
    return (*_WORDS, *sorted(word for word in counts if word not in _WORDS))
