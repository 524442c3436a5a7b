"""Traces of library calls for `falsum replay`: replays them, or prints them as a script or a program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from falsum.api.cross_replay import adapt_trace
from falsum.api.fuzzer import Fuzzer
from falsum.api.trace import Trace, read_trace
from falsum.api.traces.program import trace_to_program
from falsum.api.traces.to_script import trace_to_script
from falsum.app.configuration import read_config
from falsum.app.library.solvers import reference_solvers
from falsum.app.script_files import TRACE_START
from falsum.app.terminal import echo
from falsum.errors import SurroundingsError, UsageError
from falsum.smtlib import print_script
from falsum.solvers.solver import Solver, resolve, resolve_received
from falsum.solvers.supervision.process import ProcessRunner
from falsum.solvers.zoo import Zoo

if TYPE_CHECKING:
    from falsum.api.model.settings import Settings
    from falsum.api.run_result import RunResult


def trace_in(name: str, *, required: bool = True) -> Trace | None:
    """The trace in a file; None if there is no such file, or it is no trace and none is `required`."""
    file = Path(name)
    if not file.is_file():
        return None
    try:
        if not required and not file.read_bytes().startswith(TRACE_START.encode()):
            return None
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SurroundingsError(f"{file}: {error}") from error
    if not text.startswith(TRACE_START):
        raise UsageError(f"{file}:1:1: not a trace: the first line is not {TRACE_START!r}")
    return read_trace(text)


def replay(
    trace: Trace, names: tuple[str, ...], timeout: float | None, memory: int | None, *, as_json: bool
) -> bool:
    """Replay a trace on the named solvers, or on its own; returns whether anything was wrong."""
    zoo = Zoo()
    solvers = [resolve(name, zoo) for name in names] or [solver_of(trace, zoo)]
    wrong = False
    for solver in solvers:
        settings = trace_settings(timeout, memory)
        with Fuzzer(solver, settings, reference_solvers(solver, zoo, settings.compare_with)) as fuzzer:
            outcome = fuzzer.replay(adapted(solver, trace))
        wrong |= outcome.is_wrong
        _show(solver, outcome, as_json=as_json)
    return wrong


def as_script(trace: Trace, names: tuple[str, ...]) -> str:
    """The trace in SMT-LIB."""
    solver = resolve(names[0], Zoo()) if names else solver_of(trace, Zoo())
    with Fuzzer(solver) as fuzzer:
        return print_script(trace_to_script(adapted(solver, trace), fuzzer.new_mirror(trace)))


def as_program(trace: Trace, names: tuple[str, ...]) -> str:
    """The trace as a Python program that needs nothing but the library."""
    solver = resolve(names[0], Zoo()) if names else solver_of(trace, Zoo())
    if solver.release is None or solver.release.folder is None:
        raise UsageError(f"{solver.name} is not a library, so there is no program to write for it")
    with ProcessRunner() as runner:
        return trace_to_program(adapted(solver, trace), solver.release, runner)


def solver_of(trace: Trace, zoo: Zoo) -> Solver:
    """The solver that the trace names."""
    if "solver" not in trace.header:
        raise UsageError("the trace has no header `# solver:`; use --solver")
    return resolve_received(trace.header["solver"], zoo)


def adapted(solver: Solver, trace: Trace) -> Trace:
    """The trace without the actions that other products do not have, if it is for another product."""
    with Fuzzer(solver) as fuzzer:
        return adapt_trace(trace, fuzzer)


def trace_settings(timeout: float | None, memory: int | None, config_file: Path | None = None) -> Settings:
    """The settings of `[api]` with limits for a replay, which may take longer than a run."""
    settings = read_config(config_file).api
    changes = {"seconds": timeout or max(settings.seconds, 10.0), "memory": memory or settings.memory}
    return msgspec.structs.replace(settings, **changes)


def _show(solver: Solver, outcome: RunResult, *, as_json: bool) -> None:
    if as_json:
        fields = {
            "solver": solver.name, "ending": str(outcome.status), "kind": outcome.kind,
            "evidence": outcome.evidence, "found": outcome.is_wrong, "skipped": outcome.skipped,
            "verdicts": list(outcome.verdicts), "trace": str(outcome.trace),
        }  # fmt: skip
        echo(json.dumps(fields))
        return
    echo(str(outcome.trace), nl=False)
    skipped = f"; {outcome.skipped} lines left out" if outcome.skipped else ""
    echo(f"{solver.name}: {outcome.status} {outcome.kind} {outcome.evidence}".rstrip() + skipped, err=True)
