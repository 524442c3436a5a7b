"""The terms of commands, and the symbols that commands declare and use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

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
    Plain,
    Pop,
    Push,
    Script,
    SetOption,
    SynthFun,
    WithTerms,
)
from falsum.smtlib.sorts import Sort
from falsum.smtlib.term_names import names_given
from falsum.smtlib.terms import App, Function, Lambda, Quantifier, Term, Var
from falsum.smtlib.text.lexer import symbol_name
from falsum.smtlib.theories import SORTS
from falsum.smtlib.walk import subterms

# A function, or the name of a sort. Constructors, selectors and testers count as the sort of their datatype.
Key: TypeAlias = Function | str
# Commands that introduce a symbol.
INTRODUCING: Final = (*DECLARATIONS, SynthFun)
_OF_DATATYPES: Final = frozenset(["constructor", "selector", "tester", "updater"])


def terms_of(command: Command) -> tuple[Term, ...]:
    """The terms of a command in the order they are written."""
    if isinstance(command, Assert):
        return (command.term,)
    if isinstance(command, DefineFun):
        return (command.body,)
    if isinstance(command, DefineFunsRec):
        return command.bodies
    if isinstance(command, CheckSatAssuming):
        return command.terms
    if isinstance(command, WithTerms):
        return tuple(piece for piece in command.pieces if not isinstance(piece, str))
    return ()


def binders_of(command: Command, slot: int) -> tuple[Var, ...]:
    """The parameters that a definition binds in its term number `slot`."""
    if isinstance(command, DefineFun):
        return command.binders
    if isinstance(command, DefineFunsRec):
        return command.binders[slot]
    return ()


def with_terms(command: Command, terms: Sequence[Term]) -> Command:
    """The command with other terms; only `check-sat-assuming` may get fewer."""
    if isinstance(command, Assert):
        return Assert(terms[0])
    if isinstance(command, DefineFun):
        return replace(command, body=terms[0])
    if isinstance(command, DefineFunsRec):
        return replace(command, bodies=tuple(terms))
    if isinstance(command, CheckSatAssuming):
        return CheckSatAssuming(tuple(terms))
    if isinstance(command, WithTerms):
        rest = iter(terms)
        return replace(command, pieces=tuple(p if isinstance(p, str) else next(rest) for p in command.pieces))
    return command


def declared_by(command: Command) -> tuple[Key, ...]:
    """The symbols a command brings into scope."""
    if isinstance(command, DeclareFun | SynthFun | DefineFun):
        return (command.function,)
    if isinstance(command, DefineFunsRec):
        return command.functions
    if isinstance(command, DeclareSort):
        return (command.name,)
    if isinstance(command, DeclareDatatypes):
        return tuple(datatype.name for datatype in command.datatypes)
    return tuple(_named_in(command))


def _named_in(command: Command) -> Iterator[Function]:
    for term in terms_of(command):
        for part in subterms(term):
            for name in names_given(part):
                yield Function(symbol_name(name), (), part.sort, role="named")


def used_by(command: Command) -> dict[Key, None]:
    """The symbols a command needs in scope, as an ordered set."""
    keys: dict[Key, None] = {}
    sorts: dict[Sort, None] = {}
    if isinstance(command, DeclareFun | SynthFun | DefineFun):
        sorts.update(dict.fromkeys((*command.function.args, command.function.result)))
    elif isinstance(command, DefineFunsRec):
        sorts.update(dict.fromkeys(s for f in command.functions for s in (*f.args, f.result)))
    elif isinstance(command, DeclareDatatypes):
        every = (c for datatype in command.datatypes for c in datatype.constructors)
        sorts.update(dict.fromkeys(sort for constructor in every for _, sort in constructor.selectors))
    for term in terms_of(command):
        _add_used(term, keys, sorts)
    for sort in sorts:
        keys.update(dict.fromkeys(names_in_sort(sort)))
    return keys


def _add_used(term: Term, keys: dict[Key, None], sorts: dict[Sort, None]) -> None:
    for part in subterms(term):
        sorts[part.sort] = None
        if isinstance(part, Quantifier | Lambda):
            sorts.update(dict.fromkeys(binder.sort for binder in part.binders))
        elif isinstance(part, App):
            symbol = part.head.symbol
            if part.head.qualifier is not None:
                sorts[part.head.qualifier] = None
            if isinstance(symbol, Function):
                if symbol.role in _OF_DATATYPES:
                    sorts[symbol.result if symbol.role == "constructor" else symbol.args[0]] = None
                else:
                    keys[symbol] = None


def names_in_sort(sort: Sort) -> Iterator[str]:
    todo = [sort]
    while todo:
        inner = todo.pop()
        if not inner.is_parameter:
            yield inner.name
        todo.extend(inner.args)


def is_closed(script: Script) -> bool:
    """Whether every function and every declared sort is in scope where it is used."""
    everything = {key for command in script.commands for key in declared_by(command)}
    roles = {"declared", "named", "defined"}
    levels: list[dict[Key, None]] = [{}]
    is_global = False
    for command in script.commands:
        if isinstance(command, SetOption) and command.keyword == ":global-declarations":
            is_global = command.value == "true"
        declarations = declared_by(command)
        for key in used_by(command):
            is_predefined = key.role in roles if isinstance(key, Function) else key not in SORTS
            is_known = is_predefined or key in everything
            if is_known and key not in declarations and not any(key in level for level in levels):
                return False
        if isinstance(command, Push):
            levels.extend({} for _ in range(command.levels))
        elif isinstance(command, Pop):
            if command.levels >= len(levels):
                return False
            del levels[len(levels) - command.levels :]
        elif isinstance(command, Plain) and command.word in ("reset", "reset-assertions"):
            levels = levels[:1] if is_global else [{}]
        (levels[0] if is_global else levels[-1]).update(dict.fromkeys(declarations))
    return True
