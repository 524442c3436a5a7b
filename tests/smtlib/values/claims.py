"""Claims about operators: what makers of random comparisons produce."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from falsum.smtlib.values.cannot_say import CannotSay

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.smtlib.values.samples import Source

# The term, and its value as text; no value where the standard leaves the point open.
Claim = tuple[str, str | None]

ALL = ("z3", "cvc5", "bitwuzla")
BOTH = ("z3", "cvc5")


class Operator(NamedTuple):
    """How to make a claim about one operator, and who knows the operator."""

    make: Callable[[Source], Claim]
    solvers: tuple[str, ...]


Named = tuple[str, Operator]


def shown(show: Callable[..., str], value: object) -> str | None:
    """The text of a payload, or nothing for an open point."""
    assert not isinstance(value, CannotSay)
    return None if value is None else show(value)
