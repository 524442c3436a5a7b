"""Reduces traces of library calls for `falsum reduce`, while the same call fails in the same way."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

from falsum.api.fuzzer import Fuzzer
from falsum.api.run_result import RunResult
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
    match: str | None = None,
    ignored: str | None = None,
    config_file: Path | None = None,
    *,
    as_json: bool,
) -> int:
    """Reduce a trace on the named solver, or on its own, write it, and return the exit code.

    The message of the failure must match a pattern, or must be the same apart from the text that is
    `ignored`.
    """
    patterns = _pattern("--match-err", match), _pattern("--ignore-err", ignored)
    if len(names) > 1:
        raise UsageError("a trace is reduced on one library; use --solver once")
    zoo = Zoo()
    solver = resolve(names[0], zoo) if names else solver_of(trace, zoo)
    settings = trace_settings(timeout, memory, config_file)
    others = reference_solvers(solver, zoo, settings.compare_with)
    trace_adapted = adapted(solver, trace)
    with Fuzzer(solver, settings, others) as fuzzer:
        failure = fuzzer.replay(trace_adapted)
        if not failure.is_wrong:
            how = f"{failure.status} {failure.kind} {failure.evidence}".rstrip()
            raise UsageError(
                f"nothing to reduce: replayed on {solver.name}, the trace shows no failure ({how})"
            )
        if patterns[0] is not None and not patterns[0].search(failure.evidence):
            raise UsageError(f"--match-err: the message does not match {match!r}: {failure.evidence}")
        echo(f"falsum: keeping {failure.signature}", err=True)
        reduction = reduced(fuzzer, failure, budget, partial(shows_same, failure, patterns))
    _write(reduction, out, as_json=as_json)
    if reduction.stop is StopReason.INTERRUPTED:
        return exit_codes.INTERRUPTED
    return 0 if reduction.is_confirmed else exit_codes.FOUND


def _pattern(option: str, text: str | None) -> re.Pattern[str] | None:
    try:
        return None if text is None else re.compile(text)
    except re.error as error:
        raise UsageError(f"{option}: {text!r} is no regular expression: {error}") from None


def shows_same(
    failure: RunResult, patterns: tuple[re.Pattern[str] | None, re.Pattern[str] | None], result: RunResult
) -> bool:
    """Whether a run ends with the same failure: its message matches, or differs only in ignored text."""
    match, ignored = patterns
    if match is not None:
        return result.status is failure.status and match.search(result.evidence) is not None
    if ignored is not None:
        failure, result = (
            replace(each, evidence=ignored.sub("", each.evidence)) for each in (failure, result)
        )
    return result.is_same_failure(failure)


def _write(reduction: TraceReduction, out: Path | None, *, as_json: bool) -> None:
    text = str(reduction.trace)
    if out is not None:
        try:
            out.write_text(text, encoding="utf-8")
        except OSError as error:
            raise SurroundingsError(f"{out}: {error.strerror}") from error
    if as_json:
        fields = {
            "trace": text, "lines_before": reduction.lines_before, "lines": len(reduction.trace.steps),
            "tests": reduction.tests, "seconds": reduction.seconds, "stop": reduction.stop.name.lower(),
            "is_confirmed": reduction.is_confirmed,
        }  # fmt: skip
        echo(json.dumps(fields))
        return
    if out is None:
        echo_exactly(text)
    echo(
        f"falsum: {reduction.lines_before} → {len(reduction.trace.steps)} lines in {reduction.tests} tests"
        f" and {reduction.seconds:.1f} s; {reduction.stop.value}",
        err=True,
    )
    if not reduction.is_confirmed:
        echo("falsum: flaky: the smallest trace did not fail in the same way in a fresh process", err=True)
