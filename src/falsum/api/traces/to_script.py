"""Translates a trace into an SMT-LIB script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from falsum.api.traces.to_mirror import apply_trace
from falsum.errors import UsageError
from falsum.smtlib.scripts import (
    Assert,
    CheckSat,
    CheckSatAssuming,
    Command,
    DeclareFun,
    Plain,
    Pop,
    Push,
    Script,
    SetLogic,
    SetOption,
    WithTerms,
)
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import Attribute, Function, Head, Term, annotated, app, constant
from falsum.smtlib.theories import OPERATORS

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror
    from falsum.api.trace import Line, Step, Trace

_PLAIN: Final = {
    "get-model": "get-model",
    "get-core": "get-unsat-core",
    "get-unsat-assumptions": "get-unsat-assumptions",
    "get-assertions": "get-assertions",
    "reset": "reset",
    "reset-assertions": "reset-assertions",
}
# Options that a script must set for a command.
_OPTIONS: Final = {
    "get-model": ":produce-models",
    "get-value": ":produce-models",
    "get-core": ":produce-unsat-cores",
    "get-unsat-assumptions": ":produce-unsat-assumptions",
    "get-assertions": ":produce-assertions",
}
_NEEDS_DECLARATIONS: Final = frozenset(["assert", "check", "push"])


def trace_to_script(trace: Trace, mirror: Mirror) -> Script:
    """Translate a trace, given an empty mirror; raises UsageError for an extra that SMT-LIB does not have.

    All declarations come first: a library's terms survive `pop`, those of a script do not.
    """
    steps = list(apply_trace(trace, mirror))
    extra = next((s.line for s in steps if s.line.word == "extra" and not _is_pure(mirror, s.line)), None)
    if extra is not None:
        raise UsageError(f"SMT-LIB has no {extra.args[0]}, as in the line: {extra}")
    wants_cores = any(step.line.word == "get-core" for step in steps)
    options = _options(steps)
    commands: list[Command] = list(options)
    is_declared = has_logic = False
    for step in steps:
        if step.line.word in _NEEDS_DECLARATIONS and not is_declared:
            if not has_logic:
                commands.append(SetLogic("ALL"))  # a library needs none, but some programs do
            commands += mirror.declarations
            is_declared = True
        commands += _commands(step.line, mirror, wants_cores=wants_cores, index=len(commands))
        has_logic |= step.line.word == "set-logic"
        if step.line.word == "reset":
            is_declared = has_logic = False
            commands += options
    return Script(tuple(commands))


def _options(steps: Iterable[Step]) -> list[SetOption]:
    """The options that commands need and the trace does not set."""
    lines = [step.line for step in steps]
    given = {f":{line.args[0]}" for line in lines if line.word == "set-option"}
    needed = dict.fromkeys(_OPTIONS[line.word] for line in lines if line.word in _OPTIONS)
    return [SetOption(keyword, "true") for keyword in needed if keyword not in given]


def _is_pure(mirror: Mirror, line: Line) -> bool:
    """Whether an extra has no effect on the solver."""
    declared = mirror.extras.get(line.args[0])
    return declared is not None and declared.returns in ("equal", "term", "text", "verdict")


def _commands(line: Line, mirror: Mirror, *, wants_cores: bool, index: int) -> Iterator[Command]:
    terms = [mirror.entry(name).term for name in line.args if name in mirror.terms]
    if line.word == "assert":
        named = (Attribute(":named", f"a!{index}"),)
        yield Assert(annotated(terms[0], named) if wants_cores else terms[0])
    elif line.word == "check" and line.args:
        yield from _assuming(terms, index)
    elif line.word == "get-value" and terms:  # without terms it is not a command
        yield WithTerms("get-value", ("(", *terms, ")"))
    elif line.word in ("push", "pop"):
        yield (Push if line.word == "push" else Pop)(int(line.args[0]))
    elif line.word == "set-logic":
        yield SetLogic(line.args[0])
    elif line.word == "set-option":
        yield SetOption(f":{line.args[0]}", line.args[1])
    elif line.word == "check":
        yield CheckSat()
    elif line.word in _PLAIN:
        yield Plain(_PLAIN[line.word])


def _assuming(terms: list[Term], index: int) -> Iterator[Command]:
    """A check under assumptions; only literals can be assumed, so each formula gets a constant."""
    names = [Function(f"assumed!{index}!{number}", (), BOOL) for number in range(len(terms))]
    for name, term in zip(names, terms, strict=True):
        yield DeclareFun(name)
        yield Assert(app(Head(OPERATORS["="]), (constant(name), term)))
    yield CheckSatAssuming(tuple(map(constant, names)))
