"""Flattens a seed to its last check: declarations first, then assertions, one check, no names of terms."""

from __future__ import annotations

from dataclasses import replace

from falsum.smtlib.at_check import at_last_check, is_plain
from falsum.smtlib.logics import logic_of
from falsum.smtlib.scripts import (
    DECLARATIONS,
    Assert,
    CheckSat,
    Command,
    DeclareSort,
    DefineFun,
    DefineFunsRec,
    Script,
    SetLogic,
    SetOption,
    SynthFun,
    is_understood,
)
from falsum.smtlib.sorts import REAL
from falsum.smtlib.term_names import NameResolver
from falsum.smtlib.terms import Term, Value, value
from falsum.smtlib.walk import transform
from falsum.strategies.seeds.declarations import with_unique_names


def flatten(script: Script) -> Script | None:
    """The logic, options, declarations and assertions at the last check, followed by one `(check-sat)`.

    Names of terms are resolved. Real numerals are written with a point, so that the assertions mean the same
    in a logic that also has integers. None if the script cannot be flattened: a name is defined twice, a
    command is not understood, there is a heap, which no other script can share, or nothing is asserted.
    """
    for command in script.commands:
        if is_plain(command, "exit"):
            break
        if not is_understood(command) or isinstance(command, SynthFun) or is_plain(command, "declare-heap"):
            return None
        if isinstance(command, DeclareSort) and command.arity is None:
            return None
    # Declarations of popped levels are kept.
    flat = at_last_check(script, keep_declarations=True)
    unique = with_unique_names(flat) if flat is not None else None
    return _arrange(unique.commands) if unique is not None else None


def _arrange(commands: tuple[Command, ...]) -> Script | None:
    logic = next((c for c in commands if isinstance(c, SetLogic)), None)
    head: list[Command] = []
    if logic is not None:
        head.append(replace(logic, name=logic_of(logic.name).widened))
    # A flat script has no levels to which declarations could belong.
    options = (c for c in commands if isinstance(c, SetOption))
    head += [option for option in options if option.keyword != ":global-declarations"]
    resolver = NameResolver()
    assertions: list[Command] = []
    for command in commands:
        # A definition moves in front of all assertions, so names of terms in its body must be resolved, too.
        if isinstance(command, Assert):
            assertions.append(Assert(_plain(command.term, resolver)))
        elif isinstance(command, DefineFun):
            head.append(replace(command, body=_plain(command.body, resolver)))
        elif isinstance(command, DefineFunsRec):
            head.append(replace(command, bodies=tuple(_plain(body, resolver) for body in command.bodies)))
        elif isinstance(command, DECLARATIONS):
            head.append(command)
    return Script((*head, *assertions, CheckSat())) if assertions else None


def _plain(term: Term, resolver: NameResolver) -> Term:
    """The term with names of terms resolved, and real numerals written with a point."""

    def change(part: Term) -> Term | None:
        if isinstance(part, Value):
            lacks_point = part.sort is REAL and part.text.isdecimal()
            return value(REAL, part.payload, f"{part.text}.0") if lacks_point else None
        return resolver.change(part)

    return transform(term, change)
