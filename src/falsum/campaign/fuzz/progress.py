"""FuzzState: where a campaign over scripts is, as it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from falsum.campaign.fuzz.tally import FuzzTally
from falsum.campaign.progress import Status

_WORDS: Final = ("sat", "unsat", "unknown", "timed out", "rejected", "crashed")


@dataclass(frozen=True, slots=True)
class FuzzState:
    """`filtered` of the `seeds` are left out."""

    status: Status
    tally: FuzzTally
    seeds: int
    filtered: int

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
            return f"{max(0, self.status.count - self.tally.mutants)} mutants left"
        return self.status.time_left

    def opening(self) -> str:
        return f"{self.seeds} seeds"

    def line(self) -> str:
        counts = self.tally.answers()
        said = ", ".join(f"{counts[word]} {word}" for word in _WORDS if counts[word])
        return (
            f"{self.tally.mutants} mutants ({self._rate}); {said or 'no answers'}; "
            f"{self.inside:.0%} of CPU time inside solvers, {self._lost}; "
            f"found {self.status.found or 'nothing'}"
        )

    def panel(self) -> Iterator[tuple[str, str]]:
        counts = self.tally.answers()
        yield "mutants", f"{self.tally.mutants} ({self._rate})   {self.left}"
        yield "answers", "   ".join(f"{word} {counts[word]}" for word in _WORDS)
        yield "CPU time", f"{self.inside:.0%} inside solvers; {self._lost}"
        yield "seeds", f"{self.seeds - self.filtered} of {self.seeds}"
        yield "found", self.status.found or "nothing yet"

    def summary(self) -> Iterator[tuple[str, str]]:
        tally = self.tally
        yield "mutants", f"{tally.mutants} ({self._rate})"
        yield "seeds", f"{self.seeds}, {self.filtered} left out"
        for solver, words in tally.said.items():
            yield solver, ", ".join(f"{count} {word}" for word, count in sorted(words.items()))
        yield "time-outs", f"{self._lost}; {tally.abandoned} mutants given up"
        inside, own = tally.solver_cpu, self._own_cpu
        yield "CPU time", f"{inside:.1f} s inside solvers, {own:.1f} s in falsum ({self.inside:.0%} inside)"
        if tally.faults:
            yield "internal errors", str(tally.faults)

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
            "abandoned": tally.abandoned,
            "granted": tally.granted,
            "findings": status.kinds,
            "faults": tally.faults,
            "seeds": self.seeds,
            "filtered": self.filtered,
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
