"""The theories that are known, and the tables that follow from them.

A theory joins with `join`. The tables are plain dictionaries that others may look into but not change.
What is computed from them is kept in a `theory_cache`, so it is computed again when a theory joins or leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

from falsum.errors import UsageError
from falsum.smtlib.operators import Operator
from falsum.smtlib.sort_kinds import SortKind
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import Value, value
from falsum.smtlib.theories.datatypes import DATATYPE
from falsum.smtlib.theories.declared import DECLARED, PARAMETER
from falsum.smtlib.theories.theory import Theory

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

_T = TypeVar("_T")

THEORIES: Final[list[Theory]] = []
OPERATORS: Final[dict[str, Operator]] = {}
SORTS: Final[dict[str, SortKind]] = {}
# The theory of each sort, by the sort's name.
THEORY_OF_SORT: Final[dict[str, Theory]] = {}
# Constants that are symbols: `true`, `RNE`, …
NAMED_VALUES: Final[dict[str, Value]] = {}

_cache_clears: list[Callable[[], None]] = []


def theory_cache(maxsize: int | None = None) -> Callable[[Callable[..., _T]], _lru_cache_wrapper[_T]]:
    """As `functools.lru_cache`, for what depends on the theories."""

    def decorate(function: Callable[..., _T]) -> _lru_cache_wrapper[_T]:
        cached = lru_cache(maxsize)(function)
        _cache_clears.append(cached.cache_clear)
        return cached

    return decorate


def join(theory: Theory) -> None:
    """Adds a theory; raises UsageError if a name of it is taken."""
    taken = [o.name for o in theory.operators if o.name in OPERATORS]
    taken += [kind.name for kind in theory.sorts if kind.name in SORTS]
    if taken:
        raise UsageError(f"{theory.name}: {', '.join(taken)} belong to another theory")
    THEORIES.append(theory)
    OPERATORS.update({operator.name: operator for operator in theory.operators})
    for kind in theory.sorts:
        SORTS[kind.name] = kind
        THEORY_OF_SORT[kind.name] = theory
        sort = Sort(kind.name)
        for name, payload in kind.literals.names.items():
            NAMED_VALUES[name] = value(sort, payload, name)
    _clear()


def leave(theory: Theory) -> None:
    """Takes a theory back."""
    THEORIES.remove(theory)
    for operator in theory.operators:
        del OPERATORS[operator.name]
    for kind in theory.sorts:
        del SORTS[kind.name], THEORY_OF_SORT[kind.name]
        for name in kind.literals.names:
            del NAMED_VALUES[name]
    _clear()


@contextmanager
def joined(theory: Theory) -> Iterator[None]:
    """A theory that is known for a while."""
    join(theory)
    try:
        yield
    finally:
        leave(theory)


def _clear() -> None:
    for clear in _cache_clears:
        clear()


def kind_of(sort: Sort, datatypes: Container[str] = ()) -> SortKind:
    """What is known about a sort; `datatypes` are the names of those that a script declares."""
    return DATATYPE if sort.name in datatypes else _kind_of(sort)


@theory_cache(maxsize=4096)
def _kind_of(sort: Sort) -> SortKind:
    if sort.is_parameter:
        return PARAMETER
    kind = SORTS.get(sort.name)
    return kind if kind is not None and kind.fits(sort) else DECLARED
