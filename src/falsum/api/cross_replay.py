"""Peers: another product's library replays a trace; its verdicts, models and cores are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from falsum.api.run import Ending, Outcome
from falsum.api.traces.trace import Line, Step, Trace

if TYPE_CHECKING:
    from falsum.api.fuzzer import Fuzzer
    from falsum.api.model.capabilities import Capabilities

# What belongs to one library: lines another one has no idea of.
_OWN: Final = frozenset(["set-option", "set-logic", "extra", "one-shot"])
_FEATURES: Final = {
    "declare-sort": "declared-sorts",
    "datatypes": "datatypes",
    "codatatypes": "codatatypes",
    "template": "parametric-datatypes",
    "define": "functions",
}
_QUANTIFIERS: Final = frozenset(["forall", "exists"])
_STATE: Final = frozenset(["assert", "check", "push", "pop", "reset", "reset-assertions"])
# An exception may be a peer's way to say that it cannot do what others can.
_TELLING: Final = frozenset([Ending.COMPLAINT, Ending.CRASHED])


def adapted(trace: Trace, fuzzer: Fuzzer) -> Trace:
    """The trace for another product: without what only its own knows, and without what the other has not.

    Lines that need what is left out are not possible then; a replay leaves them out.
    """
    solver = fuzzer.solver
    if trace.header.get("solver", "").partition("@")[0] in ("", solver.profile.product):
        return trace
    capabilities = fuzzer.capabilities
    kept = tuple(step for step in trace.steps if _is_known(step.line, capabilities))
    steps = (*kept[:1], *fuzzer.requirements(), *kept[1:])
    return Trace(steps, trace.header | {"solver": solver.name})


def _is_known(line: Line, capabilities: Capabilities) -> bool:
    if line.word in _OWN:
        return False
    if line.word in _FEATURES:
        return capabilities.has(_FEATURES[line.word])
    if line.word == "sort":
        return line.args[0] in capabilities.sorts
    if line.word != "term":
        return True
    operator = line.args[0].partition("[")[0]
    if operator in _QUANTIFIERS:
        return capabilities.has("quantifiers")
    return operator == "apply" or ":" in operator or operator in capabilities.operators


def replayed_by(peer: Fuzzer, outcome: Outcome) -> Outcome | None:
    """What is wrong with the peer, or with both; None if nothing is.

    A peer that is wrong by itself comes with its own trace. Verdicts that contradict each other are a
    complaint about the trace there was.
    """
    again = peer.replay(adapted(outcome.trace, peer), cold=False)
    if again.ending in _TELLING:
        return again
    for number, (mine, other) in enumerate(_checks(outcome.trace, again.trace), 1):
        if {mine, other} == {"sat", "unsat"}:
            said = f"{mine} here, {peer.solver.name} says {other} to check {number} of the same trace"
            return Outcome(outcome.trace, Ending.COMPLAINT, "verdict", said)
    return None


def _checks(first: Trace, second: Trace) -> list[tuple[str, str]]:
    """The verdicts of both as long as both were told the same."""
    found = []
    for mine, other in zip(_states(first), _states(second), strict=False):
        if mine.line != other.line:
            break
        if mine.line.word == "check":
            found.append((mine.reply.text, other.reply.text))
    return found


def _states(trace: Trace) -> list[Step]:
    return [step for step in trace.steps if step.line.word in _STATE]
