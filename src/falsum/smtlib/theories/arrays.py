"""The theory ArraysEx, and z3's multi-dimensional arrays, constant arrays and arrays as sets."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Final

from falsum.errors import UsageError
from falsum.smtlib.operators import Operator, aliases, table
from falsum.smtlib.sort_kinds import Domain, FiniteDomains, Parts, Payload, SortKind, TermWriter
from falsum.smtlib.sorts import BOOL, Index, Sort
from falsum.smtlib.terms import Head, Term, app
from falsum.smtlib.theories.laws import arrays as laws
from falsum.smtlib.theories.theory import Theory
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue, normal

_STANDARD = table(
    "ArraysEx",
    """
    (par (X Y) (select (Array X Y) X Y))
    (par (X Y) (store (Array X Y) X Y (Array X Y)))
    """,
)
_EXTENSIONS = table(
    "ArraysEx",
    """
    (par (X Y) (const Y (Array X Y)))
    (par (X Y) (const Y (-> X Y)))
    (par (X Y Z) (const Y (Array X Z Y))) (par (X Y Z W) (const Y (Array X Z W Y)))
    (par (X Y) (default (Array X Y) Y))
    (par (X Y) (array-ext (Array X Y) (Array X Y) X))
    (par (X Y) (eqrange (Array X Y) (Array X Y) X X Bool))
    (par (X) (union (Array X Bool) (Array X Bool) (Array X Bool) :left-assoc))
    (par (X) (intersection (Array X Bool) (Array X Bool) (Array X Bool) :left-assoc))
    (par (X) (setminus (Array X Bool) (Array X Bool) (Array X Bool) :left-assoc))
    (par (X) (complement (Array X Bool) (Array X Bool)))
    (par (X) (subset (Array X Bool) (Array X Bool) Bool))
    """,
    is_standard=False,
)


def _select(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """Rank of `select`: z3 also accepts arrays with several index sorts, and functions in place of arrays."""
    if indices or not sorts or sorts[0].name not in ("Array", "->"):
        return None
    return sorts[0].args[-1] if sorts[1:] == sorts[0].args[:-1] else None


def _store(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    if indices or not sorts or sorts[0].name not in ("Array", "->"):
        return None
    return sorts[0] if sorts[1:] == sorts[0].args else None


_RULES = {"select": _select, "store": _store}
_OPERATORS = [
    Operator(o.name, o.theory, o.signatures, rule=_RULES[o.name], wants=str(o.signatures[0]))
    for o in _STANDARD
] + _EXTENSIONS

_BY_NAME = {operator.name: operator for operator in _OPERATORS}


def _sort(indices: tuple[int, ...], args: tuple[Sort, ...]) -> Sort:
    if len(args) < 2:
        raise UsageError("an array needs an index sort and an element sort")
    return Sort("Array", indices, args)


def term(sort: Sort, payload: Payload, writer: TermWriter) -> Term | None:
    """A constant array with a chain of stores."""
    if not isinstance(payload, ArrayValue) or (sort.name == "->" and len(sort.args) > 2):
        return None
    default = writer.term(sort.args[-1], payload.default)
    if default is None:
        return None
    constant: Term = app(Head(_BY_NAME["const"], (), sort), (default,))
    for index, stored in sorted(payload.entries.items(), key=repr):
        keys = index if isinstance(index, tuple) and len(sort.args) > 2 else (index,)
        parts = writer.terms(sort.args, (*keys, stored))
        if parts is None:
            return None
        constant = app(Head(_BY_NAME["store"]), (constant, *parts))
    return constant


def _compose(sort: Sort, parts: Parts) -> Payload:
    default = parts.value(sort.args[-1])
    if isinstance(default, CannotSay):
        return default
    if parts.rng is None:
        return ArrayValue(default, {})
    entries: dict[Hashable, Hashable] = {}
    for _ in range(parts.count(3)):
        index = [parts.value(arg) for arg in sort.args[:-1]]
        stored = parts.value(sort.args[-1])
        if isinstance(stored, CannotSay) or any(isinstance(i, CannotSay) for i in index):
            break
        entries[index[0] if len(index) == 1 else tuple(index)] = stored
    domains = [parts.domain(index) for index in sort.args[:-1]]
    return normal(default, entries, _all_indices(domains))


def _all_indices(domains: Sequence[Domain | None]) -> Domain | None:
    """All indices of an array, given those of each dimension, if they are few."""
    known_domains = [domain for domain in domains if domain is not None]
    if len(known_domains) < len(domains) or prod(map(len, known_domains)) > _MOST_INDICES:
        return None
    return known_domains[0] if len(known_domains) == 1 else tuple(product(*known_domains))


_MOST_INDICES: Final = 4096


def domain(sort: Sort, domains: FiniteDomains) -> Domain | None:
    indices, values = _all_indices([domains.of(arg) for arg in sort.args[:-1]]), domains.of(sort.args[-1])
    if indices is None or values is None or len(values) ** len(indices) > domains.limit:
        return None
    rows = product(values, repeat=len(indices))
    return tuple(normal(row[0], dict(zip(indices, row, strict=True)), indices) for row in rows)


def _smaller_sorts(sorts: Sequence[Sort]) -> Iterator[dict[Sort, Sort]]:
    """Bool as the index sort, or as the element sort."""
    for sort in sorts:
        if len(sort.args) == 2:
            for slot in (0, 1):
                args = tuple(BOOL if n == slot else arg for n, arg in enumerate(sort.args))
                yield {sort: Sort("Array", (), args), sort.args[slot]: BOOL}


_ARRAYS: Final = SortKind(
    "Array",
    arity=-1,
    make=_sort,
    is_reserved=True,
    family="arrays",
    letter="a",
    term=term,
    compose=_compose,
    domain=domain,
    smaller_sorts=_smaller_sorts,
)

THEORY = Theory(
    "ArraysEx",
    (_ARRAYS,),
    (*_OPERATORS, *aliases(_OPERATORS, {"intersect": "intersection", "difference": "setminus"})),
    (laws.LAWS,),
    adjective="array",
)
