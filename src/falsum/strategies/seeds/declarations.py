"""What a seed declares: its names, and its declarations as text."""

from __future__ import annotations

from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import (
    DECLARATIONS,
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
)
from falsum.smtlib.term_names import is_name
from falsum.smtlib.walk import subterms

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
            found: list[str] = []
            for datatype in command.datatypes:
                found.append(datatype.name)
                for constructor, selectors in datatype.constructors:
                    found += [constructor, f"is-{constructor}", *(name for name, _ in selectors)]
            return tuple(found)
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
