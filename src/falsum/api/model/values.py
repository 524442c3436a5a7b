"""Values in traces: drawn as text in every notation, read back as terms.

A sort's kind may have a notation for traces: bit-vectors are written `#b0101`, `#x5` or `5`, integers `-5`,
reals `-1/3` or `0.5`. Values of other sorts are written as in SMT-LIB. Special values go by name: `ones`,
`min_signed`, `+oo`, …
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from falsum.errors import UsageError
from falsum.smtlib.models.model import Model
from falsum.smtlib.printing.values_as_terms import value_term, write_value
from falsum.smtlib.samples import random_value
from falsum.smtlib.theories import NAMED_VALUES, kind_of
from falsum.smtlib.theories.literals import read_literal

if TYPE_CHECKING:
    from random import Random

    from falsum.smtlib.sorts import Sort
    from falsum.smtlib.terms import Term

_NOTHING: Final = Model()
_MAX_SMALL: Final = 2


def draw_value(sort: Sort, rng: Random) -> str | None:
    """A random value's text; None for sorts whose values are not written."""
    payload: Any = random_value(sort, _NOTHING, rng)
    kind = kind_of(sort)
    if not kind.corners(sort):
        return None
    if kind.notation is not None and kind.notation.draw is not None:
        return kind.notation.draw(sort, payload, rng)
    return kind.text(sort, payload) if kind.notation is None else kind.notation.write(sort, payload)


def written_value(sort: Sort, payload: Any) -> str | None:
    """A value's text; None for sorts whose values are not written, and for irrational numbers."""
    kind = kind_of(sort)
    if not kind.has_literals:
        return None
    return kind.text(sort, payload) if kind.notation is None else kind.notation.write(sort, payload)


def small_values(sort: Sort) -> tuple[str, ...]:
    """The texts of the simplest values, valid for sorts of this kind with other indices as well."""
    kind = kind_of(sort)
    if kind.notation is not None or not kind.has_literals:
        return () if kind.notation is None else kind.notation.small
    return tuple(kind.text(sort, payload) for payload in kind.corners(sort)[:_MAX_SMALL])


def read_value(sort: Sort, text: str) -> Term:
    """The term a value's text stands for; raises UsageError."""
    try:
        return _read(sort, text)
    except (ArithmeticError, AssertionError, LookupError, ValueError) as error:
        raise UsageError(f"invalid value {text!r} of sort {sort}") from error


def _read(sort: Sort, text: str) -> Term:
    notation = kind_of(sort).notation
    if notation is not None:
        payload = notation.read(sort, text)
        return value_term(sort, payload, {}) or write_value(sort, payload)
    literal = NAMED_VALUES.get(text)
    if literal is None and (token := read_literal(text)) is not None:
        literal = write_value(token.sort, token.payload)
    if literal is None or literal.sort is not sort:
        raise ValueError(text)
    return literal


def read_special(sort: Sort, name: str) -> Term:
    """A special value by its name; raises UsageError."""
    notation = kind_of(sort).notation
    payload = notation.special(sort, name) if notation is not None and notation.special is not None else None
    if payload is not None:
        return write_value(sort, payload)
    literal = NAMED_VALUES.get(name)
    if literal is None or literal.sort is not sort:
        raise UsageError(f"unknown special value {name!r} of sort {sort}")
    return literal
