"""Payloads that stand for themselves: equal values are equal payloads, wherever they stand.

A value may have several payloads: a function is a table or a closure, a regular language has many
expressions. Whatever is a key of a table, an element of a collection or a field of a datatype is settled
first, so that collections can be compared, searched and counted by Python's equality.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.sorts import Sort
from falsum.smtlib.theories import kind_of
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.computable import Computable
from falsum.smtlib.values.elements import ArrayValue
from falsum.smtlib.values.functions import Closure
from falsum.smtlib.values.regexes import Regex

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation

# Payloads that may have to be settled.
UNSETTLED: Final = frozenset((Closure, ArrayValue, Regex, Computable))
# The most values of one sort that are told apart by its own equality.
_MOST: Final = 64


def settled(evaluation: Evaluation, sort: Sort, payload: Any) -> Any:
    """The payload that represents a value wherever it occurs; CannotSay if it is not known."""
    if payload.__class__ not in UNSETTLED:
        return payload
    if isinstance(payload, Closure):
        payload = evaluation.tabulated(payload, sort)
        if payload is None:
            return CannotSay("a function that is not a table, inside another value")
        if isinstance(payload, CannotSay):
            return payload
    if isinstance(payload, Computable):
        return CannotSay("a real number that is known by approximations only, inside another value")
    if isinstance(payload, ArrayValue):
        if any(evaluation.domains.is_unsized(index) for index in sort.args[:-1]):
            return CannotSay("a declared sort may have few elements")
        return payload
    return _representative(evaluation, sort, payload)


def _representative(evaluation: Evaluation, sort: Sort, payload: Any) -> Any:
    """The first payload with the same value."""
    same = kind_of(sort).equal
    if same is None:
        return payload
    representatives = evaluation.representatives.setdefault(sort, {})
    representative = representatives.get(payload)
    if representative is not None:
        return representative
    for other in dict.fromkeys(representatives.values()):
        answer = same(payload, other)
        if isinstance(answer, CannotSay):
            return answer
        if answer:
            representatives[payload] = other
            return other
    if len(representatives) >= _MOST:
        return CannotSay(f"too many values of sort {sort} inside others")
    representatives[payload] = payload
    return payload
