"""Functions as payloads, and applications whose value the standard leaves open."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from falsum.smtlib.values.cannot_say import CannotSay


@dataclass(frozen=True, slots=True, eq=False)
class OpenPoint(CannotSay):
    """An application whose value the standard leaves open; a model fixes one value for the same arguments.

    An evaluation makes one object per application, so a point equals itself; two points may have the same
    value or not.
    """

    # The values the standard allows, if they are few.
    choices: tuple[Hashable, ...] = ()
    # The number of the point in its evaluation: an order that is the same in every process.
    number: int = field(default=0, repr=False)

    # CannotSay compares reasons.
    __eq__ = object.__eq__
    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function as a value: a symbol or a lambda, the arguments given so far, and the bindings around it."""

    function: Any
    given: tuple[Any, ...] = ()
    bindings: dict[Any, Any] = field(default_factory=dict)
