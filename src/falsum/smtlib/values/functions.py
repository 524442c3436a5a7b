"""Payloads that are functions, and points at which the standard leaves a function open."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from falsum.smtlib.values.cannot_say import CannotSay


@dataclass(frozen=True, slots=True, eq=False)
class OpenPoint(CannotSay):
    """The value of an operator where the standard leaves it open: one value per arguments in a model.

    An evaluation makes each point once, so two points are the same value exactly if they are one object;
    two different ones may still have the same value.
    """

    # All values the standard allows here, where they are few.
    choices: tuple[Hashable, ...] = ()
    # Counts the points of an evaluation, so that they have an order that is the same in every process.
    number: int = field(default=0, repr=False)

    # Not those of CannotSay, which compare reasons.
    __eq__ = object.__eq__
    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function as a value: a symbol or a lambda, what it has been given already, and its surroundings."""

    function: Any
    given: tuple[Any, ...] = ()
    bindings: dict[Any, Any] = field(default_factory=dict)
