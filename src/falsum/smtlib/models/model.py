"""Models: what the symbols of a script stand for."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from falsum.smtlib.lexer import symbol_name
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
from falsum.smtlib.terms import Annotated, Function, Term, Var
from falsum.smtlib.walk import subterms


class Definition(NamedTuple):
    """What a function is: its parameters and the term it stands for."""

    binders: tuple[Var, ...]
    body: Term


@dataclass(frozen=True, slots=True)
class Model:
    """What the symbols of a script stand for: all that evaluation needs.

    `definitions` are keyed by function, so overloaded names do not meet; the script's own definitions are
    among them. `named` holds functions a solver prints that the script does not declare, by name: auxiliary
    ones, and what it chose where the standard leaves a point open (`/0`, `div0`, …); a second function of a
    name stands under its `overload`. `unreadable` are symbols the solver defined in a way that could not be
    read, with the reason. `listed` are declared sorts whose universe is what the solver listed, and it may
    count on more: cvc5 lists what its terms need, and means others where a quantifier or an array does.
    """

    definitions: Mapping[Function, Definition] = field(default_factory=dict)
    universes: Mapping[Sort, tuple[Hashable, ...]] = field(default_factory=dict)
    datatypes: Mapping[str, Datatype] = field(default_factory=dict)
    named: Mapping[str, tuple[Function, Definition]] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)
    listed: frozenset[Sort] = frozenset()


def overload(name: str, sorts: Iterable[Sort]) -> str:
    """What a second function of a name is called in `named`: no symbol has a space and a parenthesis."""
    return f"{name} ({' '.join(map(str, sorts))})"


def declared_functions(script: Script) -> tuple[Function, ...]:
    """The functions a model of the script has to interpret."""
    found = {c.function: None for c in script.commands if isinstance(c, DeclareFun)}
    return tuple(found)


def bare_model(script: Script) -> Model:
    """What the script itself fixes: definitions, datatypes, named terms; declared functions are left out."""
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
    """`(! t :named n)` makes n stand for t."""
    found = {}
    for part in (part for term in _terms(command) for part in subterms(term)):
        for name in names_given(part):
            assert isinstance(part, Annotated)
            symbol = Function(symbol_name(name), (), part.sort, role="named")
            found[symbol] = Definition((), part.body)
    return found


def _terms(command: Command) -> tuple[Term, ...]:
    if isinstance(command, Assert):
        return (command.term,)
    if isinstance(command, DefineFun):
        return (command.body,)
    return command.bodies if isinstance(command, DefineFunsRec) else ()
