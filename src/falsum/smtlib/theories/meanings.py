"""Makes meanings of operators from functions on payloads.

A meaning takes the application, for its sorts and indices, and the payloads of the arguments. It returns the
payload of the result, None where the standard leaves the result open, or CannotSay if it exceeds a budget.
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
    """A meaning from a function that is applied to the payloads."""
    return lambda app, args: function(*args)


def folded(function: Callable[[Any, Any], object]) -> Meaning:
    """A meaning from a function that is folded over the payloads from the left; a single argument is the
    result.
    """

    def meaning(app: App, args: Sequence[Any]) -> object:
        del app
        if len(args) == 2:  # most applications
            return function(args[0], args[1])
        result: object = args[0]
        for arg in args[1:]:
            result = function(result, arg)
            if result is None or isinstance(result, CannotSay):
                break
        return result

    return meaning


def chained(function: Callable[[Any, Any], bool | CannotSay]) -> Meaning:
    """Whether the function holds for every pair of neighbouring payloads; one that does not decides."""

    def meaning(app: App, args: Sequence[Any]) -> object:
        del app
        if len(args) == 2:  # most applications
            return function(args[0], args[1])
        result: bool | CannotSay = True
        for left, right in pairwise(args):
            value = function(left, right)
            if value is False:
                return False
            if value is not True:
                result = value
        return result

    return meaning


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
    """The numerals among the indices of an application."""
    return [index for index in app.head.indices if isinstance(index, int)]


def of_width(function: Callable[..., object]) -> Meaning:
    """A meaning from a function that is applied to the width of the first argument and the payloads."""
    return lambda app, args: function(width(app.args[0].sort), *args)


def folded_of_width(function: Callable[..., object]) -> Meaning:
    """Like `of_width`, folded from the left."""

    def meaning(app: App, args: Sequence[Any]) -> object:
        bits = width(app.args[0].sort)
        result = args[0]
        for arg in args[1:]:
            result = function(bits, result, arg)
        return result

    return meaning


def of_format(function: Callable[..., object]) -> Meaning:
    """A meaning from a function that is applied to the format of the last argument and the payloads."""
    return lambda app, args: function(float_format(app.args[-1].sort), *args)


def chained_of_format(function: Callable[..., bool]) -> Meaning:
    def meaning(app: App, args: Sequence[Any]) -> object:
        fmt = float_format(app.args[0].sort)
        return all(function(fmt, left, right) for left, right in pairwise(args))

    return meaning
