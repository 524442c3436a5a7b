"""Random constants: the baselines to which coercion is compared."""

from __future__ import annotations

from random import Random

from falsum.smtlib.models.model import Model
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.samples import random_value
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import Term, Value
from falsum.smtlib.theories import kind_of
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import Element
from falsum.smtlib.walk import subterms


def random_constant(sort: Sort, model: Model, rng: Random, *, uniform: bool) -> Term | None:
    """A random constant, drawn uniformly or with a bias to corner cases; None if the sort has none."""
    draw = kind_of(sort, model.datatypes).uniform if uniform else None
    payload = random_value(sort, model, rng) if draw is None else draw(sort, rng)
    if isinstance(payload, CannotSay):
        return None
    term = value_term(sort, payload, model.datatypes)
    return None if term is None or has_elements(term) else term


def has_elements(term: Term) -> bool:
    """Whether a term contains an element of a declared sort, which cannot be written in a script."""
    return any(isinstance(part, Value) and isinstance(part.payload, Element) for part in subterms(term))
