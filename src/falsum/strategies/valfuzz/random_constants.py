"""Random constants: the baselines to which coercion is compared."""

from __future__ import annotations

import string
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any, Final

from falsum.smtlib.models.model import Model
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.sampling import random_value
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import Term, Value
from falsum.smtlib.theories.meanings import float_format, width
from falsum.smtlib.values import floats
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import Element
from falsum.smtlib.values.rounding import RoundingMode
from falsum.smtlib.walk import subterms

_HALF: Final = 1 << 31
_LETTERS: Final = string.ascii_letters + string.digits + string.punctuation + " "
_LONGEST: Final = 8
# Values of unbounded sorts have 32 bits, or up to eight printable characters.
_UNIFORM: Final[dict[str, Callable[[Sort, Random], Any]]] = {
    "Bool": lambda _, rng: rng.random() < 0.5,
    "Int": lambda _, rng: rng.randrange(-_HALF, _HALF),
    "Real": lambda _, rng: Fraction(rng.randrange(-_HALF, _HALF), 10 ** rng.randrange(4)),
    "BitVec": lambda sort, rng: rng.getrandbits(width(sort)),
    "FloatingPoint": lambda sort, rng: floats.canonical(
        float_format(sort), rng.getrandbits(float_format(sort).width)
    ),
    "RoundingMode": lambda _, rng: rng.choice(list(RoundingMode)),
    "String": lambda _, rng: "".join(rng.choices(_LETTERS, k=rng.randrange(_LONGEST + 1))),
}


def random_constant(sort: Sort, model: Model, rng: Random, *, uniform: bool) -> Term | None:
    """A random constant, drawn uniformly or with a bias to corner cases; None if the sort has none."""
    maker = _UNIFORM.get(sort.name) if uniform else None
    payload = maker(sort, rng) if maker is not None else random_value(sort, model, rng)
    if isinstance(payload, CannotSay):
        return None
    term = value_term(sort, payload, model.datatypes)
    return None if term is None or has_elements(term) else term


def has_elements(term: Term) -> bool:
    """Whether a term contains an element of a declared sort, which cannot be written in a script."""
    return any(isinstance(part, Value) and isinstance(part.payload, Element) for part in subterms(term))
