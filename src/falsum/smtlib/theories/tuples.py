"""Tuples and nullables, an extension of cvc5."""

from __future__ import annotations

from typing import Any, Final

from falsum.smtlib.operators import Meaning, Operator, Rule, aliases, table
from falsum.smtlib.sort_kinds import Domain, FiniteDomains, Parts, Payload, SortKind, TermWriter
from falsum.smtlib.sorts import Index, Sort
from falsum.smtlib.terms import Head, Term, app
from falsum.smtlib.theories.meanings import numbers, plain
from falsum.smtlib.theories.theory import Theory
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import Constructed

NULL: Final = Constructed("nullable.null")


def some(value: Payload) -> Constructed:
    """The payload of `(nullable.some value)`."""
    return Constructed("nullable.some", (value,))


_NULLABLES = table(
    "Datatypes",
    """
    (par (A) (nullable.null (Nullable A)))
    (par (A) (nullable.some A (Nullable A)))
    (par (A) (nullable.val (Nullable A) A))
    (par (A) (nullable.is_null (Nullable A) Bool)) (par (A) (nullable.is_some (Nullable A) Bool))
    """,
    {
        "nullable.null": lambda app, args: NULL,
        "nullable.some": plain(some),
        "nullable.val": lambda app, args: args[0].args[0] if args[0].args else None,
        "nullable.is_null": lambda app, args: not args[0].args,
        "nullable.is_some": lambda app, args: bool(args[0].args),
    },
    is_standard=False,
)


def tuple_sort(components: tuple[Sort, ...]) -> Sort:
    return Sort("Tuple", (), components) if components else Sort("UnitTuple")


def components_of(sort: Sort) -> tuple[Sort, ...] | None:
    """The sorts of the components of a tuple sort; None for other sorts."""
    if sort.name == "Tuple":
        return sort.args
    return () if sort.name == "UnitTuple" else None


def picked(columns: tuple[Sort, ...], indices: tuple[Index, ...]) -> tuple[Sort, ...] | None:
    """The components at these positions; None if one of them does not exist."""
    if not all(isinstance(i, int) and i < len(columns) for i in indices):
        return None
    return tuple(columns[i] for i in indices if isinstance(i, int))


def _tuple(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    return None if indices else tuple_sort(sorts)


def _unit(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    return None if indices or sorts else Sort("UnitTuple")


def _lift(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """`(nullable.lift f x …)` applies a function to nullable arguments."""
    if indices or len(sorts) < 2 or sorts[0].name != "->":
        return None
    if any(sort.name != "Nullable" or not sort.args for sort in sorts[1:]):
        return None
    inner = tuple(sort.args[0] for sort in sorts[1:])
    return Sort("Nullable", (), sorts[0].args[-1:]) if inner == sorts[0].args[:-1] else None


def _tuple_select(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    columns = components_of(sorts[0]) if len(sorts) == 1 else None
    picked_columns = picked(columns, indices) if columns is not None else None
    return picked_columns[0] if picked_columns is not None and len(picked_columns) == 1 else None


def _tuple_update(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    if len(sorts) != 2 or _tuple_select(indices, sorts[:1]) is not sorts[1]:
        return None
    return sorts[0]


def _tuple_project(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    columns = components_of(sorts[0]) if len(sorts) == 1 else None
    picked_columns = picked(columns, indices) if columns is not None else None
    return None if picked_columns is None else tuple_sort(picked_columns)


def _updated(row: tuple[Any, ...], place: int, new: object) -> tuple[Any, ...]:
    return (*row[:place], new, *row[place + 1 :])


_MEANINGS: dict[str, Meaning] = {
    "tuple": lambda app, args: tuple(args),
    "tuple.unit": lambda app, args: (),
    "tuple.select": lambda app, args: args[0][app.head.indices[0]],
    "tuple.project": lambda app, args: tuple(args[0][index] for index in app.head.indices),
    "tuple.update": lambda app, args: _updated(args[0], numbers(app)[0], args[1]),
}
_RULES: dict[str, tuple[Rule, str]] = {
    "tuple": (_tuple, "any arguments"),
    "tuple.unit": (_unit, "no argument"),
    "tuple.select": (_tuple_select, "one index, and a tuple with that component"),
    "tuple.update": (_tuple_update, "one index, a tuple with that component, and the new component"),
    "tuple.project": (_tuple_project, "indices of the tuple"),
    "nullable.lift": (_lift, "a function, and nullable arguments of its sorts"),
}
_BY_RULE = [
    Operator(name, "Datatypes", rule=rule, wants=wants, is_standard=False, meaning=_MEANINGS.get(name))
    for name, (rule, wants) in _RULES.items()
]
_OPERATORS = [*_NULLABLES, *_BY_RULE]
_BY_NAME = {operator.name: operator for operator in _OPERATORS}


def _term(sort: Sort, payload: tuple[Any, ...], writer: TermWriter) -> Term | None:
    parts = writer.terms(sort.args, payload)
    return None if parts is None else app(Head(_BY_NAME["tuple"]), parts)


def _unit_term(sort: Sort, payload: tuple[()], writer: TermWriter) -> Term:
    del sort, payload, writer
    return app(Head(_BY_NAME["tuple.unit"]))


def _compose(sort: Sort, parts: Parts) -> Payload:
    values = [parts.value(arg) for arg in sort.args]
    return next((value for value in values if isinstance(value, CannotSay)), tuple(values))


_TUPLES: Final = SortKind(
    "Tuple",
    arity=-1,
    make=lambda indices, args: tuple_sort(args),
    family="tuples",
    term=_term,
    compose=_compose,
    domain=lambda sort, domains: domains.product(sort.args),
)
_UNIT: Final = SortKind("UnitTuple", term=_unit_term, compose=_compose, domain=lambda sort, domains: ((),))


def _nullable_term(sort: Sort, payload: Constructed, writer: TermWriter) -> Term | None:
    if not payload.args:
        return app(Head(_BY_NAME["nullable.null"], (), sort))
    parts = writer.terms(sort.args, payload.args)
    return None if parts is None else app(Head(_BY_NAME["nullable.some"]), parts)


def _nullable(sort: Sort, parts: Parts) -> Payload:
    if not parts.count(4):
        return NULL
    value = parts.value(sort.args[0])
    return value if isinstance(value, CannotSay) else some(value)


def _nullable_domain(sort: Sort, domains: FiniteDomains) -> Domain | None:
    values = domains.of(sort.args[0])
    if values is None or len(values) >= domains.limit:
        return None
    return NULL, *map(some, values)


_NULLABLE: Final = SortKind(
    "Nullable",
    arity=1,
    family="tuples",
    term=_nullable_term,
    compose=_nullable,
    domain=_nullable_domain,
)

THEORY = Theory(
    "Datatypes",
    (_TUPLES, _NULLABLE, _UNIT),
    (*_OPERATORS, *aliases(_OPERATORS, {"mkTuple": "tuple"})),
    adjective="datatype",
)
