"""Equality of payloads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.evaluation.function_tables import same_function
from falsum.smtlib.evaluation.functions import ELSEWHERE
from falsum.smtlib.sorts import Sort
from falsum.smtlib.theories import kind_of
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue
from falsum.smtlib.values.functions import Closure, OpenPoint

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation

_FEW_ELEMENTS: Final = CannotSay("a declared sort may have few elements")


def equal(evaluation: Evaluation, sort: Sort, left: Any, right: Any) -> bool | CannotSay:
    """Whether two payloads of one sort are the same value."""
    if isinstance(left, OpenPoint) and left is right:
        return True
    for side in (left, right):
        if isinstance(side, CannotSay):
            # Not the open point itself: the equation is true or false, whatever the value at the point is.
            return CannotSay(side.reason)
    if left is ELSEWHERE or right is ELSEWHERE:
        return left is right
    if isinstance(left, Closure) or isinstance(right, Closure):
        return True if _same_closure(left, right) else same_function(evaluation, sort, left, right)
    if isinstance(left, ArrayValue) and isinstance(right, ArrayValue) and evaluation.domains.is_cautious:
        return _same_table(evaluation, sort, left, right)
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


def _same_table(evaluation: Evaluation, sort: Sort, left: ArrayValue, right: ArrayValue) -> bool | CannotSay:
    """Whether two tables agree, if there may be no index without an entry."""
    if left == right:
        return True
    result = Sort("->", (), sort.args[1:]) if sort.name == "->" and len(sort.args) > 2 else sort.args[-1]
    unsure: CannotSay | None = None
    for index in dict.fromkeys((*left.entries, *right.entries)):
        answer = equal(evaluation, result, left.get(index), right.get(index))
        if answer is False:
            return False
        if isinstance(answer, CannotSay):
            unsure = answer
    answer = equal(evaluation, result, left.default, right.default)
    if answer is False:
        indices = sort.args[:1] if sort.name == "->" else sort.args[:-1]
        if not any(map(evaluation.domains.is_unsized, indices)) or not (left.entries or right.entries):
            return False
        return _FEW_ELEMENTS
    return answer if isinstance(answer, CannotSay) else unsure or True
