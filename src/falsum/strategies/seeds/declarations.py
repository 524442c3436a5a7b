"""What a seed declares: its names, its declarations as text, and each declaration under a name of its own."""

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
    SetLogic,
    SetOption,
    WithTerms,
)
from falsum.smtlib.term_names import is_name
from falsum.smtlib.terms import App, Function, Head, Term, app
from falsum.smtlib.walk import subterms, transform

# Options without which some solver does not read the seed.
_KEPT_OPTIONS = frozenset([":strings-exp", ":sets-exp", ":fp-exp", ":arrays-exp", ":global-declarations"])


def names_declared_by(command: Command) -> tuple[str, ...]:
    """The names of sorts and functions that a command declares or defines."""
    match command:
        case DeclareSort() | DefineSort():
            return (command.name,)
        case DeclareFun() | DefineFun():
            return (command.function.name,)
        case DefineFunsRec():
            return tuple(function.name for function in command.functions)
        case DeclareDatatypes():
            names: list[str] = []
            for datatype in command.datatypes:
                names.append(datatype.name)
                for constructor, selectors in datatype.constructors:
                    names += [constructor, f"is-{constructor}", *(name for name, _ in selectors)]
            return tuple(names)
        case _:
            return ()


def declared_names(script: Script) -> set[str]:
    """All names of sorts and functions that a script declares or defines."""
    return {name for command in script.commands for name in names_declared_by(command)}


def print_declarations(script: Script) -> str | None:
    """The logic and all declarations of a seed as text.

    None if assertions cannot be moved behind them: a name is declared twice, or a definition uses the name
    of a term.
    """
    # z3 takes some options before the logic only.
    options, lines = [], []
    seen: set[str] = set()
    logic = ""
    for command in script.commands:
        if isinstance(command, SetLogic):
            logic = print_command(command) + "\n"
        elif isinstance(command, SetOption) and command.keyword in _KEPT_OPTIONS:
            options.append(print_command(command) + "\n")
        elif isinstance(command, DECLARATIONS):
            if isinstance(command, DefineFun) and any(map(is_name, subterms(command.body))):
                return None
            text = print_command(command) + "\n"
            name = " ".join(text.split(" ", 2)[:2])
            if name in seen:
                return None
            seen.add(name)
            lines.append(text)
    return "".join((*options, logic, *lines))


def with_unique_names(script: Script) -> Script | None:
    """The script with each name declared once; None if a name is defined twice, or is one of several sorts.

    A declaration that is repeated in another push level is dropped: at no check do both matter. A function
    declared with another rank is renamed. Only scripts whose declarations are put in front may be changed so.
    """
    commands: list[Command] = []
    seen: set[str] = set()
    sorts: set[str] = set()
    taken: set[str] = set()
    renamed: dict[Function, Function] = {}
    for command in script.commands:
        if isinstance(command, DECLARATIONS):
            text = print_command(command)
            if text in seen and not isinstance(command, DefineFun | DefineFunsRec):
                continue
            seen.add(text)
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
        commands.append(command)
    if not renamed:
        return script if len(commands) == len(script.commands) else Script(tuple(commands))
    return Script(tuple(_with_names(command, renamed) for command in commands))


def _sorts_declared_by(command: Command) -> tuple[str, ...]:
    """The names of sorts that a command declares; a function may have the same name as a sort."""
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
