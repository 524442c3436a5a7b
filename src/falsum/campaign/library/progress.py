"""What people and scripts see of a campaign over libraries."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from pathlib import Path

    from falsum.campaign.library.batch import ApiTally
    from falsum.campaign.library.campaign import ApiState
    from falsum.store.records import FindingRecord

_EVERY: Final = 5.0
_MOST_ERRORS: Final = 10


class Lines:
    """A line now and then on standard error."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def look(self, state: ApiState) -> None:
        if time.monotonic() - self._last >= _EVERY:
            self._last = time.monotonic()
            _say(f"{state.elapsed:7.0f} s  {_row(state.total, state)}")

    def finding(self, record: FindingRecord, folder: Path) -> None:
        _say(f"found {record.signature}\n      {record.evidence}\n      {folder}")

    def end(self, state: ApiState, ended: str) -> None:
        """The summary goes to standard output, by whoever has it."""


class Events:
    """JSON lines on standard output."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def look(self, state: ApiState) -> None:
        if time.monotonic() - self._last >= _EVERY:
            self._last = time.monotonic()
            _tell({"event": "progress"} | plain(state))

    def finding(self, record: FindingRecord, folder: Path) -> None:
        assert record.trace is not None
        _tell(
            {
                "event": "finding", "kind": record.kind, "signature": record.signature, "rng": record.rng,
                "solver": record.trace.solver, "evidence": record.evidence, "folder": str(folder),
                "trace": record.trace.small,
            }
        )  # fmt: skip

    def end(self, state: ApiState, ended: str) -> None:
        _tell({"event": "summary", "ended": ended} | plain(state))


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def _tell(row: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


def plain(state: ApiState) -> dict[str, Any]:
    total = state.total
    return {
        "elapsed": round(state.elapsed, 2),
        "jobs": state.jobs,
        "findings": state.findings,
        "runs_per_second": round(total.runs / state.elapsed, 2) if state.elapsed else 0.0,
        **msgspec.to_builtins(total),
        "solvers": {name: msgspec.to_builtins(tally) for name, tally in state.tallies.items()},
    }


def _row(tally: ApiTally, state: ApiState) -> str:
    said = "  ".join(f"{word} {tally.verdicts.get(word, 0)}" for word in ("sat", "unsat", "unknown"))
    rate = tally.runs / state.elapsed if state.elapsed else 0.0
    slow = tally.endings.get("timed out", 0)
    return f"runs {tally.runs}  {rate:.1f}/s  {said}  timed out {slow}  findings {state.findings}"


def summary(state: ApiState, ended: str) -> Iterator[str]:
    """What came of it, for people."""
    yield f"{ended} after {state.elapsed:.1f} s: {_row(state.total, state)}"
    for name, tally in state.tallies.items():
        endings = "  ".join(f"{ending} {count}" for ending, count in sorted(tally.endings.items()))
        mean = tally.lines / tally.runs if tally.runs else 0.0
        yield f"{name}: runs {tally.runs}  {endings}  {mean:.0f} lines a run"
        common = sorted(tally.errors.items(), key=lambda item: -item[1])
        for message, count in common[:_MOST_ERRORS]:
            yield f"  {count} × {message}"
        if len(common) > _MOST_ERRORS:
            yield f"  and {len(common) - _MOST_ERRORS} other messages"
