"""Lays a seed flat: what holds at its last check, declarations first, one check, no names of terms."""

from __future__ import annotations

from dataclasses import replace

from falsum.smtlib.at_check import at_last_check, is_plain
from falsum.smtlib.lexer import symbol_name
from falsum.smtlib.logics import logic_of
from falsum.smtlib.scripts import (
    DECLARATIONS,
    Assert,
    CheckSat,
    Command,
    DeclareDatatypes,
    DeclareFun,
    DeclareSort,
    DefineFun,
    DefineFunsRec,
    DefineSort,
    NotUnderstood,
    Script,
    SetLogic,
    SetOption,
    SynthFun,
)
from falsum.smtlib.sorts import REAL
from falsum.smtlib.terms import Annotated, App, Function, Term, Value, annotated, value
from falsum.smtlib.walk import transform


def laid_flat(script: Script) -> Script | None:
    """The logic, the options, the declarations and the assertions in force at the last check, and one check.

    Terms lose their names, uses of a name become the term; numerals that are reals are written with a
    point, so that the assertions mean the same in a logic that has integers, too. None if that cannot be: a
    name is declared twice, a command is not understood, assertions are reset, or nothing is asserted.
    """
    for command in script.commands:
        if is_plain(command, "exit"):
            break
        if isinstance(command, NotUnderstood | SynthFun) or is_plain(command, "reset", "reset-assertions"):
            return None
        if isinstance(command, DeclareSort) and command.arity is None:
            return None
    # Declarations outlive their level here: a name that is declared twice is refused below.
    flat = at_last_check(script, keep_declarations=True)
    return _arranged(flat.commands) if flat is not None else None


def _arranged(commands: tuple[Command, ...]) -> Script | None:
    declared = [c for c in commands if isinstance(c, DECLARATIONS)]
    names = [name for command in declared for name in declared_names(command)]
    if len(set(names)) < len(names):
        return None
    logic = next((c for c in commands if isinstance(c, SetLogic)), None)
    out: list[Command] = []
    if logic is not None:
        out.append(replace(logic, name=logic_of(logic.name).widened))
    out += [c for c in commands if isinstance(c, SetOption)]
    named: dict[str, Term] = {}
    asserted: list[Command] = []
    for command in commands:
        # A definition may use names of terms given before it, and then moves in front of them.
        if isinstance(command, Assert):
            asserted.append(Assert(_plain(command.term, named)))
        elif isinstance(command, DefineFun):
            out.append(replace(command, body=_plain(command.body, named)))
        elif isinstance(command, DefineFunsRec):
            out.append(replace(command, bodies=tuple(_plain(body, named) for body in command.bodies)))
        elif isinstance(command, DECLARATIONS):
            out.append(command)
    return Script((*out, *asserted, CheckSat())) if asserted else None


def declared_names(command: Command) -> tuple[str, ...]:
    """The names a command declares, of sorts and functions."""
    match command:
        case DeclareSort() | DefineSort():
            return (command.name,)
        case DeclareFun() | DefineFun():
            return (command.function.name,)
        case DefineFunsRec():
            return tuple(function.name for function in command.functions)
        case DeclareDatatypes():
            found: list[str] = []
            for datatype in command.datatypes:
                found.append(datatype.name)
                for constructor, selectors in datatype.constructors:
                    found += [constructor, f"is-{constructor}", *(name for name, _ in selectors)]
            return tuple(found)
        case _:
            return ()


def _plain(term: Term, named: dict[str, Term]) -> Term:
    """The term without names, real numerals with a point; `named` learns what is named in it.

    Parts are changed from left to right, inner ones first, as names become known in a script.
    """

    def change(part: Term) -> Term | None:
        if isinstance(part, Value):
            is_short = part.sort is REAL and part.text.isdecimal()
            return value(REAL, part.payload, f"{part.text}.0") if is_short else None
        if isinstance(part, Annotated):
            names = [a.value for a in part.attributes if a.keyword == ":named" and isinstance(a.value, str)]
            named.update((symbol_name(name), part.body) for name in names)
            kept = tuple(a for a in part.attributes if a.keyword != ":named")
            if len(kept) == len(part.attributes):
                return None
            return annotated(part.body, kept) if kept else part.body
        symbol = part.head.symbol if isinstance(part, App) else None
        if isinstance(symbol, Function) and symbol.role == "named":
            return named.get(symbol.name)
        return None

    return transform(term, change)
