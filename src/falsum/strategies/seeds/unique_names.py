"""Gives every declaration of a script its own name, so that all of them can stand in front."""

from __future__ import annotations

from dataclasses import replace

from falsum.smtlib import print_script
from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import (
    DECLARATIONS,
    Assert,
    CheckSatAssuming,
    Command,
    DeclareDatatypes,
    DeclareFun,
    DeclareSort,
    DefineFun,
    DefineFunsRec,
    DefineSort,
    Script,
    WithTerms,
)
from falsum.smtlib.terms import App, Function, Head, Term, app
from falsum.smtlib.walk import transform
from falsum.strategies.seeds.declarations import names_declared_by


def with_unique_names(script: Script) -> Script | None:
    """The script with each name declared once; None if a name is defined twice, or is one of several sorts.

    A declaration that is repeated in another push level is dropped: at no check do both matter. A function
    declared with another rank is renamed. Only scripts whose declarations are put in front may be changed so.
    """
    kept: list[Command] = []
    seen: set[str] = set()
    sorts: set[str] = set()
    taken: set[str] = set()
    renamed: dict[Function, Function] = {}
    for command in script.commands:
        if isinstance(command, DECLARATIONS):
            printed = print_command(command)
            if printed in seen and not isinstance(command, DefineFun | DefineFunsRec):
                continue
            seen.add(printed)
            new_sorts = _sorts_declared_by(command)
            names = set(names_declared_by(command)).difference(new_sorts)
            if not sorts.isdisjoint(new_sorts):
                return None
            if isinstance(command, DeclareFun) and command.function.name in taken:
                renamed[command.function] = _renamed(command.function, taken, print_script(script))
                names.add(renamed[command.function].name)
            elif isinstance(command, DefineFun | DefineFunsRec) and not taken.isdisjoint(names):
                return None
            sorts.update(new_sorts)
            taken.update(names)
        kept.append(command)
    if not renamed:
        return script if len(kept) == len(script.commands) else Script(tuple(kept))
    return Script(tuple(_with_names(command, renamed) for command in kept))


def _sorts_declared_by(command: Command) -> tuple[str, ...]:
    """Sorts have names of their own: a function may have the name of a sort."""
    if isinstance(command, DeclareSort | DefineSort):
        return (command.name,)
    return tuple(d.name for d in command.datatypes) if isinstance(command, DeclareDatatypes) else ()


def _renamed(function: Function, taken: set[str], text: str) -> Function:
    number = 1
    while f"{function.name}!{number}" in taken or f"{function.name}!{number}" in text:
        number += 1
    name = f"{function.name}!{number}"
    return Function(name, function.args, function.result, function.params, function.role, function.subject)


def _with_names(command: Command, renamed: dict[Function, Function]) -> Command:
    def change(part: Term) -> Term | None:
        symbol = part.head.symbol if isinstance(part, App) else None
        if not isinstance(part, App) or not isinstance(symbol, Function) or symbol not in renamed:
            return None
        return app(Head(renamed[symbol], part.head.indices, part.head.qualifier), part.args)

    match command:
        case Assert():
            return Assert(transform(command.term, change))
        case DeclareFun():
            return replace(command, function=renamed.get(command.function, command.function))
        case DefineFun():
            return replace(command, body=transform(command.body, change))
        case DefineFunsRec():
            return replace(command, bodies=tuple(transform(body, change) for body in command.bodies))
        case CheckSatAssuming():
            return CheckSatAssuming(tuple(transform(term, change) for term in command.terms))
        case WithTerms():
            pieces = tuple(p if isinstance(p, str) else transform(p, change) for p in command.pieces)
            return replace(command, pieces=pieces)
        case _:
            return command
