"""Values as terms of a script: short, and without names that only a model has."""

from __future__ import annotations

from typing import Any, Final

from falsum.smtlib.models.model import Model
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App, Term, Value
from falsum.smtlib.values.algebraic import Algebraic
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import Element
from falsum.smtlib.values.functions import Closure, OpenPoint
from falsum.smtlib.walk import subterms

_LONGEST: Final = 200
# Payloads that are no values, and values for which SMT-LIB has no constant.
NO_VALUE: Final = (CannotSay, Closure, OpenPoint)
_NAMELESS: Final = (*NO_VALUE, Algebraic, Element)


def is_writable(term: Term) -> bool:
    """Whether a script may contain the term: no part of it has a name that only a model knows."""
    return not any(isinstance(part, Value) and isinstance(part.payload, _NAMELESS) for part in subterms(term))


def literal(sort: Sort, payload: Any, model: Model, *, in_model: bool = False) -> Term | None:
    """The term for a value; None if it is too long or cannot be written in a script.

    Constant arrays are allowed `in_model` only: not every solver takes them in assertions.
    """
    if isinstance(payload, _NAMELESS):
        return None
    written = value_term(sort, payload, model.datatypes)
    todo, length = [] if written is None else [written], 0
    while todo:
        part = todo.pop()
        if isinstance(part, Value) and not isinstance(part.payload, _NAMELESS):
            length += len(part.text)
        elif isinstance(part, App) and (in_model or part.head.name != "const"):
            length += len(part.head.text) + 2
            todo.extend(part.args)
        else:
            return None
        if length > _LONGEST:
            return None
    return written
