"""Relations and tables, an extension of cvc5: sets and bags of tuples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from falsum.smtlib.operators import Meaning, Operator, Rule, aliases
from falsum.smtlib.sort_kinds import SortKind
from falsum.smtlib.sorts import INT, Index, Sort
from falsum.smtlib.theories.meanings import numbers, plain
from falsum.smtlib.theories.theory import Theory
from falsum.smtlib.theories.tuples import components_of, picked, tuple_sort
from falsum.smtlib.values import bags, relations

if TYPE_CHECKING:
    from falsum.smtlib.terms import App


def _columns(sort: Sort) -> tuple[Sort, ...] | None:
    """The sorts of the columns of a relation or table; None if it is neither."""
    if sort.name not in ("Set", "Bag") or not sort.args:
        return None
    return components_of(sort.args[0])


def _project(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    columns = _columns(sorts[0]) if len(sorts) == 1 else None
    picked_columns = picked(columns, indices) if columns is not None else None
    return None if picked_columns is None else Sort(sorts[0].name, (), (tuple_sort(picked_columns),))


def _join(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """`(rel.join r s)` joins the last column of `r` with the first column of `s`."""
    left = _columns(sorts[0]) if len(sorts) == 2 and not indices else None
    right = _columns(sorts[1]) if left else None
    if not left or not right or left[-1] is not right[0]:
        return None
    return Sort("Set", (), (tuple_sort(left[:-1] + right[1:]),))


def _product(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """Products, and joins on pairs of columns; the result has all columns of both."""
    if len(sorts) != 2 or sorts[0].name != sorts[1].name:
        return None
    left, right = _columns(sorts[0]), _columns(sorts[1])
    if left is None or right is None or len(indices) % 2:
        return None
    for i, j in zip(indices[::2], indices[1::2], strict=True):
        if not isinstance(i, int) or not isinstance(j, int) or i >= len(left) or j >= len(right):
            return None
        if left[i] is not right[j]:
            return None
    return Sort(sorts[0].name, (), (tuple_sort(left + right),))


def _transpose(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    columns = _columns(sorts[0]) if len(sorts) == 1 and not indices else None
    return None if columns is None else Sort("Set", (), (tuple_sort(columns[::-1]),))


def _closure(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    columns = _columns(sorts[0]) if len(sorts) == 1 and not indices else None
    return sorts[0] if columns and len(columns) == 2 and columns[0] is columns[1] else None


def _identity(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    columns = _columns(sorts[0]) if len(sorts) == 1 and not indices else None
    return Sort("Set", (), (tuple_sort(columns * 2),)) if columns and len(columns) == 1 else None


def _join_image(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    if indices or len(sorts) != 2 or sorts[1] is not INT:
        return None
    columns = _columns(sorts[0])
    alike = columns is not None and len(columns) == 2 and columns[0] is columns[1]
    return Sort("Set", (), (tuple_sort(columns[:1]),)) if columns and alike else None


def _group(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    columns = _columns(sorts[0]) if len(sorts) == 1 else None
    if columns is None or picked(columns, indices) is None:
        return None
    return Sort(sorts[0].name, (), (sorts[0],))


def _aggregate(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """`((_ table.aggr i …) f initial table)`."""
    if len(sorts) != 3 or sorts[0].name != "->":
        return None
    columns = _columns(sorts[2])
    if columns is None or picked(columns, indices) is None:
        return None
    if sorts[0].args != (sorts[2].args[0], sorts[1], sorts[1]):
        return None
    return Sort(sorts[2].name, (), (sorts[1],))


def _joined(app: App, args: Sequence[Any]) -> object:
    """Joins on pairs of columns; without any, products. Relations are sets, tables are bags."""
    columns = numbers(app)
    on = list(zip(columns[::2], columns[1::2], strict=True))
    if app.sort.name == "Bag":
        return relations.table_join(args[0], args[1], on)
    return relations.join_on(args[0], args[1], on)


def _grouped(app: App, args: Sequence[Any]) -> object:
    """The rows in groups with equal values in some columns; without rows there is one empty group."""
    if app.sort.name == "Set":
        return frozenset(relations.groups(args[0], numbers(app))) or frozenset((frozenset(),))
    parts = relations.table_groups(args[0], numbers(app)) or [bags.EMPTY]
    return bags.collected((part, 1) for part in parts)


def _projected(app: App, args: Sequence[Any]) -> object:
    if app.sort.name == "Set":
        return relations.project(args[0], numbers(app))
    return bags.collected((tuple(row[c] for c in numbers(app)), n) for row, n in args[0])


_MEANINGS: dict[str, Meaning] = {
    "rel.join": plain(relations.join),
    "rel.product": plain(relations.product),
    "rel.transpose": plain(relations.transpose),
    "rel.tclosure": plain(relations.closure),
    "rel.iden": plain(relations.identity),
    "rel.join_image": plain(relations.join_image),
    "rel.project": _projected,
    "rel.table_join": _joined,
    "rel.group": _grouped,
    "table.product": _joined,
    "table.join": _joined,
    "table.group": _grouped,
    "table.project": _projected,
}
_RULES: dict[str, tuple[Rule, str]] = {
    "rel.join": (
        _join,
        "two relations; the last column of the first has the sort of the first column of the second",
    ),
    "rel.product": (_product, "two relations"),
    "rel.table_join": (_product, "two relations and pairs of columns"),
    "rel.transpose": (_transpose, "a relation"),
    "rel.tclosure": (_closure, "a relation of two columns of the same sort"),
    "rel.iden": (_identity, "a relation of one column"),
    "rel.join_image": (_join_image, "a relation of two columns of the same sort, and an Int"),
    "rel.group": (_group, "columns and a relation"),
    "rel.aggr": (_aggregate, "columns, a function, an initial value and a relation"),
    "rel.project": (_project, "columns and a relation"),
    "table.product": (_product, "two tables"),
    "table.join": (_product, "two tables and pairs of columns"),
    "table.group": (_group, "columns and a table"),
    "table.aggr": (_aggregate, "columns, a function, an initial value and a table"),
    "table.project": (_project, "columns and a table"),
}
_OPERATORS = [
    Operator(name, "Relations", rule=rule, wants=wants, is_standard=False, meaning=_MEANINGS.get(name))
    for name, (rule, wants) in _RULES.items()
]
# Names in older releases of cvc5 and in cvc4.
_OLD_NAMES = {
    "join": "rel.join",
    "product": "rel.product",
    "transpose": "rel.transpose",
    "tclosure": "rel.tclosure",
}


def _abbreviation(name: str, container: str) -> SortKind:
    """`(Relation Int Bool)` is `(Set (Tuple Int Bool))`."""
    return SortKind(name, arity=-1, make=lambda indices, args: Sort(container, (), (tuple_sort(args),)))


THEORY = Theory(
    "Relations",
    (_abbreviation("Relation", "Set"), _abbreviation("Table", "Bag")),
    (*_OPERATORS, *aliases(_OPERATORS, _OLD_NAMES)),
    adjective="relation",
)
