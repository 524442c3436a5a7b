"""Simple terms that may replace any other of their sort: values, constants of the script, new constants."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from falsum.reducer.measure import NAME, own_weight
from falsum.reducer.outline import Outline
from falsum.smtlib.maps.command_terms import declared_by
from falsum.smtlib.models.model import bare_model
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.values_as_terms import value_of, value_term
from falsum.smtlib.samples import simplest
from falsum.smtlib.scripts import (
    DeclareDatatypes,
    DeclareFun,
    DefineFun,
    Plain,
    Pop,
    Push,
)
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import Function, Head, Term, Value, constant
from falsum.smtlib.theories import kind_of
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.walk import subterms


class SimpleTerms:
    """The simple terms of one script, by sort and place."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._model = bare_model(outline.script)
        self._values: dict[Sort, tuple[Term, ...]] = {}
        # Constants by sort: the function, the command that declares it, and the one that ends its scope.
        self._constants: dict[Sort, list[tuple[Function, int, int]]] = {}
        self._taken = set(outline.bound_names)
        self._note_declarations()

    def _note_declarations(self) -> None:
        commands = self._outline.script.commands
        levels: list[list[tuple[Function, int]]] = [[]]
        for number, command in enumerate(commands):
            for key in declared_by(command):
                self._taken.add(key if isinstance(key, str) else key.name)
            if isinstance(command, DeclareFun | DefineFun):
                if not command.function.args and not command.function.params:
                    levels[-1].append((command.function, number))
            elif isinstance(command, DeclareDatatypes):
                for constructor in (c for d in command.datatypes for c in d.constructors):
                    self._taken.update((constructor.name, *(name for name, _ in constructor.selectors)))
            elif isinstance(command, Push):
                levels.extend([] for _ in range(command.levels))
            elif isinstance(command, Pop) and command.levels < len(levels):
                for _ in range(command.levels):
                    self._close(levels.pop(), number)
            elif isinstance(command, Plain) and command.word in ("reset", "reset-assertions"):
                while levels:
                    self._close(levels.pop(), number)
                levels = [[]]
        while levels:
            self._close(levels.pop(), len(commands))

    def _close(self, level: list[tuple[Function, int]], end: int) -> None:
        for function, start in level:
            self._constants.setdefault(function.result, []).append((function, start, end))

    def values(self, sort: Sort) -> tuple[Term, ...]:
        """The one or two simplest values of a sort, the simplest first."""
        values = self._values.get(sort)
        if values is None:
            values = self._values[sort] = self._make_values(sort)
        return values

    def _make_values(self, sort: Sort) -> tuple[Term, ...]:
        stand_ins = kind_of(sort, self._model.datatypes).simple_values
        if stand_ins is not None:
            values = [value_of(sort, payload) for payload in stand_ins(sort)]
            return tuple(term for term in values if term is not None)
        payload = simplest(sort, self._model)
        if isinstance(payload, CannotSay):
            return ()
        term = value_term(sort, payload, self._model.datatypes)
        # Elements of declared sorts cannot be written in a script.
        if term is None or any(isinstance(p, Value) and p.text.startswith("(as @") for p in subterms(term)):
            return ()
        return (term,)

    def constants(self, sort: Sort, place: int) -> Iterator[Term]:
        """Constants of the sort that are in scope at a place."""
        number = self._outline.command_of(place)
        bound = self._outline.bound_names
        for function, start, end in self._constants.get(sort, ()):
            if start < number < end and function.name not in bound:
                yield constant(function)

    def leaf(self, sort: Sort, place: int) -> Term | None:
        """A value or constant of the sort that weighs no more than a name and has no arguments."""
        for term in (*self.values(sort)[:1], *islice(self.constants(sort, place), 1)):
            if own_weight(term) <= NAME and not getattr(term, "args", ()):
                return term
        return None

    def fresh(self, sort: Sort) -> Function:
        """A new constant whose name does not occur in the script."""
        number = len(self._taken)
        while (name := f"v{number}") in self._taken:
            number += 1
        self._taken.add(name)
        return Function(name, (), sort)


def operator_name(term: Term) -> str:
    """The name of the operator a term applies, "" if it applies none."""
    head = getattr(term, "head", None)
    symbol = head.symbol if isinstance(head, Head) else None
    return symbol.canonical.name if isinstance(symbol, Operator) else ""
