"""Reads constants in the notations that the theories define."""

from __future__ import annotations

from collections.abc import Callable

from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import Value
from falsum.smtlib.theories.registry import SORTS, kind_of, theory_cache


@theory_cache()
def _token_readers() -> dict[str, tuple[Callable[[str, bool], Value | None], ...]]:
    """The readers of tokens by the first character."""
    readers: dict[str, tuple[Callable[[str, bool], Value | None], ...]] = {}
    for kind in SORTS.values():
        if kind.literals.token is not None:
            for start in kind.literals.starts:
                readers[start] = (*readers.get(start, ()), kind.literals.token)
    return readers


@theory_cache()
def _indexed_readers() -> tuple[Callable[[str, tuple[object, ...]], Value | None], ...]:
    return tuple(kind.literals.indexed for kind in SORTS.values() if kind.literals.indexed is not None)


def read_literal(token: str, *, reals_only: bool = False) -> Value | None:
    """The constant that a token denotes, if any; with `reals_only`, numerals are reals."""
    for read in _token_readers().get(token[0], ()):
        value = read(token, reals_only)
        if value is not None:
            return value
    return None


def indexed_literal(name: str, indices: tuple[object, ...]) -> Value | None:
    """The constant that `(_ name index …)` denotes, if any: `(_ bv5 8)`, `(_ +oo 5 11)`, `(_ char #x41)`.

    Raises UsageError for a malformed constant such as `(_ bv5 2)`.
    """
    for read in _indexed_readers():
        value = read(name, indices)
        if value is not None:
            return value
    return None


def qualified_literal(name: str, sort: Sort) -> Value | None:
    """The constant that `(as name sort)` denotes, if any: `(as ff3 (_ FiniteField 7))`; raises UsageError."""
    read = kind_of(sort).literals.qualified
    return None if read is None else read(name, sort)
