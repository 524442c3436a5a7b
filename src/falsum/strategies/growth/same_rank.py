"""The operators of a text that others of the same rank may replace: same argument sorts, same result."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from falsum.smtlib.logics import PRODUCTS, Logic
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.sorts import Index, Sort
from falsum.smtlib.terms import App, Head, Quantifier, Term
from falsum.strategies.growth.productions import portable_operators, portable_signatures


class OperatorPlace(NamedTuple):
    """Where an operator's name is in a text, and the names that may replace it."""

    start: int
    end: int
    alternatives: tuple[str, ...]


def operator_places(layout: Layout, logic: Logic, operators: tuple[Operator, ...]) -> list[OperatorPlace]:
    """The operators' names in a text that have alternatives, in order.

    Alternatives are among the `operators`; if there are none, among those that all solvers read.
    """
    some = operators or portable_operators((place.term for place in layout.places), logic=logic, hard=True)
    places = []
    for number, place in enumerate(layout.places):
        name = _operator_text(place.term)
        if name is None or not layout.is_replaceable(number):
            continue
        if logic.is_linear and any(_is_product(around) for around, _ in layout.around(number)):
            continue
        alternatives = _alternatives(place.term, some, logic)
        if alternatives:
            start = place.start + 1
            places.append(OperatorPlace(start, start + len(name), alternatives))
    return places


def _is_product(term: Term) -> bool:
    return isinstance(term, App) and term.head.name in PRODUCTS


def _operator_text(term: Term) -> str | None:
    """The operator of an application as it is written after the opening parenthesis; None if it is not."""
    if isinstance(term, Quantifier):
        return term.kind
    if not isinstance(term, App) or not term.args or term.head.qualifier is not None:
        return None
    symbol = term.head.symbol
    return term.head.text if isinstance(symbol, Operator) and not symbol.is_implicit else None


def _alternatives(term: Term, operators: tuple[Operator, ...], logic: Logic) -> tuple[str, ...]:
    """The texts of other operators that may replace the term's."""
    if isinstance(term, Quantifier):
        return ("exists",) if term.kind == "forall" else ("forall",)
    assert isinstance(term, App)
    symbol = term.head.symbol
    assert isinstance(symbol, Operator)
    sorts = tuple(arg.sort for arg in term.args)
    fitting = _of_same_rank(term.sort, sorts, term.head.indices, operators)
    return tuple(
        Head(other, term.head.indices).text
        for other in fitting
        if other.canonical is not symbol.canonical and logic.allows(other, term.args)
    )


@lru_cache(maxsize=4096)
def _of_same_rank(
    result: Sort, sorts: tuple[Sort, ...], indices: tuple[Index, ...], operators: tuple[Operator, ...]
) -> tuple[Operator, ...]:
    """The operators that give the result sort from arguments of these sorts with these indices."""
    return tuple(
        operator
        for operator in operators
        if any(
            signature.takes(len(sorts)) and signature.rank(indices, sorts) is result
            for signature in portable_signatures(operator)
        )
    )
