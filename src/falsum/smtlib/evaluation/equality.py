"""Equality of payloads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from falsum.smtlib.evaluation.function_tables import same_function
from falsum.smtlib.sorts import Sort
from falsum.smtlib.theories import kind_of
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.functions import Closure, OpenPoint

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation


def equal(evaluation: Evaluation, sort: Sort, left: Any, right: Any) -> bool | CannotSay:
    """Whether two payloads of one sort are the same value."""
    if isinstance(left, OpenPoint) and left is right:
        return True
    for side in (left, right):
        if isinstance(side, CannotSay):
            # Not the open point itself: the equation is true or false, whatever the value at the point is.
            return CannotSay(side.reason)
    if isinstance(left, Closure) or isinstance(right, Closure):
        return True if _same_closure(left, right) else same_function(evaluation, sort, left, right)
    same = kind_of(sort).equal
    return bool(left == right) if same is None else same(left, right)


def _same_closure(left: Any, right: Any) -> bool:
    return left is right or (
        isinstance(left, Closure)
        and isinstance(right, Closure)
        and left.function is right.function
        and left.given == right.given
        and left.bindings == right.bindings
    )
