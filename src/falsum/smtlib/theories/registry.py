"""The registered theories, and tables of their operators, sorts and constants.

`join` registers a theory. The tables are dictionaries that only this module changes. Functions that compute
something from them are cached with `theory_cache`, which is cleared when a theory joins or leaves.
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
# By the name of a sort, the theory it belongs to.
THEORY_OF_SORT: Final[dict[str, Theory]] = {}
# Constants written as symbols: `true`, `RNE`, …
NAMED_VALUES: Final[dict[str, Value]] = {}

_cache_clears: list[Callable[[], None]] = []


def theory_cache(maxsize: int | None = None) -> Callable[[Callable[..., _T]], _lru_cache_wrapper[_T]]:
    """Like `functools.lru_cache`, for results that depend on the registered theories."""

    def decorate(function: Callable[..., _T]) -> _lru_cache_wrapper[_T]:
        cached = lru_cache(maxsize)(function)
        _cache_clears.append(cached.cache_clear)
        return cached

    return decorate


def join(theory: Theory) -> None:
    """Register a theory; raises UsageError if one of its names is taken."""
    names = [o.name for o in theory.operators if o.name in OPERATORS]
    names += [kind.name for kind in theory.sorts if kind.name in SORTS]
    if names:
        raise UsageError(f"theory {theory.name}: names already taken: {', '.join(names)}")
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
    """Unregister a theory."""
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
    """Register a theory for the duration of a `with` block."""
    join(theory)
    try:
        yield
    finally:
        leave(theory)


def _clear() -> None:
    for clear in _cache_clears:
        clear()


def kind_of(sort: Sort, datatypes: Container[str] = ()) -> SortKind:
    """The kind of a sort; `datatypes` contains the names of the datatypes that the script declares."""
    return DATATYPE if sort.name in datatypes else _kind_of(sort)


@theory_cache(maxsize=4096)
def _kind_of(sort: Sort) -> SortKind:
    if sort.is_parameter:
        return PARAMETER
    kind = SORTS.get(sort.name)
    return kind if kind is not None and kind.fits(sort) else DECLARED
