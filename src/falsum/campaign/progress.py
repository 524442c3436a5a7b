"""Progress of a campaign: what people and scripts see while it runs and when it ends."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TextIO

import msgspec
from rich.console import Console
from rich.live import Live
from rich.panel import Panel
from rich.table import Table

from falsum.campaign.executors.executor import WorkerStatus
from falsum.campaign.outcome import KILLED
from falsum.campaign.triage.result import is_about_reference
from falsum.plugins import files
from falsum.plural import counted
from falsum.printable import printable
from falsum.store.finding_folder import digest_in
from falsum.store.records import BatchRecord, FaultRecord, FindingRecord

COUNTED: Final = "count reached"
TIMED: Final = "time limit reached"
FOUND_ENOUGH: Final = "number of findings reached"
INTERRUPTED: Final = "interrupted"
EXHAUSTED: Final = "nothing left to do"
_EVERY_SECONDS: Final = 5.0
# Longer names in the first column of a table are broken, so that the numbers fit.
_NAME_WIDTH: Final = 9
_FINDING_FIELDS: Final = (
    "kind", "suspects", "signature", "digest", "evidence", "strategy", "rng", "batch", "place"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Status:
    """The status of a campaign of any kind.

    `elapsed` includes earlier runs, `cpu` is the CPU time of this process. `kinds` counts findings by kind,
    `sightings` repeated findings, `faults` internal errors.
    """

    elapsed: float
    cpu: float
    jobs: int
    kinds: dict[str, int]
    sightings: int
    count: int | None
    seconds: float | None
    faults: int = 0
    workers: WorkerStatus | None = None

    @property
    def clock(self) -> str:
        return duration_text(self.elapsed)

    @property
    def time_left(self) -> str:
        if self.seconds is None:
            return "until Ctrl-C"
        return f"{duration_text(max(0.0, self.seconds - self.elapsed))} left"

    @property
    def found(self) -> str:
        """The findings, as `3 findings: 2 crash, 1 claim`; "" if there are none."""
        if not self.kinds:
            return ""
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.kinds.items())
        return f"{counted(sum(self.kinds.values()), 'finding')}: {kinds}"

    def cluster_rows(self) -> Iterator[tuple[str, str]]:
        """The row about the workers of a cluster, if any."""
        if self.workers is not None:
            yield "cluster", self.workers.text

    def plain_cluster(self) -> dict[str, Any]:
        return {} if self.workers is None else {"cluster": msgspec.to_builtins(self.workers)}

    def rate(self, count: int) -> str:
        return f"{count / self.elapsed if self.elapsed else 0.0:.1f}/s"


class State(Protocol):
    """The progress of one kind of campaign, as it is shown."""

    @property
    def title(self) -> str:
        """The command."""
        ...

    @property
    def status(self) -> Status: ...

    @property
    def answered(self) -> bool:
        """Whether any solver answered; if not, finding nothing means nothing."""
        ...

    @property
    def gone(self) -> Mapping[str, str]:
        """Solvers that became unusable, each with the reason."""
        ...

    def opening(self) -> str:
        """What the campaign starts with."""
        ...

    @property
    def left(self) -> str:
        """What remains to be done."""
        ...

    def line(self) -> str:
        """Work done and findings, in one line."""
        ...

    def panel(self) -> Iterator[tuple[str, str]]:
        """The rows of the live panel."""
        ...

    def summary(self) -> Iterator[tuple[str, str]]:
        """The rows of the table at the end."""
        ...

    def table(self) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
        """A second table at the end: header and rows, if any."""
        ...

    def plain(self) -> dict[str, Any]:
        """The progress as plain data, for `--json`."""
        ...


class Watcher(Protocol):
    """Gets the events of a campaign."""

    def begin(self, state: State) -> None: ...
    def look(self, state: State) -> None: ...
    def finding(self, finding: FindingRecord, folder: Path) -> None: ...
    def triaged(self, folder: Path, result: str) -> None: ...
    def seed(self, name: str, reason: str) -> None: ...
    def solver(self, name: str, reason: str) -> None: ...
    def paused(self, why: str) -> None:
        """Called when the campaign waits until the machine has what it lacks."""
        ...

    def again(self, number: int, why: str) -> None:
        """Called when a batch is run again because its worker was killed."""
        ...

    def fault(self, batch: BatchRecord, fault: FaultRecord) -> None: ...
    def end(self, state: State, reason: str) -> None: ...
    def close(self) -> None:
        """Restore the terminal, whatever happened."""
        ...


class QuietWatcher:
    """Prints nothing."""

    def begin(self, state: State) -> None:
        pass

    def look(self, state: State) -> None:
        pass

    def finding(self, finding: FindingRecord, folder: Path) -> None:
        pass

    def triaged(self, folder: Path, result: str) -> None:
        pass

    def seed(self, name: str, reason: str) -> None:
        pass

    def solver(self, name: str, reason: str) -> None:
        pass

    def again(self, number: int, why: str) -> None:
        pass

    def paused(self, why: str) -> None:
        pass

    def fault(self, batch: BatchRecord, fault: FaultRecord) -> None:
        pass

    def end(self, state: State, reason: str) -> None:
        pass

    def close(self) -> None:
        pass


class PlainWatcher:
    """Writes plain lines to a stream that is not a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._last = 0.0

    def begin(self, state: State) -> None:
        workers = state.status.workers
        where = f"{workers.text} at {workers.address}" if workers else counted(state.status.jobs, "job")
        self._write(f"{state.opening()}; {where}; {state.left}")
        self._last = time.monotonic()

    def look(self, state: State) -> None:
        if time.monotonic() - self._last >= _EVERY_SECONDS:
            self._last = time.monotonic()
            cluster = "".join(f"; {text}" for _name, text in state.status.cluster_rows())
            self._write(f"{state.status.clock}: {state.line()}{cluster}; {state.left}")

    def finding(self, finding: FindingRecord, folder: Path) -> None:
        role = " (reference)" if is_about_reference(finding, None) else ""
        self._write(
            f"found {finding.digest}: {finding.kind} in {', '.join(finding.suspects)}{role}; {folder}"
        )

    def triaged(self, folder: Path, result: str) -> None:
        self._write(f"triaged {digest_in(folder.name)}: {result}")

    def seed(self, name: str, reason: str) -> None:
        if reason.startswith(("unreadable", "cost a worker")):
            self._write(f"seed left out: {name}: {reason}")

    def solver(self, name: str, reason: str) -> None:
        self._write(f"solver left out: {name}: {reason}")

    def paused(self, why: str) -> None:
        self._write(f"paused: {why}; the campaign goes on when that has changed (Ctrl-C ends it)")

    def again(self, number: int, why: str) -> None:
        self._write(f"batch {number} is run again: {why}")

    def fault(self, batch: BatchRecord, fault: FaultRecord) -> None:
        last = fault.text.strip().splitlines()[-1]
        if batch.ending == KILLED:
            self._write(f"batch {batch.number} is given up, killed time and again: {last}")
            return
        what = "error" if last.startswith("plug-in ") else "internal error"
        self._write(f"{what} in batch {batch.number} ({batch.strategy}, {batch.seed}): {last}")

    def end(self, state: State, reason: str) -> None:
        self._write(ending(state, reason))

    def close(self) -> None:
        pass

    def _write(self, text: str) -> None:
        self._stream.write(f"falsum: {printable(text)}\n")
        self._stream.flush()


