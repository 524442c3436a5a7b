"""Relay: a model or a core put to solvers as a script of its own.

A model becomes definitions in place of the declarations. A solver that answers sat to that script must answer
sat to the original, since definitions only restrict it. A core is the script with fewer assertions: a solver
that answers unsat to it must answer unsat to the original.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from falsum.errors import FalsumError
from falsum.smtlib import Script, print_script, print_term, read_script
from falsum.smtlib.at_check import at_check, is_check
from falsum.smtlib.models.model import declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.scripts import (
    Assert,
    CheckSat,
    CheckSatAssuming,
    Command,
    DeclareDatatypes,
    DeclareFun,
    DeclareSort,
    DefineFun,
    DefineFunsRec,
    DefineSort,
    SetLogic,
)
from falsum.smtlib.term_names import assertions_in_core
from falsum.smtlib.text.lexer import symbol_name
from falsum.solvers.output import items

_SORTS: Final = (DeclareSort, DefineSort, DeclareDatatypes)
_KEPT: Final = (*_SORTS, DeclareFun, DefineFun, DefineFunsRec, Assert)
_DEFINED: Final = re.compile(r"^\((?:define-fun|define-funs-rec) \(*(\|[^|]*\||[^\s()]+)", re.MULTILINE)
_ELEMENT: Final = re.compile(r"^\(declare-fun (\|[^|]*\||[^\s()]+) \(\) (.*)\)$", re.MULTILINE)


def plain(flat: Script, logic: str | None = None) -> str:
    """A flat script with its logic (or another one), declarations, assertions, one check and nothing else.

    Options, comments and requests do not change which verdict is right.
    """
    named = [c.name for c in flat.commands if isinstance(c, SetLogic)]
    chosen = logic if logic is not None else (named[-1] if named else "")
    kept: list[Command] = [SetLogic(chosen)] if chosen else []
    kept += [command for command in flat.commands if isinstance(command, _KEPT)]
    return print_script(Script((*kept, CheckSat())))


def with_model(flat: Script, model: str, logic: str = "ALL") -> str | None:
    """The script with the model's definitions in place of declarations; None if there is nothing to define.

    Symbols that the model does not define, or not in a way that can be read, stay declared.
    """
    try:
        read = read_model(model, flat)
        # Symbols it leaves out may be anything: a value of our choice could make a right model wrong.
        symbols = [symbol for symbol in declared_functions(flat) if symbol in read.definitions]
        defined = print_model(read, symbols)
    except FalsumError:
        return None
    names = {symbol_name(name) for name in _DEFINED.findall(defined)}
    if not names:
        return None
    sorts = [c for c in flat.commands if isinstance(c, _SORTS)]
    rest = [
        c
        for c in flat.commands
        if isinstance(c, _KEPT)
        and not isinstance(c, _SORTS)
        and not (isinstance(c, DeclareFun) and c.function.name in names)
    ]
    head = print_script(Script((SetLogic(logic), *sorts)))
    return head + defined + _distinct_elements(defined) + print_script(Script((*rest, CheckSat())))


def _distinct_elements(defined: str) -> str:
    """Asserts that the elements of declared sorts are distinct, as a model means them."""
    by_sort: dict[str, list[str]] = {}
    for name, sort in _ELEMENT.findall(defined):
        by_sort.setdefault(sort, []).append(name)
    return "".join(f"(assert (distinct {' '.join(names)}))\n" for names in by_sort.values() if len(names) > 1)


def with_core(flat: Script, core: str) -> str | None:
    """The script with only the assertions that a core names; None if it names none or all of them."""
    kept = assertions_in_core(core, flat.assertions)
    if not kept or len(kept) == len(flat.assertions):
        return None
    return plain(_only(flat, kept))


def _only(flat: Script, places: Iterable[int]) -> Script:
    kept, place, commands = frozenset(places), -1, []
    for command in flat.commands:
        if isinstance(command, Assert):
            place += 1
            if place not in kept:
                continue
        commands.append(command)
    return Script(tuple(commands))


def with_assumptions(text: str, check: int, named: str) -> str | None:
    """The script at a check with only those of its assumptions that a solver names; None if it has none, or
    if all or none of them are named.
    """
    script = read_script(text)
    checks = [c for c in script.commands if is_check(c)]
    command = checks[check] if check < len(checks) else None
    flat = at_check(script, check)
    if not isinstance(command, CheckSatAssuming) or flat is None:
        return None
    listed = {" ".join(item.split()) for item in items(named.strip()[1:-1])}
    before = len(flat.assertions) - len(command.terms)
    kept = [n for n, term in enumerate(command.terms) if print_term(term) in listed]
    if not kept or len(kept) == len(command.terms):
        return None
    return plain(_only(flat, (*range(before), *(before + n for n in kept))))
