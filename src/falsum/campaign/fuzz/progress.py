"""Progress: what people and scripts see of a campaign while it runs and when it ends."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any, Protocol, TextIO

from rich.console import Console
from rich.live import Live
from rich.panel import Panel
from rich.table import Table

from falsum.campaign.fuzz.tally import Tally
from falsum.store.records import BatchRecord, FaultRecord, FindingRecord

_PLAIN_EVERY = 5.0
_WORDS = ("sat", "unsat", "unknown", "timed out", "rejected", "crashed")


@dataclass(frozen=True, slots=True)
class State:
    """Where a campaign is; `elapsed` includes earlier runs of it, `this_run` does not."""

    tally: Tally
    kinds: dict[str, int]
    elapsed: float
    this_run: float
    engine_cpu: float
    jobs: int
    seeds: int
    filtered: int
    count: int | None
    seconds: float | None

    @property
    def rate(self) -> float:
        """Mutants per second, over all runs."""
        return self.tally.mutants / self.elapsed if self.elapsed else 0.0

    @property
    def inside(self) -> float:
        """The share of CPU inside solvers, the engine's own counted."""
        total = self.tally.solver_cpu + self.tally.own_cpu + self.engine_cpu
        return self.tally.solver_cpu / total if total else 0.0

    @property
    def left(self) -> str:
        if self.count is not None:
            todo = max(0, self.count - self.tally.mutants)
            return f"{todo} mutants left"
        if self.seconds is not None:
            return f"{_time(max(0.0, self.seconds - self.elapsed))} left"
        return "until Ctrl-C"

    def plain(self) -> dict[str, Any]:
        tally = self.tally
        return {
            "elapsed": round(self.elapsed, 2),
            "mutants": tally.mutants,
            "mutants_per_second": round(self.rate, 2),
            "inside_solvers": round(self.inside, 4),
            "timeout_share": round(tally.share_of_timeouts, 4),
            "timeout_seconds": round(tally.timeout_seconds, 2),
            "solver_cpu": round(tally.solver_cpu, 2),
            "own_cpu": round(tally.own_cpu + self.engine_cpu, 2),
            "said": tally.said,
            "abandoned": tally.abandoned,
            "granted": tally.granted,
            "findings": self.kinds,
            "faults": tally.faults,
            "seeds": self.seeds,
            "filtered": self.filtered,
            "jobs": self.jobs,
        }


class Watcher(Protocol):
    """Who is told about a campaign."""

    def begin(self, state: State) -> None: ...
    def look(self, state: State) -> None: ...
    def finding(self, finding: FindingRecord) -> None: ...
    def triaged(self, name: str, said: str) -> None: ...
    def seed(self, name: str, reason: str) -> None: ...
    def fault(self, batch: BatchRecord, fault: FaultRecord) -> None: ...
    def end(self, state: State, ended: str) -> None: ...
    def close(self) -> None:
        """Whatever happened, leave the terminal as it was."""
        ...


class Lines:
    """Plain lines on a stream that is no terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._last = 0.0

    def begin(self, state: State) -> None:
        self._say(f"{state.seeds} seeds, {state.jobs} jobs, {state.left}")
        self._last = time.monotonic()

    def look(self, state: State) -> None:
        if time.monotonic() - self._last >= _PLAIN_EVERY:
            self._last = time.monotonic()
            self._say(line(state))

    def finding(self, finding: FindingRecord) -> None:
        self._say(f"found: {finding.signature}: {finding.evidence}")

    def triaged(self, name: str, said: str) -> None:
        self._say(f"triaged: {name}: {said}")

    def seed(self, name: str, reason: str) -> None:
        if reason.startswith("unreadable"):
            self._say(f"seed left out: {name}: {reason}")

    def fault(self, batch: BatchRecord, fault: FaultRecord) -> None:
        last = fault.text.strip().splitlines()[-1]
        self._say(f"fault in batch {batch.number} ({batch.strategy}, {batch.seed}): {last}")

    def end(self, state: State, ended: str) -> None:
        self._say(f"{ended}; {line(state)}")

    def close(self) -> None:
        pass

    def _say(self, text: str) -> None:
        self._stream.write(f"falsum: {text}\n")
        self._stream.flush()


class Screen(Lines):
    """A live panel on a terminal; what happens scrolls by above it."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._console = Console(file=stream, highlight=False)
        self._live = Live(console=self._console, refresh_per_second=4, transient=True)

    def begin(self, state: State) -> None:
        self._live.start()
        self.look(state)

    def look(self, state: State) -> None:
        self._live.update(_panel(state))

    def end(self, state: State, ended: str) -> None:
        del state
        self._live.stop()
        self._say(ended)

    def close(self) -> None:
        self._live.stop()

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, soft_wrap=True)