class LiveWatcher(PlainWatcher):
    """Shows a live panel on a terminal; events scroll by above it."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._console = Console(file=stream, highlight=False, markup=False)
        self._live = Live(console=self._console, refresh_per_second=4, transient=True)

    def begin(self, state: State) -> None:
        self._live.start()
        self.look(state)

    def look(self, state: State) -> None:
        grid = Table.grid(padding=(0, 2))
        for row in (*state.panel(), *state.status.cluster_rows()):
            grid.add_row(*map(printable, row))
        self._live.update(Panel(grid, title=f"{state.title}  {state.status.clock}", expand=False))

    def end(self, state: State, reason: str) -> None:
        self._live.stop()
        super().end(state, reason)

    def close(self) -> None:
        self._live.stop()

    def _write(self, text: str) -> None:
        self._console.print(printable(text), markup=False, soft_wrap=True)


class JsonWatcher(PlainWatcher):
    """Writes events as JSON lines to one stream, and plain lines to another."""

    def __init__(self, out: TextIO, stream: TextIO) -> None:
        super().__init__(stream)
        self._out = out

    def begin(self, state: State) -> None:
        super().begin(state)
        self._event("begin", _plain(state))

    def look(self, state: State) -> None:
        before = self._last
        super().look(state)
        if self._last != before:
            self._event("progress", _plain(state))

    def finding(self, finding: FindingRecord, folder: Path) -> None:
        super().finding(finding, folder)
        fields: dict[str, Any] = {name: getattr(finding, name) for name in _FINDING_FIELDS}
        fields |= {"seeds": [name for name, _text in finding.seeds], "folder": str(folder)}
        if finding.trace is not None:
            fields |= {"solver": finding.trace.solver, "trace": finding.trace.small}
        self._event("finding", fields)

    def triaged(self, folder: Path, result: str) -> None:
        super().triaged(folder, result)
        self._event("triaged", {"folder": folder.name, "said": result})

    def seed(self, name: str, reason: str) -> None:
        super().seed(name, reason)
        self._event("seed", {"seed": name, "filtered": reason})

    def solver(self, name: str, reason: str) -> None:
        super().solver(name, reason)
        self._event("solver", {"solver": name, "left_out": reason})

    def paused(self, why: str) -> None:
        super().paused(why)
        self._event("paused", {"why": why})

    def again(self, number: int, why: str) -> None:
        super().again(number, why)
        self._event("again", {"batch": number, "why": why})

    def fault(self, batch: BatchRecord, fault: FaultRecord) -> None:
        super().fault(batch, fault)
        fields = {"batch": batch.number, "strategy": batch.strategy, "seed": batch.seed}
        self._event("fault", fields | {"place": fault.place, "text": fault.text})

    def end(self, state: State, reason: str) -> None:
        super().end(state, reason)
        self._event("end", {"ended": reason} | _plain(state))

    def _event(self, name: str, body: dict[str, Any]) -> None:
        self._out.write(json.dumps({"event": name} | body) + "\n")
        self._out.flush()


def _plain(state: State) -> dict[str, Any]:
    return state.plain() | state.status.plain_cluster()


def ending(state: State, reason: str) -> str:
    """How a campaign ended, in one line."""
    how = "interrupted" if reason == INTERRUPTED else "finished"
    return f"{how} after {state.status.clock}: {state.line()}"


def summary_table(state: State, reason: str) -> Table:
    """The table at the end."""
    table = Table(title=f"{state.title}: {reason}", show_header=False, title_justify="left")
    table.add_column(style="bold")
    table.add_column()
    table.add_row("time", f"{state.status.clock} with {counted(state.status.jobs, 'job')}")
    for row in (*state.status.cluster_rows(), *state.summary()):
        table.add_row(*map(printable, row))
    if state.status.faults:
        table.add_row(
            "errors of falsum or plug-ins" if files() else "internal errors", str(state.status.faults)
        )
    table.add_row("found", state.status.found or ("nothing wrong" if state.answered else "nothing answered"))
    return table


def detail_table(state: State) -> Table | None:
    """The second table at the end, such as the one of the strategies."""
    header, rows = state.table()
    if not header:
        return None
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(header[0], style="bold", overflow="fold", min_width=_NAME_WIDTH)
    for name in header[1:]:
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*map(printable, row))
    return table


def duration_text(seconds: float) -> str:
    """Seconds as 0:59, 59:59 or 23:59:59."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
