"""Conformance: checks that a binding does what it declares, before a campaign is run with it.

Every item is a name and what is wrong, empty if nothing is. The operators are applied to terms of all
declared sorts, their values are compared with those of falsum's evaluator, and a number of random runs must
end well.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

import msgspec

from falsum.api.actions import BY_NAME, BY_WORD
from falsum.api.fuzzer import Fuzzer
from falsum.api.model.capabilities import Capabilities
from falsum.api.model.mirror import Mirror
from falsum.api.model.random_terms import draw_operator
from falsum.api.model.settings import Bounds, Settings
from falsum.api.model.theories import sorts_of
from falsum.api.run_result import RunResult, RunStatus
from falsum.api.trace import OK, Line, Trace, from_lines, read_trace
from falsum.smtlib.theories import OPERATORS, SORTS
from falsum.solvers.solver import Solver

FEATURES: Final = frozenset(
    "incremental assumptions models cores unsat-assumptions functions declared-sorts quantifiers logic reset "
    "reset-assertions assertions children sort-of print one-shot datatypes updaters codatatypes "
    "parametric-datatypes function-values higher-order nested-arrays array-indices flat-functions "
    "bind-once".split()
)
_FUNCTION_SORT: Final = "->"
# Applied by actions of their own.
_OTHER_OPERATORS: Final = frozenset(["apply", "forall", "exists"])
_SETTINGS: Final = Settings(seconds=20.0, options=0.0)
_RUNS: Final = 25
_ATTEMPTS: Final = 40
_APPLICATIONS: Final = 12
# `p` and `not p`, by everything that a solver may have.
_TRACE: Final = """
s1 = sort Bool
t1 = const s1 p
t2 = term not t1
assert t1
check
get-value t1 t2
get-model
"""
_INCREMENTAL_TRACE: Final = f"""{_TRACE}
push 1
assert t2
check
pop 1
check t2
get-unsat-assumptions
check
delete
"""


class Item(NamedTuple):
    name: str
    problem: str = ""


def conformance(solver: Solver, settings: Settings = _SETTINGS) -> Iterator[Item]:
    """Check a binding, one item after the other; loading it may raise SurroundingsError."""
    with Fuzzer(solver, settings) as fuzzer:
        capabilities = fuzzer.capabilities
        yield Item("capabilities", _unknown_words(capabilities))
        yield Item("verdicts and values", _verdicts(fuzzer, capabilities))
        mirror, lines = _sorts_and_inputs(capabilities)
        yield Item(f"sorts: {' '.join(capabilities.sorts)}", _failure(fuzzer, mirror, lines))
        for name in capabilities.operators:
            if name not in _OTHER_OPERATORS and name in OPERATORS:
                yield Item(name, _operator(fuzzer, name))
    with Fuzzer(solver, msgspec.structs.replace(settings, seconds=2.0)) as fuzzer:
        for number in range(_RUNS):
            result = fuzzer.run(number)
            if result.is_wrong:
                yield Item(f"run {number}", _said(result))
                return
    yield Item(f"{_RUNS} random runs")


def _unknown_words(capabilities: Capabilities) -> str:
    fields = {
        "sorts": ({*SORTS, _FUNCTION_SORT}, capabilities.sorts),
        "operators": ({*OPERATORS, *_OTHER_OPERATORS}, capabilities.operators),
        "features": (FEATURES, capabilities.features),
    }
    wrong = [
        f"unknown {field}: {' '.join(sorted(set(names) - set(words)))}"
        for field, (words, names) in fields.items()
        if set(names) - set(words)
    ]
    if "Bool" not in capabilities.sorts:
        wrong.append("the sort Bool is missing")
    return "; ".join(wrong)


def _start(capabilities: Capabilities) -> list[Line]:
    return [Line("new"), *(Line("set-option", pair) for pair in capabilities.required_options)]


def _verdicts(fuzzer: Fuzzer, capabilities: Capabilities) -> str:
    """What is wrong with the verdicts and values of a small trace, without calls that the library does not
    support.
    """
    text = _INCREMENTAL_TRACE if capabilities.has("incremental") else _TRACE
    lines = [*_start(capabilities), *read_trace(text).lines]
    result = fuzzer.replay(from_lines(lines, {"theories": "core"}))
    if result.status is not RunStatus.DONE:
        return _said(result)
    expected = "sat unsat" if capabilities.has("incremental") else "sat"
    verdicts = " ".join(result.verdicts)
    if not verdicts.startswith((expected, "unknown")):
        return f"expected {expected}, the checks of p and (not p) gave {verdicts}"
    return ""


def _sorts_and_inputs(capabilities: Capabilities) -> tuple[Mirror, list[Line]]:
    """Sorts, constants and values of every kind that the library declares."""
    theories = tuple(t for t, sorts in sorts_of().items() if set(sorts) <= set(capabilities.sorts))
    mirror = Mirror(capabilities, Bounds(sorts=30, nodes=60), theories)
    rng = Random(1)
    lines = _start(capabilities)
    if "Bool" in capabilities.sorts:
        lines.append(Line("sort", ("Bool",), ("s1",)))
    for line in lines:
        BY_WORD[line.word].apply(mirror, line, OK)
    for name in ["sort"] * 120 + ["const"] * 60 + ["value"] * 60 + ["special"] * 20:
        action = BY_NAME[name]
        entries = action.draw(mirror, rng) if action.is_ready(mirror) else None
        if entries is not None:
            BY_WORD[entries.word].apply(mirror, entries, OK)
            lines.append(entries)
    return mirror, lines


def _operator(fuzzer: Fuzzer, name: str) -> str:
    """Apply an operator several times, then to values only, and ask for the results in a model."""
    mirror, lines = _sorts_and_inputs(fuzzer.capabilities)
    rng = Random(name)
    made_lines: list[Line] = []
    for number in range(_APPLICATIONS):
        if number == _APPLICATIONS // 3:
            mirror.by_sort.clear()
            for entry in mirror.terms.values():
                if entry.role == "value":
                    mirror.by_sort.setdefault(entry.sort, []).append(entry)
        line = next(filter(None, (draw_operator(name, mirror, rng) for _ in range(_ATTEMPTS))), None)
        if line is not None:
            BY_WORD["term"].apply(mirror, line, OK)
            made_lines.append(line)
    entries = [line for line in made_lines if mirror.entry(line.results[0]).sort.name != "RegLan"]
    queries = [Line("check"), *(Line("get-value", line.results) for line in entries)]
    return _failure(fuzzer, mirror, [*lines, *made_lines, *queries])


def _failure(fuzzer: Fuzzer, mirror: Mirror, lines: list[Line]) -> str:
    trace = Trace(from_lines(lines).steps, {"theories": " ".join(mirror.theories)})
    result = fuzzer.replay(trace)
    return "" if result.status in (RunStatus.DONE, RunStatus.REFUSED) else _said(result)


def _said(result: RunResult) -> str:
    last = result.trace.steps[-1].line if result.trace.steps else ""
    return f"{result.status} at `{last}`: {result.evidence}"
