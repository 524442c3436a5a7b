"""Traces of library calls for `falsum reduce`: made small while the same call fails in the same way."""

from __future__ import annotations

import json
from pathlib import Path

from falsum.api.fuzzer import Fuzzer
from falsum.api.trace import Trace
from falsum.api.traces.reduction import TraceReduction
from falsum.api.traces.reduction import reduce_trace as reduced
from falsum.app import exit_codes
from falsum.app.library.replay_trace import adapted, solver_of, trace_settings
from falsum.app.library.solvers import reference_solvers
from falsum.app.terminal import echo, echo_exactly
from falsum.ddmin import Budget, StopReason
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


def reduce_trace(
    trace: Trace,
    names: tuple[str, ...],
    budget: Budget,
    timeout: float | None,
    memory: int | None,
    out: Path | None,
    *,
    as_json: bool,
) -> int:
    """Reduce a trace on the solver named, or on its own, and write it; returns the exit code."""
    if len(names) > 1:
        raise UsageError("a trace is reduced on one library; use --solver once")
    zoo = Zoo()
    solver = resolve(names[0], zoo) if names else solver_of(trace, zoo)
    settings = trace_settings(timeout, memory)
    others = reference_solvers(solver, zoo, settings.compare_with)
    given = adapted(solver, trace)
    with Fuzzer(solver, settings, others) as fuzzer:
        failure = fuzzer.replay(given)
        if not failure.is_wrong:
            how = f"{failure.status} {failure.kind} {failure.evidence}".rstrip()
            raise UsageError(
                f"nothing to reduce: replayed on {solver.name}, the trace shows no failure ({how})"
            )
        echo(f"falsum: keeping {failure.signature}", err=True)
        found = reduced(fuzzer, failure, budget)
    _write(found, out, as_json=as_json)
    if found.stop is StopReason.INTERRUPTED:
        return exit_codes.INTERRUPTED
    return 0 if found.is_confirmed else exit_codes.FOUND


def _write(found: TraceReduction, out: Path | None, *, as_json: bool) -> None:
    text = str(found.trace)
    if out is not None:
        try:
            out.write_text(text, encoding="utf-8")
        except OSError as error:
            raise SurroundingsError(f"{out}: {error.strerror}") from error
    if as_json:
        shown = {
            "trace": text, "lines_before": found.lines_before, "lines": len(found.trace.steps),
            "tests": found.tests, "seconds": found.seconds, "stop": found.stop.name.lower(),
            "is_confirmed": found.is_confirmed,
        }  # fmt: skip
        echo(json.dumps(shown))
        return
    if out is None:
        echo_exactly(text)
    echo(
        f"falsum: {found.lines_before} → {len(found.trace.steps)} lines in {found.tests} tests"
        f" and {found.seconds:.1f} s; {found.stop.value}",
        err=True,
    )
    if not found.is_confirmed:
        echo("falsum: flaky: the smallest trace did not fail in the same way in a fresh process", err=True)
