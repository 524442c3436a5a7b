"""Writes payloads as text and as terms, as the kind of the sort defines it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import Term, Value, value
from falsum.smtlib.theories import kind_of
from falsum.smtlib.theories.declared import element_text
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import Constructed, Element
from falsum.smtlib.values.functions import Closure

if TYPE_CHECKING:
    from falsum.smtlib.scripts import Datatype

# Payloads are written recursively up to this depth; values of datatypes may be deeper.
_DEEPEST: Final = 200
# Payloads without SMT-LIB text in any sort; a script may declare a datatype named like a theory's sort.
_WITHOUT_TEXT: Final = (CannotSay, Closure, Constructed)
# Payloads that models and evaluations may contain in place of a value of any sort.
_OF_NO_KIND: Final = (Element, CannotSay, Closure)


def write_value(sort: Sort, payload: Any) -> Value:
    """The payload as a single constant; solvers read it back if the sort is basic."""
    return value(sort, payload, value_text(sort, payload))


def value_text(sort: Sort, payload: Any) -> str:
    """The payload as text: SMT-LIB for basic sorts, Python for others."""
    if isinstance(payload, Element):
        return element_text(sort, payload)
    if isinstance(payload, _WITHOUT_TEXT):
        return repr(payload)
    return kind_of(sort).text(sort, payload)


def value_term(sort: Sort, payload: Any, datatypes: Mapping[str, Datatype]) -> Term | None:
    """The payload as a term; None if it cannot be written, as sets of functions."""
    if kind_of(sort, datatypes).term is None:
        return write_value(sort, payload)
    writer = _Writer(datatypes)
    todo = [(sort, payload)]
    while True:
        try:
            term = writer.write(*todo[-1])
        except _MissingPartsError as missing:
            todo += missing.parts
            continue
        done = todo.pop()
        if not todo:
            return term
        writer.add(*done, term)


class _MissingPartsError(Exception):
    """These parts have to be written first."""

    def __init__(self, parts: list[tuple[Sort, Any]]) -> None:
        self.parts = parts


class _Writer:
    """Writes a payload and its parts.

    Values of datatypes may be deep, so they are written before what they are part of. Everything else nests
    no deeper than its sort, and is written recursively.
    """

    __slots__ = ("_depth", "_made", "datatypes")

    def __init__(self, datatypes: Mapping[str, Datatype]) -> None:
        self.datatypes = datatypes
        self._made: dict[tuple[Sort, int], tuple[Any, Term | None]] = {}
        self._depth = 0

    def add(self, sort: Sort, payload: Any, term: Term | None) -> None:
        self._made[sort, id(payload)] = payload, term  # held, so that its identity stays its own

    def term(self, sort: Sort, payload: Any) -> Term | None:
        term = self._made.get((sort, id(payload)))
        if term is not None:
            return term[1]
        if isinstance(payload, Constructed):
            raise _MissingPartsError([(sort, payload)])
        return self.write(sort, payload)

    def write(self, sort: Sort, payload: Any) -> Term | None:
        kind = kind_of(sort, self.datatypes)
        if kind.term is None or isinstance(payload, _OF_NO_KIND):
            return write_value(sort, payload)
        if self._depth > _DEEPEST:
            return None
        self._depth += 1
        try:
            return kind.term(sort, payload, self)
        finally:
            self._depth -= 1

    def terms(self, sorts: Sequence[Sort], payloads: Sequence[Any]) -> list[Term] | None:
        parts: list[Term | None] = []
        missing: list[tuple[Sort, Any]] = []
        for sort, payload in zip(sorts, payloads, strict=True):
            try:
                parts.append(self.term(sort, payload))
            except _MissingPartsError as error:
                missing += error.parts
        if missing:
            raise _MissingPartsError(missing)
        terms = [part for part in parts if part is not None]
        return terms if len(terms) == len(parts) else None


def value_of(sort: Sort, payload: object) -> Term | None:
    """The payload as a term in its shortest spelling; None if it cannot be written."""
    shortest = kind_of(sort).shortest_text
    return (
        value_term(sort, payload, {}) if shortest is None else value(sort, payload, shortest(sort, payload))
    )
