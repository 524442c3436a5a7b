"""Relay: a model or a core as a script of its own for other solvers.

A model becomes definitions in place of the declarations. A solver that answers sat to that script must answer
sat to the original, since definitions only restrict it. A core is the script with fewer assertions: a solver
that answers unsat to it must answer unsat to the original. These scripts have the logic and the options of
the original: with others, a solver may make other choices at open points and need not be consistent. For
other solvers that reject them, they are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from falsum.errors import FalsumError
from falsum.smtlib import Script, print_script, print_term, read_script
from falsum.smtlib.at_check import at_check, at_last_check, is_check
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
    SetOption,
)
from falsum.smtlib.term_names import assertions_in_core, is_name, names_given
from falsum.smtlib.terms import Annotated, App, Head, Term, app
from falsum.smtlib.text.lexer import symbol_name
from falsum.smtlib.text.sexpr import items
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.theories.core import TRUE
from falsum.smtlib.walk import subterms

_SORTS: Final = (DeclareSort, DefineSort, DeclareDatatypes)
_KEPT: Final = (*_SORTS, DeclareFun, DefineFun, DefineFunsRec, Assert)
_SETTINGS: Final = (SetLogic, SetOption)
_ANY_LOGIC: Final = "ALL"
_DEFINED: Final = re.compile(r"^\((?:define-fun|define-funs-rec) \(*(\|[^|]*\||[^\s()]+)", re.MULTILINE)
_ELEMENT: Final = re.compile(r"^\(declare-fun (\|[^|]*\||[^\s()]+) \(\) (.*)\)$", re.MULTILINE)


def plain(flat: Script, logic: str | None = None) -> str:
    """A flat script with its logic (or another one), declarations, assertions, one check and nothing else.

    Options, comments and requests do not change which verdict is right.
    """
    logics = [c.name for c in flat.commands if isinstance(c, SetLogic)]
    logic_name = logic if logic is not None else (logics[-1] if logics else "")
    commands: list[Command] = [SetLogic(logic_name)] if logic_name else []
    commands += [command for command in flat.commands if isinstance(command, _KEPT)]
    return print_script(Script((*commands, CheckSat())))


def with_settings(flat: Script) -> str:
    """A flat script with its options and its logic, declarations, assertions, one check and nothing else."""
    commands = [c for c in flat.commands if isinstance(c, (*_KEPT, *_SETTINGS))]
    return print_script(Script((*commands, CheckSat())))


def widened(text: str) -> str:
    """A script in the logic ALL and without options, for solvers that reject these."""
    rest = [c for c in read_script(text).commands if not isinstance(c, _SETTINGS)]
    return print_script(Script((SetLogic(_ANY_LOGIC), *rest)))


def with_model(flat: Script, model: str) -> str | None:
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
    settings = [c for c in flat.commands if isinstance(c, _SETTINGS)]
    head = print_script(Script((*settings, *sorts)))
    return head + defined + _distinct_elements(defined) + print_script(Script((*rest, CheckSat())))


def _distinct_elements(defined: str) -> str:
    """Asserts that the elements of declared sorts are distinct, as a model means them."""
    by_sort: dict[str, list[str]] = {}
    for name, sort in _ELEMENT.findall(defined):
        by_sort.setdefault(sort, []).append(name)
    return "".join(f"(assert (distinct {' '.join(names)}))\n" for names in by_sort.values() if len(names) > 1)


def with_core(flat: Script, core: str) -> str | None:
    """The script with only the assertions that a core names; None if it names none, all or anything else."""
    core_assertions = assertions_in_core(core, flat.assertions)
    if not core_assertions:
        return None
    return _fewer(
        flat, {*core_assertions, *(n for n, term in enumerate(flat.assertions) if _is_nameless(term))}
    )


def core_of(text: str, core: str, sent: int) -> str | None:
    """The script of a core: the last check of a script with only the assertions that the core names; None if
    these are none or all.

    Assertions are numbered in the order of the script, popped ones included; `sent` are those that the solver
    got, which must be all. Assumptions, and assertions that have no name, may belong to any core.
    """
    script = read_script(text)
    flat = at_last_check(script)
    if flat is None or sent != len(script.assertions):
        return None
    checks = [c for c in script.commands if is_check(c)]
    assumed = checks[-1].terms if isinstance(checks[-1], CheckSatAssuming) else ()
    numbers = assertions_in_core(core, script.assertions, tuple(map(print_term, assumed)))
    core_terms = {script.assertions[number] for number in numbers}
    first_assumption = len(flat.assertions) - len(assumed)
    positions = {
        number
        for number, term in enumerate(flat.assertions)
        if term in core_terms or _is_nameless(term) or number >= first_assumption
    }
    return _fewer(flat, positions) if core_terms else None


def _is_nameless(term: Term) -> bool:
    """Whether an assertion has annotations without a name, so that it gets none when a core is requested."""
    return isinstance(term, Annotated) and not names_given(term)


def _fewer(flat: Script, places: set[int]) -> str | None:
    """The script with only some of its assertions; None if these are all."""
    return None if len(places) == len(flat.assertions) else with_settings(_only(flat, places))


def _only(flat: Script, places: Iterable[int]) -> Script:
    """The script with only some of its assertions, without names that are no longer used."""
    indices, place = frozenset(places), -1
    commands: list[Command] = []
    parts = [part for term in flat.assertions for part in subterms(term)]
    used_names = {part.head.name for part in parts if isinstance(part, App) and is_name(part)}
    for command in flat.commands:
        if isinstance(command, Assert):
            place += 1
            if place not in indices:
                labels = {symbol_name(name) for part in subterms(command.term) for name in names_given(part)}
                if labels & used_names:
                    commands.append(Assert(app(Head(OPERATORS["or"]), (TRUE, command.term))))
                continue
        commands.append(command)
    return Script(tuple(commands))


def with_indicators(script: Script) -> str | None:
    """The script if its last check has assumptions; otherwise its assertions, each implied by a Boolean
    constant that is assumed. None if there is nothing to assume.
    """
    checks = [c for c in script.commands if is_check(c)]
    if checks and isinstance(checks[-1], CheckSatAssuming):
        return print_script(script) if checks[-1].terms else None
    flat = at_last_check(script)
    if flat is None or not flat.assertions:
        return None
    lines: list[str] = []
    indicators: list[str] = []
    for command in flat.commands:
        if isinstance(command, Assert):
            indicators.append(f"falsum!a{len(indicators) + 1}")
            implied = f"(=> {indicators[-1]} {print_term(command.term)})"
            lines.append(f"(declare-fun {indicators[-1]} () Bool)\n(assert {implied})\n")
        elif isinstance(command, (*_KEPT, *_SETTINGS)):
            lines.append(print_script(Script((command,))))
    return "".join(lines) + f"(check-sat-assuming ({' '.join(indicators)}))\n"


def last_check(text: str) -> int:
    """The number of the last check of a script, from 0; -1 if it has none."""
    return sum(map(is_check, read_script(text).commands)) - 1


def with_assumptions(text: str, check: int, answer: str) -> str | None:
    """The script at a check with only the assumptions that a solver names; None if the check has no
    assumptions, or if all, none or anything else are named.
    """
    script = read_script(text)
    checks = [c for c in script.commands if is_check(c)]
    command = checks[check] if check < len(checks) else None
    flat = at_check(script, check)
    if not isinstance(command, CheckSatAssuming) or flat is None:
        return None
    literals = {" ".join(item.split()) for item in _elements(answer)}
    before = len(flat.assertions) - len(command.terms)
    texts = [print_term(term) for term in command.terms]
    numbers = [n for n, term in enumerate(texts) if term in literals]
    if not numbers or not literals <= set(texts):
        return None
    return _fewer(flat, {*range(before), *(before + n for n in numbers)})


def _elements(answer: str) -> list[str]:
    """The elements of a list: symbols and lists."""
    return [
        word for item in items(answer.strip()[1:-1]) for word in ([item] if item[0] in "(|" else item.split())
    ]
