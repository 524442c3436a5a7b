"""Model: an interpretation of the symbols of a script."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from falsum.smtlib.scripts import (
    Assert,
    Command,
    Datatype,
    DeclareDatatypes,
    DeclareFun,
    DefineFun,
    DefineFunsRec,
    Script,
)
from falsum.smtlib.sorts import Sort
from falsum.smtlib.term_names import names_given
from falsum.smtlib.terms import Annotated, App, Function, Term, Value, Var
from falsum.smtlib.text.lexer import symbol_name
from falsum.smtlib.walk import subterms

# The roles of symbols that a model or the script itself has to define.
_INTERPRETED: Final = frozenset(("declared", "defined", "named"))


class Definition(NamedTuple):
    """The definition of a function: its parameters and its body."""

    binders: tuple[Var, ...]
    body: Term


class PrintedHeap(NamedTuple):
    """The heap of a model of separation logic, as terms: its cells, and the location that is nil."""

    cells: tuple[tuple[Term, Term], ...]
    nil: Term
    sorts: tuple[Sort, Sort]


@dataclass(frozen=True, slots=True)
class Model:
    """An interpretation of the symbols of a script, with all that evaluation needs.

    `definitions` are keyed by function, so overloaded names do not clash; they include the script's own.
    `named` has the functions that a solver prints and the script does not declare, by name: auxiliary ones,
    and choices at points that the standard leaves open (`/0`, `div0`, …); another function of the same name
    is found under its `overload`. `unreadable` are symbols whose definitions could not be read, with the
    reason. `listed` are declared sorts for which `universes` has the elements the solver listed, but there
    may be more: cvc5 lists those its terms need, and quantifiers and arrays may range over others. `heap` is
    that of separation logic.
    """

    definitions: Mapping[Function, Definition] = field(default_factory=dict)
    universes: Mapping[Sort, tuple[Hashable, ...]] = field(default_factory=dict)
    datatypes: Mapping[str, Datatype] = field(default_factory=dict)
    named: Mapping[str, tuple[Function, Definition]] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)
    listed: frozenset[Sort] = frozenset()
    heap: PrintedHeap | None = None
    _constants: dict[Function, Value] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def constants(self) -> Mapping[Function, Value]:
        """Symbols defined as plain values, as most symbols of a model are.

        Cached, since a model with many symbols is often evaluated once for each of them.
        """
        if self._constants is None:
            constants = {
                symbol: definition.body
                for symbol, definition in self.definitions.items()
                if isinstance(definition.body, Value) and not definition.binders
            }
            object.__setattr__(self, "_constants", constants)
            return constants
        return self._constants

    def definition_of(self, symbol: Function) -> Definition | None:
        """The definition of a symbol at its own rank; None if there is none."""
        own = self.definitions.get(symbol)
        if own is not None:
            return own
        for key in (symbol.name, overload(symbol.name, symbol.args)):
            text, definition = self.named.get(key, (None, None))
            if text is not None and text.args == symbol.args and text.result is symbol.result:
                return definition
        return None


def overload(name: str, sorts: Iterable[Sort]) -> str:
    """The key in `named` of another function with the same name; symbols have no spaces and parentheses."""
    return f"{name} ({' '.join(map(str, sorts))})"


def declared_functions(script: Script) -> tuple[Function, ...]:
    """The functions that a model of the script has to interpret."""
    functions = {c.function: None for c in script.commands if isinstance(c, DeclareFun)}
    return tuple(functions)


def undefined_symbols(model: Model, term: Term) -> tuple[Function, ...]:
    """The symbols that a term depends on, also through definitions, and that a model does not define."""
    seen: set[Function] = set()
    symbols: list[Function] = []
    todo = [term]
    while todo:
        for part in subterms(todo.pop()):
            symbol = part.head.symbol if isinstance(part, App) else None
            if not isinstance(symbol, Function) or symbol.role not in _INTERPRETED or symbol in seen:
                continue
            seen.add(symbol)
            definition = model.definition_of(symbol)
            if definition is None:
                symbols.append(symbol)
            else:
                todo.append(definition.body)
    return tuple(symbols)


def bare_model(script: Script) -> Model:
    """The script's own definitions: functions, datatypes, named terms; declared functions are left out."""
    defined: dict[Function, Definition] = {}
    datatypes: dict[str, Datatype] = {}
    for command in script.commands:
        defined.update(names_in(command))
        if isinstance(command, DefineFun):
            defined[command.function] = Definition(command.binders, command.body)
        elif isinstance(command, DefineFunsRec):
            triples = zip(command.functions, command.binders, command.bodies, strict=True)
            defined.update({f: Definition(binders, body) for f, binders, body in triples})
        elif isinstance(command, DeclareDatatypes):
            datatypes.update({datatype.name: datatype for datatype in command.datatypes})
    return Model(defined, {}, datatypes)


def names_in(command: Command) -> dict[Function, Definition]:
    """The names that a command gives to terms, as definitions."""
    return {symbol: named for term in _terms(command) for symbol, named in _names_within(term)}


@lru_cache(maxsize=128)
def _names_within(term: Term) -> tuple[tuple[Function, Definition], ...]:
    """The names given in a term; cached, since every model of a script is read with the same terms."""
    return tuple(
        [
            (Function(symbol_name(name), (), part.sort, role="named"), Definition((), part.body))
            for part in subterms(term)
            if isinstance(part, Annotated)
            for name in names_given(part)
        ]
    )


def _terms(command: Command) -> tuple[Term, ...]:
    if isinstance(command, Assert):
        return (command.term,)
    if isinstance(command, DefineFun):
        return (command.body,)
    return command.bodies if isinstance(command, DefineFunsRec) else ()
