"""Turns functions on payloads into meanings of operators.

A meaning gets the application (for its sorts and indices) and the payloads of the arguments. It gives the
payload of the result, None where the standard leaves the point open, or CannotSay where a budget ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from falsum.smtlib.sorts import Sort
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.rounding import Format

if TYPE_CHECKING:
    from falsum.smtlib.operators import Meaning
    from falsum.smtlib.terms import App


def plain(function: Callable[..., object]) -> Meaning:
    """The function of the payloads alone."""
    return lambda app, args: function(*args)


def folded(function: Callable[[Any, Any], object]) -> Meaning:
    """Left-associative: one argument is itself."""

    def meaning(app: App, args: Sequence[Any]) -> object:
        del app
        result: object = args[0]
        for arg in args[1:]:
            result = function(result, arg)
            if result is None or isinstance(result, CannotSay):
                break
        return result

    return meaning


def chained(function: Callable[[Any, Any], bool]) -> Meaning:
    """Chainable: every neighbouring pair."""
    return lambda app, args: all(function(left, right) for left, right in pairwise(args))


def width(sort: Sort) -> int:
    """The width of a bit-vector sort, or the order of a finite field."""
    index = sort.indices[0]
    assert isinstance(index, int)
    return index


def float_format(sort: Sort) -> Format:
    eb, sb = sort.indices
    assert isinstance(eb, int)
    assert isinstance(sb, int)
    return Format(eb, sb)


def numbers(app: App) -> list[int]:
    """The numerals among the indices."""
    return [index for index in app.head.indices if isinstance(index, int)]


def of_width(function: Callable[..., object]) -> Meaning:
    """The function of the first argument's width and the payloads."""
    return lambda app, args: function(width(app.args[0].sort), *args)


def folded_of_width(function: Callable[..., object]) -> Meaning:
    """As `of_width`, left-associative."""

    def meaning(app: App, args: Sequence[Any]) -> object:
        bits = width(app.args[0].sort)
        result = args[0]
        for arg in args[1:]:
            result = function(bits, result, arg)
        return result

    return meaning


def of_format(function: Callable[..., object]) -> Meaning:
    """The function of the last argument's format and the payloads."""
    return lambda app, args: function(float_format(app.args[-1].sort), *args)


def chained_of_format(function: Callable[..., bool]) -> Meaning:
    def meaning(app: App, args: Sequence[Any]) -> object:
        fmt = float_format(app.args[0].sort)
        return all(function(fmt, left, right) for left, right in pairwise(args))

    return meaning