class Events(Lines):
    """JSON lines on standard output, and plain lines as well elsewhere."""

    def __init__(self, out: TextIO, stream: TextIO) -> None:
        super().__init__(stream)
        self._out = out

    def begin(self, state: State) -> None:
        super().begin(state)
        self._event("begin", state.plain())

    def look(self, state: State) -> None:
        before = self._last
        super().look(state)
        if self._last != before:
            self._event("progress", state.plain())

    def finding(self, finding: FindingRecord) -> None:
        super().finding(finding)
        names = ("kind", "suspects", "signature", "evidence", "strategy", "batch", "place")
        shown = {name: getattr(finding, name) for name in names}
        self._event(
            "finding", shown | {"digest": finding.digest, "seeds": [name for name, _ in finding.seeds]}
        )

    def triaged(self, name: str, said: str) -> None:
        super().triaged(name, said)
        self._event("triaged", {"folder": name, "said": said})

    def seed(self, name: str, reason: str) -> None:
        super().seed(name, reason)
        self._event("seed", {"seed": name, "filtered": reason})

    def fault(self, batch: BatchRecord, fault: FaultRecord) -> None:
        super().fault(batch, fault)
        shown = {"batch": batch.number, "strategy": batch.strategy, "seed": batch.seed}
        self._event("fault", shown | {"place": fault.place, "text": fault.text})

    def end(self, state: State, ended: str) -> None:
        super().end(state, ended)
        self._event("end", {"ended": ended} | state.plain())

    def _event(self, name: str, body: dict[str, Any]) -> None:
        self._out.write(json.dumps({"event": name} | body) + "\n")
        self._out.flush()


def line(state: State) -> str:
    """All that matters in one line."""
    tally = state.tally
    counts = tally.verdicts()
    said = ", ".join(f"{counts[word]} {word}" for word in _WORDS if counts.get(word))
    found = ", ".join(f"{count} {kind}" for kind, count in state.kinds.items()) or "nothing"
    return (
        f"{_time(state.elapsed)}: {tally.mutants} mutants, {state.rate:.1f} a second; "
        f"{said or 'no answers'}; {state.inside:.0%} of CPU inside solvers, "
        f"{tally.share_of_timeouts:.0%} of solver time in time-outs; "
        f"found {found}; {state.left}"
    )


def summary(state: State, ended: str) -> Table:
    """The table at the end."""
    tally = state.tally
    table = Table(title=f"falsum fuzz: {ended}", show_header=False, title_justify="left")
    table.add_column(style="bold")
    table.add_column()
    table.add_row("time", f"{_time(state.elapsed)} with {state.jobs} jobs")
    table.add_row("mutants", f"{tally.mutants} ({state.rate:.1f} a second)")
    table.add_row("seeds", f"{state.seeds}, of which {state.filtered} left out")
    for solver, words in tally.said.items():
        table.add_row(solver, ", ".join(f"{count} {word}" for word, count in sorted(words.items())))
    table.add_row(
        "time-outs",
        f"{tally.timeout_seconds:.1f} s, {tally.share_of_timeouts:.0%} of the time with solvers; "
        f"{tally.abandoned} mutants abandoned, {tally.granted} full limits granted",
    )
    own = tally.own_cpu + state.engine_cpu
    table.add_row(
        "CPU", f"{tally.solver_cpu:.1f} s inside solvers, {own:.1f} s in falsum: {state.inside:.0%} inside"
    )
    if tally.faults:
        table.add_row("faults of our own", str(tally.faults))
    found = ", ".join(f"{count} {kind}" for kind, count in state.kinds.items())
    table.add_row("found", found or "nothing wrong")
    return table


def _panel(state: State) -> Panel:
    tally = state.tally
    grid = Table.grid(padding=(0, 2))
    grid.add_row("mutants", f"{tally.mutants}   {state.rate:.1f} a second   {state.left}")
    counts = tally.verdicts()
    grid.add_row("answers", "   ".join(f"{word} {counts.get(word, 0)}" for word in _WORDS))
    grid.add_row(
        "CPU", f"{state.inside:.0%} inside solvers; {tally.share_of_timeouts:.0%} of solver time in time-outs"
    )
    grid.add_row("seeds", f"{state.seeds - state.filtered} of {state.seeds}")
    found = "   ".join(f"{kind} {count}" for kind, count in state.kinds.items())
    grid.add_row("found", found or "nothing yet")
    return Panel(grid, title=f"falsum fuzz  {_time(state.elapsed)}", expand=False)


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
