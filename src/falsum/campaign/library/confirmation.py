"""Confirmation of failures in a library: reproduced in a fresh child, and recorded as findings.

Traces are also reduced here, and not in triage: if a library gives no message, only the necessary calls tell
findings apart.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from falsum.api.fuzzer import Fuzzer
from falsum.api.run_result import RunResult, RunStatus
from falsum.api.trace import Trace
from falsum.api.traces.program import trace_to_program
from falsum.api.traces.reduction import reduce_trace
from falsum.api.traces.to_script import trace_to_script
from falsum.campaign.triage.job import build_identity
from falsum.ddmin import Budget
from falsum.defects.calls import finding_kind
from falsum.defects.case import Case
from falsum.defects.finding import Finding
from falsum.errors import FalsumError
from falsum.smtlib import print_script
from falsum.solvers.limits import Limits
from falsum.solvers.messages import without_call_noise
from falsum.solvers.solver import Solver
from falsum.solvers.supervision.conditions import expect_good_conditions
from falsum.solvers.supervision.process import ProcessRunner, Program
from falsum.solvers.zoo import Release
from falsum.store.records import TraceRecord
from falsum.strategies.mutant import Mutant

_LEAK: Final = "api-leak"
# The first few findings that look alike get the full time for minimisation, later ones less.
_MAX_FIRST: Final = 3
_FIRST_SECONDS: Final = 60.0
_LATER_SECONDS: Final = 10.0
_PROGRAM_LIMITS: Final = Limits(seconds=60.0)


class Confirmation:
    """Remembers confirmed failures by their appearance before reduction."""

    def __init__(self) -> None:
        self._signatures: dict[str, str] = {}
        self._alike: Counter[str] = Counter()

    def known(self, outcome: RunResult, fuzzer: Fuzzer) -> str:
        """The signature of a known finding that a failure repeats; "" if the failure is new."""
        return self._signatures.get(_look(outcome, fuzzer), "")

    def confirmed(
        self, outcome: RunResult, fuzzer: Fuzzer, stopping: Callable[[], bool]
    ) -> tuple[Finding, TraceRecord] | None:
        """The failure in a fresh child, with a reduced trace; a failure that depends on earlier runs is a
        leak of state.

        None for a crash that no fresh child shows, even after the same runs: it may have been killed from
        outside.
        """
        look = _look(outcome, fuzzer)
        runs = tuple(fuzzer.runs_of_child)
        is_crash = outcome.status is RunStatus.CRASHED
        if is_crash:
            expect_good_conditions(fuzzer.runner)
        if not fuzzer.confirm(outcome):
            if is_crash and not fuzzer.confirm_after(runs, outcome):
                return None
            signature = self._signatures[look] = f"{_LEAK} | {look}"
            return _finding(_LEAK, signature, outcome, outcome.trace, fuzzer.solver)
        self._alike[look] += 1
        seconds = _FIRST_SECONDS if self._alike[look] <= _MAX_FIRST else _LATER_SECONDS
        small = reduce_trace(fuzzer, outcome, Budget(seconds=0.0 if stopping() else seconds))
        kind = finding_kind(outcome)
        signature = f"{kind} | {look}"
        if outcome.status is RunStatus.CHECK_FAILED or not without_call_noise(outcome.evidence):
            signature += f" | {' '.join(operators_of(small.trace)) or 'core'}"
        else:
            self._signatures[look] = signature
        result = small.result or outcome
        evidence = result.evidence or outcome.signature
        fails = outcome.status in (RunStatus.CRASHED, RunStatus.RAISED)
        program = program_of(small.trace, fuzzer.solver, fails=fails)
        script = script_of(small.trace, fuzzer)
        return _finding(kind, signature, outcome, small.trace, fuzzer.solver, evidence, program, script)


def _look(outcome: RunResult, fuzzer: Fuzzer) -> str:
    return f"{fuzzer.solver.name} | {outcome.signature}"


def operators_of(trace: Trace) -> list[str]:
    """The operators and unusual calls of a small trace."""
    words = {line.args[0].partition("[")[0] for line in trace.lines if line.word in ("term", "extra")}
    return sorted(words)


def program_of(trace: Trace, solver: Solver, *, fails: bool) -> str:
    """The stand-alone program; "" if none can be written, or if it must fail like the trace and does not."""
    if solver.release is None or solver.release.folder is None:
        return ""
    with ProcessRunner() as runner:
        try:
            text = trace_to_program(trace, solver.release, runner)
        except FalsumError:
            return ""
        return text if not fails or _fails(text, solver.release, runner) else ""


def _fails(text: str, release: Release, runner: ProcessRunner) -> bool:
    """Whether a program for a library ends with an exception or a crash: its binding may be at fault."""
    program = Program.of_build((release.python or sys.executable,), release.build, preloads=True)
    environment = (*program.env, ("PYTHONPATH", release.folder or ""))
    result = runner.run(replace(program, env=environment), _PROGRAM_LIMITS, text.encode())
    return result.status != 0 and not result.stopped


def script_of(trace: Trace, fuzzer: Fuzzer) -> str:
    """The trace as a script; "" if SMT-LIB has no command for one of its calls."""
    try:
        return print_script(trace_to_script(trace, fuzzer.new_mirror(trace)))
    except FalsumError:
        return ""


def _finding(
    kind: str,
    signature: str,
    outcome: RunResult,
    small: Trace,
    solver: Solver,
    evidence: str = "",
    program: str = "",
    script: str = "",
) -> tuple[Finding, TraceRecord]:
    folder = solver.release.folder if solver.release is not None else None
    trace = TraceRecord(
        solver=solver.name,
        version=outcome.trace.header.get("version", ""),
        library=folder or "",
        whole=str(outcome.trace),
        small=str(small),
        program=program,
        build=build_identity(solver),
    )
    lines = f"{len(outcome.trace.steps)} lines, {len(small.steps)} of them needed"
    case = Case(Mutant(script, lineage=(lines,)))
    evidence = evidence or outcome.evidence or outcome.signature
    return Finding(kind, (solver.name,), signature, evidence, case), trace
