"""The scope a script leaves behind, from its commands: what names mean to whoever reads on after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from falsum.errors import UsageError
from falsum.smtlib.lexer import quote
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


def scope_of(script: Script) -> Scope:
    """What the script's names mean after its last command."""
    return replayed(script.commands, Scope())


def scope_of_all(script: Script) -> Scope:
    """As `scope_of`, but nothing is ever popped: what any model of any check of the script may mention."""
    kept = [c for c in script.commands if not isinstance(c, Push | Pop) and not _forgets(c)]
    scope = Scope()
    scope.may_redeclare = True
    return replayed(kept, scope)


def replayed(commands: Sequence[Command], scope: Scope) -> Scope:
    """What names mean after further commands; the scope is changed, or another one after a reset."""
    for command in commands:
        _declare_names(scope, command)
        if _forgets(command):
            old, scope = scope, Scope()
            scope.reals_only = old.reals_only and isinstance(command, Plain) and command.word != "reset"
            continue
        play = _PLAYERS.get(type(command))
        if play is not None:
            try:
                play(scope, command)
            except UsageError:
                continue  # declared twice: the first one counts
    return scope


def _forgets(command: Command) -> bool:
    return isinstance(command, Plain) and command.word in ("reset", "reset-assertions")


def declare_datatype(scope: Scope, datatype: Datatype) -> None:
    """Brings a datatype with its constructors, selectors and testers into scope."""
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


_PLAYERS: Final[dict[type, Callable[..., object]]] = {
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
