"""Constants by their token, index or sort, in whatever notation the theories define."""

from __future__ import annotations

from collections.abc import Callable

from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import Value
from falsum.smtlib.theories.registry import SORTS, kind_of, theory_cache


@theory_cache()
def _token_readers() -> dict[str, tuple[Callable[[str, bool], Value | None], ...]]:
    """By the first character of a token."""
    found: dict[str, tuple[Callable[[str, bool], Value | None], ...]] = {}
    for kind in SORTS.values():
        if kind.literals.token is not None:
            for start in kind.literals.starts:
                found[start] = (*found.get(start, ()), kind.literals.token)
    return found


@theory_cache()
def _indexed_readers() -> tuple[Callable[[str, tuple[object, ...]], Value | None], ...]:
    return tuple(kind.literals.indexed for kind in SORTS.values() if kind.literals.indexed is not None)


def read_literal(token: str, *, reals_only: bool = False) -> Value | None:
    """The constant a token is, or None if it is none; `reals_only`: numerals are reals."""
    for read in _token_readers().get(token[0], ()):
        found = read(token, reals_only)
        if found is not None:
            return found
    return None


def indexed_literal(name: str, indices: tuple[object, ...]) -> Value | None:
    """`(_ bv5 8)`, `(_ +oo 5 11)`, `(_ char #x41)` and their like; None if it is no constant.

    Raises UsageError for what should be a constant and is a wrong one.
    """
    for read in _indexed_readers():
        found = read(name, indices)
        if found is not None:
            return found
    return None


def qualified_literal(name: str, sort: Sort) -> Value | None:
    """`(as ff3 (_ FiniteField 7))` and its like; as `indexed_literal`."""
    read = kind_of(sort).literals.qualified
    return None if read is None else read(name, sort)
