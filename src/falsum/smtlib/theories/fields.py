"""Finite fields of prime order, an extension of cvc5."""

from __future__ import annotations

import re
from typing import Final

from falsum.errors import UsageError
from falsum.smtlib.operators import table
from falsum.smtlib.sort_kinds import Domain, FiniteDomains, Literals, Notation, SortKind
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import Value, value
from falsum.smtlib.text.lexer import MAX_DIGITS
from falsum.smtlib.theories.laws import fields as laws
from falsum.smtlib.theories.meanings import of_width, width
from falsum.smtlib.theories.theory import Theory
from falsum.smtlib.values import finite_fields

_F = "(_ FiniteField p)"

_OPERATORS = table(
    "FiniteFields",
    f"""
    (ff.add {_F} {_F} {_F} :left-assoc) (ff.mul {_F} {_F} {_F} :left-assoc)
    (ff.bitsum {_F} {_F} {_F} :many)
    (ff.neg {_F} {_F})
    """,
    {
        "ff.add": of_width(finite_fields.add),
        "ff.mul": of_width(finite_fields.mul),
        "ff.bitsum": of_width(finite_fields.bitsum),
        "ff.neg": of_width(finite_fields.neg),
    },
    is_standard=False,
)
_TOKEN: Final = re.compile(r"#f(-?[0-9]+)m([0-9]+)\Z")


def _sort(indices: tuple[int, ...], args: tuple[Sort, ...]) -> Sort:
    if indices[0] < 2:
        raise UsageError("a finite field has at least two elements")
    return Sort("FiniteField", indices, args)


def _element(number: int, sort: Sort, text: str) -> Value:
    return value(sort, number % width(sort), text)


def _token(token: str, reals_only: bool) -> Value | None:
    """`#f3m7` is 3 in the field with 7 elements."""
    del reals_only
    match = _TOKEN.match(token) if len(token) <= MAX_DIGITS else None
    if match is None or int(match[2]) < 2:
        return None
    return _element(int(match[1]), Sort("FiniteField", (int(match[2]),)), token)


def _qualified(name: str, sort: Sort) -> Value | None:
    """`(as ff3 (_ FiniteField 7))`."""
    if not name.startswith("ff"):
        return None
    number = name[2:]
    digits = number.removeprefix("-")
    if not (digits.isdecimal() and digits.isascii()) or len(digits) > MAX_DIGITS:
        raise UsageError(f"{name} is not an element of {sort}")
    return _element(int(number), sort, f"(as {name} {sort})")


def _text(sort: Sort, payload: int) -> str:
    return f"(as ff{payload} {sort})"


def _read(sort: Sort, text: str) -> int:
    return int(text.partition("ff")[2].split()[0]) % width(sort)


def _corners(sort: Sort) -> tuple[int, ...]:
    order = width(sort)
    return tuple(dict.fromkeys((0, 1, order - 1, order // 2)))


def _domain(sort: Sort, domains: FiniteDomains) -> Domain | None:
    return tuple(range(width(sort))) if width(sort) <= domains.limit else None


_KIND: Final = SortKind(
    "FiniteField",
    indices=1,
    make=_sort,
    small_indices=tuple((prime,) for prime in (2, 3, 5, 7, 11, 13, 17)),
    family="fields",
    literals=Literals(starts="#", token=_token, qualified=_qualified),
    has_literals=True,
    text=_text,
    notation=Notation(write=_text, read=_read),
    corners=_corners,
    random=lambda sort, rng: rng.randrange(width(sort)),
    domain=_domain,
)

THEORY = Theory(
    "FiniteFields", (_KIND,), tuple(_OPERATORS), (laws.LAWS,), adjective="finite field", is_extension=True
)
