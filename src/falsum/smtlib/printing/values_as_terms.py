"""Writes payloads as text and as terms; how is up to the sort's kind."""

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

# Payloads are written recursively; a deeper one has no term.
_DEEPEST: Final = 200
# What is shown as it is, whatever the sort: a script may declare a datatype named like a theory's sort.
_FOR_PEOPLE: Final = (CannotSay, Closure, Constructed)
# What models and evaluations may have in place of a value of any sort.
_OF_NO_KIND: Final = (Element, CannotSay, Closure)


def write_value(sort: Sort, payload: Any) -> Value:
    """The payload as one constant, written so that solvers read it back (composite ones for people)."""
    return value(sort, payload, value_text(sort, payload))


def value_text(sort: Sort, payload: Any) -> str:
    """How a payload of a basic sort is written; other payloads are shown for people."""
    if isinstance(payload, Element):
        return element_text(sort, payload)
    if isinstance(payload, _FOR_PEOPLE):
        return repr(payload)
    return kind_of(sort).text(sort, payload)


def value_term(sort: Sort, payload: Any, datatypes: Mapping[str, Datatype]) -> Term | None:
    """The payload as a term every reader takes; None where there is none (sets of functions and the like)."""
    if kind_of(sort, datatypes).term is None:
        return write_value(sort, payload)
    return _Writer(datatypes).term(sort, payload)


class _Writer:
    """Writes a payload and its parts."""

    __slots__ = ("_depth", "datatypes")

    def __init__(self, datatypes: Mapping[str, Datatype]) -> None:
        self.datatypes = datatypes
        self._depth = 0

    def term(self, sort: Sort, payload: Any) -> Term | None:
        kind = kind_of(sort, self.datatypes)
        if kind.term is None or isinstance(payload, _OF_NO_KIND):
            return write_value(sort, payload)
        if self._depth > _DEEPEST:
            return None
        self._depth += 1
        made = kind.term(sort, payload, self)
        self._depth -= 1
        return made

    def terms(self, sorts: Sequence[Sort], payloads: Sequence[Any]) -> list[Term] | None:
        parts = [self.term(sort, part) for sort, part in zip(sorts, payloads, strict=True)]
        known = [part for part in parts if part is not None]
        return known if len(known) == len(parts) else None
