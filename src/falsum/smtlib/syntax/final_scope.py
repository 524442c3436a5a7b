"""The scope that commands make: what names mean after them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeGuard

from falsum.errors import UsageError
from falsum.smtlib.models.model import names_in
from falsum.smtlib.scripts import (
    Command,
    Datatype,
    DeclareDatatypes,
    DeclareFun,
    DeclareSort,
    DefineFun,
    DefineFunsRec,
    DefineSort,
    Plain,
    Pop,
    Push,
    Script,
    SetLogic,
    SetOption,
    SynthFun,
)
from falsum.smtlib.sorts import Sort
from falsum.smtlib.syntax.identifiers import tester
from falsum.smtlib.syntax.scope import Scope, SortName
from falsum.smtlib.terms import Function
from falsum.smtlib.text.lexer import quote


def scope_of_all(script: Script) -> Scope:
    """The names of a script as if nothing were popped or reset: a model may contain any of them."""
    commands = [c for c in script.commands if not isinstance(c, Push | Pop) and not _is_reset(c)]
    scope = Scope()
    scope.may_redeclare = True
    return scope_after(commands, scope)


def scope_after(commands: Sequence[Command], scope: Scope) -> Scope:
    """The scope after further commands: the given one, changed, or a new one after a reset."""
    for command in commands:
        _declare_names(scope, command)
        if _is_reset(command):
            scope = _after_reset(scope, command)
            continue
        effect = _EFFECTS.get(type(command))
        if effect is not None:
            try:
                effect(scope, command)
            except UsageError:
                continue  # declared twice: the first declaration counts
    return scope


def _is_reset(command: Command) -> TypeGuard[Plain]:
    return isinstance(command, Plain) and command.word in ("reset", "reset-assertions")


def _after_reset(scope: Scope, command: Plain) -> Scope:
    """Only `(reset)` removes the logic, and global declarations."""
    if command.word == "reset":
        return Scope()
    if scope.is_global:
        return scope
    fresh = Scope()
    fresh.reals_only = scope.reals_only
    return fresh


def declare_datatype(scope: Scope, datatype: Datatype) -> None:
    """Declares a datatype with its constructors, selectors and testers."""
    scope.declare_sort(datatype.name, SortName(0, len(datatype.params)))
    scope.declare_datatype(datatype)
    sort, params = datatype.sort, datatype.params
    for name, selectors in datatype.constructors:
        constructor = Function(name, tuple(s for _, s in selectors), sort, params, "constructor")
        scope.declare(constructor)
        for selector, result in selectors:
            scope.declare(Function(selector, (sort,), result, params, "selector"))
        scope.declare_quietly(tester(constructor))


def _declare_sort(scope: Scope, command: DeclareSort) -> None:
    new = SortName(0, command.arity or 0)
    if command.arity is None:
        new = SortName(0, 0, (), Sort.parameter(command.name))
    scope.declare_sort(command.name, new)


def _declare_datatypes(scope: Scope, command: DeclareDatatypes) -> None:
    for datatype in command.datatypes:
        declare_datatype(scope, datatype)


def _define_funs(scope: Scope, command: DefineFunsRec) -> None:
    for function in command.functions:
        scope.declare(function)


def _declare_names(scope: Scope, command: Command) -> None:
    """`(! t :named n)` declares n."""
    for symbol in names_in(command):
        if symbol not in scope.functions(quote(symbol.name)):
            scope.declare(symbol)


def _set_option(scope: Scope, command: SetOption) -> None:
    if command.keyword == ":global-declarations":
        scope.is_global = command.value == "true"
    if command.keyword == ":fresh-declarations":
        scope.may_redeclare = command.value == "false"


_EFFECTS: Final[dict[type, Callable[..., object]]] = {
    SetLogic: lambda scope, command: scope.set_logic(command.name),
    SetOption: _set_option,
    DeclareSort: _declare_sort,
    DefineSort: lambda scope, c: scope.declare_sort(c.name, SortName(0, len(c.params), c.params, c.body)),
    DeclareDatatypes: _declare_datatypes,
    DeclareFun: lambda scope, command: scope.declare(command.function),
    SynthFun: lambda scope, command: scope.declare(command.function),
    DefineFun: lambda scope, command: scope.declare(command.function),
    DefineFunsRec: _define_funs,
    Push: lambda scope, command: scope.push(command.levels),
    Pop: lambda scope, command: scope.pop(command.levels),
}
