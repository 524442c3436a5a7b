"""Operators whose values are linear polynomials if those of their arguments are."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from falsum.smtlib.terms import App
from falsum.smtlib.values import linear
from falsum.smtlib.values.linear import Formula, Linear, TooLargeError


def rational(payload: Any) -> Fraction:
    if isinstance(payload, int | Fraction):
        return Fraction(payload)
    raise TooLargeError


def compared(relation: str, left: Linear, right: Linear) -> Formula:
    return linear.atom(relation, linear.combine(((1, left), (-1, right))))


def _sum(term: App) -> Callable[..., Linear]:
    del term
    return lambda *parts: linear.combine((1, part) for part in parts)


def _difference(term: App) -> Callable[..., Linear]:
    if len(term.args) == 1:
        return lambda part: linear.combine(((-1, part),))
    return lambda first, *rest: linear.combine(
        ((Fraction(1), first), *((Fraction(-1), part) for part in rest))
    )


def _product(term: App) -> Callable[..., Linear]:
    del term

    def multiplied(*parts: Linear) -> Linear:
        factor, polynomial = Fraction(1), linear.constant(1)
        for part in parts:
            if not part.terms:
                factor *= part.constant
            elif polynomial.terms:
                raise TooLargeError  # not linear
            else:
                polynomial = part
        return linear.combine(((factor, polynomial),))

    return multiplied


def _quotient(term: App) -> Callable[..., Linear]:
    del term

    def divided(first: Linear, *rest: Linear) -> Linear:
        factor = Fraction(1)
        for part in rest:
            if part.terms or not part.constant:
                raise TooLargeError
            factor /= part.constant
        return linear.combine(((factor, first),))

    return divided


def _same(term: App) -> Callable[..., Linear]:
    del term
    return lambda part: part


LINEAR: Final[dict[str, Callable[[App], Callable[..., Linear]]]] = {
    "+": _sum,
    "-": _difference,
    "*": _product,
    "/": _quotient,
    "to_real": _same,
}
