"""Values as terms of a script: short, and without names that only a model has."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from falsum.smtlib.models.model import Model
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App, Term, Value
from falsum.smtlib.theories import kind_of, theory_cache
from falsum.smtlib.values.algebraic import Algebraic
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import Element
from falsum.smtlib.values.functions import Closure, OpenPoint
from falsum.smtlib.walk import subterms

_LONGEST: Final = 200
# Payloads that are no values, and values for which SMT-LIB has no constant.
NO_VALUE: Final = (CannotSay, Closure, OpenPoint)
_NAMELESS: Final = (*NO_VALUE, Algebraic, Element)
# How often a random constant is no corner case.
_ANY_SHARE: Final = 0.25


def is_writable(term: Term) -> bool:
    """Whether a script may contain the term: no part of it has a name that only a model knows."""
    return not any(isinstance(part, Value) and isinstance(part.payload, _NAMELESS) for part in subterms(term))


def literal(sort: Sort, payload: Any, model: Model, *, in_model: bool = False) -> Term | None:
    """The term for a value; None if it is too long or cannot be written in a script.

    Constant arrays are allowed `in_model` only: not every solver takes them in assertions.
    """
    if isinstance(payload, _NAMELESS):
        return None
    term = value_term(sort, payload, model.datatypes)
    todo, length = [] if term is None else [term], 0
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
    return term


@theory_cache(maxsize=1024)
def constants_of(sort: Sort) -> tuple[str, ...]:
    """The texts of simple and corner-case values of a sort; none for a sort without constants."""
    kind = kind_of(sort)
    if kind.generated_constants is not None:
        return kind.generated_constants(sort)
    return tuple(kind.text(sort, payload) for payload in kind.corners(sort))


def random_constant(sort: Sort, rng: Random) -> str | None:
    """The text of a constant that all solvers read, mostly a corner case; None if the sort has none."""
    kind = kind_of(sort)
    if not kind.has_literals and kind.generated_constants is None:
        return None
    if kind.has_literals and kind.random is not None and rng.random() < _ANY_SHARE:
        return kind.text(sort, kind.random(sort, rng))
    some = constants_of(sort)
    return some[rng.randrange(len(some))] if some else None
