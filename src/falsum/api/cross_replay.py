"""Replays a trace on another product's library, and compares the verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from falsum.api.actions import action_of
from falsum.api.run_result import RunResult, RunStatus
from falsum.api.trace import Step, Trace
from falsum.solvers.names import product_of

if TYPE_CHECKING:
    from falsum.api.fuzzer import Fuzzer

# Not an exception, by which a library may report that it does not support something.
_CONCLUSIVE: Final = frozenset([RunStatus.CHECK_FAILED, RunStatus.CRASHED])


def adapt_trace(trace: Trace, fuzzer: Fuzzer) -> Trace:
    """The trace for another product: without lines that it does not support, with its required options.

    Lines that depend on removed ones are skipped by a replay.
    """
    solver = fuzzer.solver
    if product_of(trace.header.get("solver", "")) in ("", solver.profile.product):
        return trace
    capabilities = fuzzer.capabilities
    own_steps = tuple(
        step for step in trace.steps if action_of(step.line).is_supported(step.line, capabilities)
    )
    theories = tuple(trace.header.get("theories", "").split())
    steps = (*own_steps[:1], *fuzzer.required_steps(theories), *own_steps[1:])
    return Trace(steps, trace.header | {"solver": solver.name})


def cross_replay(fuzzer: Fuzzer, result: RunResult) -> RunResult | None:
    """Replay a run's trace on another library; returns a failure, if there is any.

    A failure of the other library has its own trace; contradicting verdicts are a failure of the given one.
    """
    other = fuzzer.replay(adapt_trace(result.trace, fuzzer), cold=False)
    if other.status in _CONCLUSIVE:
        return other
    for number, (first, second) in enumerate(compared_verdicts(result.trace, other.trace), 1):
        if {first, second} == {"sat", "unsat"}:
            name = fuzzer.solver.name
            evidence = f"the library answers {first}, {name} answers {second} to check {number} of the trace"
            return RunResult(result.trace, RunStatus.CHECK_FAILED, "verdict", evidence)
    return None


def compared_verdicts(first: Trace, second: Trace) -> list[tuple[str, str]]:
    """The verdicts of both as long as both have executed the same lines."""
    pairs = []
    for step, other in zip(_stateful(first), _stateful(second), strict=False):
        if step.line != other.line:
            break
        if step.line.word == "check":
            pairs.append((step.reply.text, other.reply.text))
    return pairs


def _stateful(trace: Trace) -> list[Step]:
    return [step for step in trace.steps if action_of(step.line).is_stateful]
