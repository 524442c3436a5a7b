"""Values in traces: drawn as text in every base, read back as terms.

Bit-vectors are written `#b0101`, `#x5` or `5`; integers `-5`; reals `-1/3` or `0.5`; floats `(fp #b0 #b…
#b…)`; strings, truth values and rounding modes as in SMT-LIB. Special values go by name: `ones`,
`min_signed`, `+oo`, …
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from falsum.errors import UsageError
from falsum.smtlib.models.model import Model
from falsum.smtlib.printing.values_as_terms import value_term, value_text, write_value
from falsum.smtlib.sampling import random_value
from falsum.smtlib.theories import NAMED_VALUES
from falsum.smtlib.theories.literals import indexed_literal, read_literal
from falsum.smtlib.theories.meanings import float_format, width
from falsum.smtlib.values import floats
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue, Element
from falsum.smtlib.values.regexes import Regex

if TYPE_CHECKING:
    from random import Random

    from falsum.smtlib.sorts import Sort
    from falsum.smtlib.terms import Term

_NOTHING: Final = Model()


def draw_value(sort: Sort, rng: Random) -> str | None:
    """A random value's text; None for sorts whose values are not written."""
    payload: Any = random_value(sort, _NOTHING, rng)
    if isinstance(payload, CannotSay | Regex | ArrayValue | Element | tuple | frozenset):
        return None
    if sort.name == "BitVec":
        base = rng.randrange(3)
        if base == 0 and width(sort) % 4 == 0:
            return f"#x{payload:0{width(sort) // 4}x}"
        return str(payload) if base == 1 else f"#b{payload:0{width(sort)}b}"
    if isinstance(payload, Fraction):
        return _real(payload, rng)
    if isinstance(payload, int) and sort.name == "Int":
        return str(payload)
    return value_text(sort, payload)


def _real(payload: Fraction, rng: Random) -> str:
    if rng.random() < 0.5 and payload.denominator in (1, 2, 4, 8):
        return f"{float(payload)}" if abs(payload) < 10**6 else str(payload)
    return str(payload)


def written_value(sort: Sort, payload: Any) -> str | None:
    """A value as a line has it; None for sorts whose values are not written, and for special floats."""
    if sort.name == "BitVec":
        return f"#b{payload:0{width(sort)}b}"
    if sort.name == "Int":
        return str(payload)
    if sort.name == "Real":
        return str(payload) if isinstance(payload, Fraction) else None
    if sort.name in ("Bool", "RoundingMode", "String"):
        return value_text(sort, payload)
    text = value_text(sort, payload) if sort.name == "FloatingPoint" else ""
    return text if text.startswith("(fp ") else None


def read_value(sort: Sort, text: str) -> Term:
    """The term a value's text stands for; raises UsageError."""
    try:
        return _read(sort, text)
    except (ValueError, KeyError, AssertionError) as error:
        raise UsageError(f"{text} is no value of sort {sort}") from error


def _read(sort: Sort, text: str) -> Term:
    payload: Any
    if sort.name in ("Bool", "RoundingMode"):
        return NAMED_VALUES[text]
    if sort.name in ("Int", "Real"):
        payload = int(text) if sort.name == "Int" else Fraction(text)
    elif sort.name == "BitVec":
        payload = int(text[2:], {"b": 2, "x": 16}[text[1]]) if text.startswith("#") else int(text)
        if not 0 <= payload < 1 << width(sort):
            raise ValueError(text)
    elif sort.name == "FloatingPoint":
        parts = [word[2:] for word in text.strip("()").split()[1:]]
        form = float_format(sort)
        if [*map(len, parts)] != [1, form[0], form[1] - 1]:
            raise ValueError(text)
        payload = floats.canonical(form, int("".join(parts), 2))
    elif sort.name == "FiniteField":  # (as ff3 (_ FiniteField 7))
        payload = int(text.partition("ff")[2].split()[0]) % width(sort)
    elif sort.name == "String":
        literal = read_literal(text)
        if literal is None:
            raise ValueError(text)
        payload = literal.payload
    else:
        raise ValueError(text)
    term = value_term(sort, payload, {})
    return write_value(sort, payload) if term is None else term


def read_special(sort: Sort, name: str) -> Term:
    """A special value by its name."""
    if sort.name == "BitVec":
        top = 1 << (width(sort) - 1)
        bits = {"zero": 0, "one": 1, "ones": 2 * top - 1, "min_signed": top, "max_signed": top - 1}
        if name in bits:
            return write_value(sort, bits[name])
    elif sort.name == "FloatingPoint":
        literal = indexed_literal(name, sort.indices)
        if literal is not None:
            return write_value(sort, literal.payload)
    elif name in NAMED_VALUES:
        return NAMED_VALUES[name]
    raise UsageError(f"{name} is no special value of sort {sort}")
