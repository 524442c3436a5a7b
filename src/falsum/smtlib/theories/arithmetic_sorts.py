"""The sorts Int and Real: numerals, how numbers are written, corner cases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final

from falsum.smtlib.operators import Operator
from falsum.smtlib.sort_kinds import Difference, Literals, Notation, Order, Payload, SortKind, TermWriter
from falsum.smtlib.sorts import INT, REAL, Sort
from falsum.smtlib.terms import Head, Term, Value, app, value
from falsum.smtlib.text.lexer import MAX_DIGITS
from falsum.smtlib.theories.core import equation
from falsum.smtlib.values import integers, reals
from falsum.smtlib.values.algebraic import Algebraic
from falsum.smtlib.values.computable import Computable, Number

_DIGITS: Final = "0123456789"
# Solvers also accept -1, -1.5, 1. and 1/3 as numbers.
_LENIENT: Final = re.compile(r"-?([0-9]+)(?:(\.[0-9]*)|/([0-9]+))?\Z")
_HALF: Final = 1 << 31
_INT_CORNERS: Final = (0, 1, -1, 2, -2, 7, 2**31, -(2**63), 10)
_REAL_CORNERS: Final = tuple(
    Fraction(n, d) for n, d in ((0, 1), (1, 1), (-1, 1), (1, 2), (-1, 3), (5, 2), (10**9, 7))
)
_GENERATED_INTS: Final = ("0", "1", "2", "3", "(- 1)", "5", "7", "(- 2)", "10")
_GENERATED_REALS: Final = ("0.0", "1.0", "2.0", "(- 1.0)", "0.5", "(/ 1.0 3.0)", "(- 2.5)", "10.0")


# -- reading ---------------------------------------------------------------------------------------


def _integer(token: str, reals_only: bool) -> Value | None:
    if reals_only or len(token) > MAX_DIGITS:
        return None
    digits = token.removeprefix("-")
    return value(INT, int(token), token) if digits.isdecimal() and digits.isascii() else None


def _real(token: str, reals_only: bool) -> Value | None:
    number = _LENIENT.match(token) if len(token) <= MAX_DIGITS else None
    if number is None or (number[3] and not int(number[3])):
        return None
    is_integer = number[2] is None and number[3] is None
    return None if is_integer and not reals_only else value(REAL, Fraction(token.rstrip(".")), token)


# -- writing ---------------------------------------------------------------------------------------


def _integer_text(sort: Sort, payload: int) -> str:
    del sort
    text = integers.to_decimal(abs(payload))
    return f"(- {text})" if payload < 0 else text


def _real_text(sort: Sort, payload: Number) -> str:
    del sort
    if isinstance(payload, Computable):
        return repr(payload)
    if isinstance(payload, Algebraic):
        return _algebraic_text(payload)
    number = f"{integers.to_decimal(abs(payload.numerator))}.0"
    if payload.denominator != 1:
        number = f"(/ {number} {integers.to_decimal(payload.denominator)}.0)"
    return f"(- {number})" if payload < 0 else number


def _algebraic_text(payload: Algebraic) -> str:
    terms = []
    for power, coefficient in enumerate(payload.polynomial):
        if coefficient:
            number = str(coefficient) if coefficient > 0 else f"(- {-coefficient})"
            terms.append(number if not power else f"(* {number} (^ x {power}))")
    return f"(root-obj (+ {' '.join(terms)}) {payload.index})"


def _drawn_real(sort: Sort, payload: Fraction, rng: Random) -> str:
    del sort
    if rng.random() < 0.5 and payload.denominator in (1, 2, 4, 8):
        return f"{float(payload)}" if abs(payload) < 10**6 else str(payload)
    return str(payload)


# -- smaller values and differences ------------------------------------------------------------------------


def smaller_numbers(sort: Sort, payload: int) -> Iterator[int]:
    del sort
    digits = len(str(payload))
    yield from (payload // 10 ** (digits // 2), payload // 2, payload - 1 if payload else 0)


def _smaller_reals(sort: Sort, payload: Fraction | Algebraic) -> Iterator[Fraction]:
    del sort
    if isinstance(payload, Fraction):
        yield from (Fraction(int(payload)), payload / 2, Fraction(payload.numerator))


def _from_real(old: Sort, new: Sort, payload: Payload) -> int | None:
    del old, new
    return int(abs(payload)) if isinstance(payload, Fraction) else None


def _as_integers(sorts: Sequence[Sort]) -> Iterator[dict[Sort, Sort]]:
    return ({sort: INT} for sort in sorts)


def _difference(sort: Sort, want: Any, have: Any, rng: Random) -> Difference | None:
    del sort, rng
    exact = isinstance(want, int | Fraction) and isinstance(have, int | Fraction)
    return Difference("+", want - have) if exact else None


# -- the two sorts ---------------------------------------------------------------------------------


def kinds(operators: Mapping[str, Operator]) -> tuple[SortKind, SortKind]:
    """Int and Real; `operators` are those of the theory, from which terms are made."""
    minus, divide, less, greater = (Head(operators[name]) for name in ("-", "/", "<", ">"))

    def integer_term(sort: Sort, payload: int, writer: TermWriter) -> Term:
        del writer
        number = value(sort, abs(payload), integers.to_decimal(abs(payload)))
        return app(minus, (number,)) if payload < 0 else number

    def real_term(sort: Sort, payload: Number, writer: TermWriter) -> Term | None:
        del writer
        if isinstance(payload, Computable):
            return None
        if isinstance(payload, Algebraic):
            return value(sort, payload, _algebraic_text(payload))
        term: Term = _whole(abs(payload.numerator))
        if payload.denominator != 1:
            term = app(divide, (term, _whole(payload.denominator)))
        return app(minus, (term,)) if payload < 0 else term

    def signs(term: Term) -> Iterator[Term]:
        zero = value(INT, 0, "0") if term.sort is INT else _whole(0)
        yield equation(term, zero)
        yield app(less, (term, zero))
        yield app(greater, (term, zero))

    integer = SortKind(
        "Int",
        is_reserved=True,
        family="ints",
        letter="i",
        literals=Literals(starts=_DIGITS + "-", token=_integer),
        has_literals=True,
        text=_integer_text,
        term=integer_term,
        notation=Notation(
            write=lambda _, payload: str(payload), read=lambda _, text: int(text), small=("0", "1")
        ),
        corners=lambda _: _INT_CORNERS,
        random=lambda _, rng: rng.randint(-(2 ** rng.randrange(1, 40)), 2 ** rng.randrange(1, 40)),
        uniform=lambda _, rng: rng.randrange(-_HALF, _HALF),
        smaller_values=smaller_numbers,
        simple_values=lambda _: _INT_CORNERS[:2],
        convert=_from_real,
        generated_constants=lambda _: _GENERATED_INTS,
        regions=signs,
        relations=("=", "<", ">"),
        order=Order("<", ">"),
        difference=_difference,
    )
    real = SortKind(
        "Real",
        is_reserved=True,
        family="reals",
        letter="r",
        literals=Literals(starts=_DIGITS + "-", token=_real),
        has_literals=True,
        text=_real_text,
        term=real_term,
        notation=Notation(
            write=lambda _, payload: str(payload) if isinstance(payload, Fraction) else None,
            read=lambda _, text: Fraction(text),
            draw=_drawn_real,
            small=("0", "1"),
        ),
        corners=lambda _: _REAL_CORNERS,
        random=lambda _, rng: Fraction(rng.randint(-1000, 1000), rng.randint(1, 64)),
        uniform=lambda _, rng: Fraction(rng.randrange(-_HALF, _HALF), 10 ** rng.randrange(4)),
        equal=reals.equal,
        smaller_values=_smaller_reals,
        simple_values=lambda _: _REAL_CORNERS[:2],
        smaller_sorts=_as_integers,
        generated_constants=lambda _: _GENERATED_REALS,
        regions=signs,
        relations=("=", "<", ">"),
        order=Order("<", ">"),
        difference=_difference,
    )
    return integer, real


def _whole(number: int) -> Value:
    return value(REAL, Fraction(number), f"{integers.to_decimal(number)}.0")
