"""Translation: what a library has been told, as an SMT-LIB script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from falsum.api.traces.to_mirror import retell
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
from falsum.smtlib.terms import Attribute, Function, Head, Term, Var, annotated, app, constant
from falsum.smtlib.theories import OPERATORS

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror
    from falsum.api.traces.trace import Line, Step, Trace

_PLAIN: Final = {
    "get-model": "get-model",
    "get-core": "get-unsat-core",
    "get-unsat-assumptions": "get-unsat-assumptions",
    "get-assertions": "get-assertions",
    "reset": "reset",
    "reset-assertions": "reset-assertions",
}
# What a script has to ask for first; a library mostly has it anyway.
_OPTIONS: Final = {
    "get-model": ":produce-models",
    "get-value": ":produce-models",
    "get-core": ":produce-unsat-cores",
    "get-unsat-assumptions": ":produce-unsat-assumptions",
    "get-assertions": ":produce-assertions",
}
_NEEDS_DECLARATIONS: Final = frozenset(["assert", "check", "push"])


def script_of(mirror: Mirror, names: Iterable[str]) -> Script:
    """A one-shot script that asserts these terms; of the declarations all."""
    return asserting(mirror, [mirror.known(name).term for name in names])


def asserting(mirror: Mirror, terms: Iterable[Term], variables: Iterable[Var] = ()) -> Script:
    """As `script_of` for any terms; free variables are declared as constants of their names."""
    free = [DeclareFun(Function(variable.name, (), variable.sort)) for variable in variables]
    asserts = [Assert(term) for term in terms]
    return Script((SetLogic("ALL"), *mirror.declarations, *free, *asserts, CheckSat()))


def script_for(trace: Trace, mirror: Mirror) -> Script:
    """The calls of a trace as commands; raises UsageError where a solver-specific action stands in the way.

    The mirror is one that knows nothing yet. Declarations are all made at once before they are needed: a
    library's terms outlive `pop`, a script's do not.
    """
    steps = list(retell(trace, mirror))
    unfit = next((s.line for s in steps if s.line.word == "extra" and not _is_harmless(mirror, s.line)), None)
    if unfit is not None:
        raise UsageError(f"SMT-LIB has no {unfit.args[0]}; the line is: {unfit}")
    wants_cores = any(step.line.word == "get-core" for step in steps)
    options = _options(steps)
    commands: list[Command] = list(options)
    is_declared = has_logic = False
    for step in steps:
        if step.line.word in _NEEDS_DECLARATIONS and not is_declared:
            if not has_logic:
                commands.append(SetLogic("ALL"))  # a library needs none, some programs read nothing without
            commands += mirror.declarations
            is_declared = True
        commands += _commands(step.line, mirror, wants_cores=wants_cores, place=len(commands))
        has_logic |= step.line.word == "set-logic"
        if step.line.word == "reset":
            is_declared = has_logic = False
            commands += options
    return Script(tuple(commands))


def _options(steps: Iterable[Step]) -> list[SetOption]:
    """What the commands need, but for what the trace sets itself."""
    lines = [step.line for step in steps]
    told = {f":{line.args[0]}" for line in lines if line.word == "set-option"}
    needed = dict.fromkeys(_OPTIONS[line.word] for line in lines if line.word in _OPTIONS)
    return [SetOption(keyword, "true") for keyword in needed if keyword not in told]


def _is_harmless(mirror: Mirror, line: Line) -> bool:
    """Whether an action only looks, or gives a term that is the same to us."""
    declared = mirror.extras.get(line.args[0])
    return declared is not None and declared.returns in ("equal", "term", "text", "verdict")


def _commands(line: Line, mirror: Mirror, *, wants_cores: bool, place: int) -> Iterator[Command]:
    terms = [mirror.known(name).term for name in line.args if name in mirror.terms]
    if line.word == "assert":
        named = (Attribute(":named", f"a!{place}"),)
        yield Assert(annotated(terms[0], named) if wants_cores else terms[0])
    elif line.word == "check" and line.args:
        yield from _assuming(terms, place)
    elif line.word == "get-value" and terms:  # of none there is no such command
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


def _assuming(terms: list[Term], place: int) -> Iterator[Command]:
    """Only literals can be assumed: each formula gets a constant that stands for it."""
    names = [Function(f"assumed!{place}!{number}", (), BOOL) for number in range(len(terms))]
    for name, term in zip(names, terms, strict=True):
        yield DeclareFun(name)
        yield Assert(app(Head(OPERATORS["="]), (constant(name), term)))
    yield CheckSatAssuming(tuple(map(constant, names)))
