"""Finite sets as frozensets of payloads."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from falsum.smtlib.values.cannot_say import CannotSay

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")


def empty() -> frozenset[T]:
    return frozenset()


def singleton(element: T) -> frozenset[T]:
    return frozenset((element,))


def insert(elements: Iterable[T], s: frozenset[T]) -> frozenset[T]:
    """`(set.insert e1 … en s)`."""
    return s.union(elements)


def union(s: frozenset[T], t: frozenset[T]) -> frozenset[T]:
    return s | t


def inter(s: frozenset[T], t: frozenset[T]) -> frozenset[T]:
    return s & t


def minus(s: frozenset[T], t: frozenset[T]) -> frozenset[T]:
    return s - t


def member(element: T, s: frozenset[T]) -> bool:
    return element in s


def subset(s: frozenset[T], t: frozenset[T]) -> bool:
    return s <= t


def card(s: frozenset[T]) -> int:
    return len(s)


def is_empty(s: frozenset[T]) -> bool:
    return not s


def is_singleton(s: frozenset[T]) -> bool:
    return len(s) == 1


def choose(s: frozenset[T]) -> T | None:
    """An element of the set; open unless it has exactly one."""
    return next(iter(s)) if len(s) == 1 else None


def universe(elements: frozenset[T] | None) -> frozenset[T] | CannotSay:
    """All elements of the sort; `elements` is None if they are too many to be listed."""
    return CannotSay("set of all elements") if elements is None else elements


def complement(s: frozenset[T], elements: frozenset[T] | None) -> frozenset[T] | CannotSay:
    """The elements of the sort that are not in `s`."""
    return CannotSay("complement of a set") if elements is None else elements - s
