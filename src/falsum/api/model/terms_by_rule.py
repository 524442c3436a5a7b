"""Draws arguments for operators that have a typing rule instead of signatures: tuples, relations, tables."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from falsum.api.model.mirror import Mirror, TermEntry
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import BOOL, INT, Sort
from falsum.smtlib.theories import kind_of

_ATTEMPTS: Final = 10
_MAX_ARGUMENTS: Final = 4


def _is_tuple(sort: Sort) -> bool:
    return sort.name == "Tuple"


def _is_rows(sort: Sort) -> bool:
    return sort.name in ("Set", "Bag") and sort.args[0].name == "Tuple"


def _is_relation(sort: Sort) -> bool:
    return sort.name == "Set" and _is_rows(sort)


def _is_table(sort: Sort) -> bool:
    return sort.name == "Bag" and _is_rows(sort)


def _is_set(sort: Sort) -> bool:
    return sort.name == "Set"


def _is_any(sort: Sort) -> bool:
    return kind_of(sort).may_be_declared


def _is_bool(sort: Sort) -> bool:
    return sort is BOOL


def _is_int(sort: Sort) -> bool:
    return sort is INT


SortTest = Callable[[Sort], bool]
# Tests of the arguments' sorts, and the largest number of indices; operators in _VARIADIC repeat the test.
_SHAPES: Final[dict[str, tuple[tuple[SortTest, ...], int]]] = {
    "tuple": ((_is_any,), 0),
    "tuple.unit": ((), 0),
    "tuple.select": ((_is_tuple,), 1),
    "tuple.update": ((_is_tuple, _is_any), 1),
    "tuple.project": ((_is_tuple,), 3),
    "set.insert": ((_is_any, _is_set), 0),
    "rel.join": ((_is_relation, _is_relation), 0),
    "rel.product": ((_is_relation, _is_relation), 0),
    "rel.table_join": ((_is_relation, _is_relation), 2),
    "rel.transpose": ((_is_relation,), 0),
    "rel.tclosure": ((_is_relation,), 0),
    "rel.iden": ((_is_relation,), 0),
    "rel.join_image": ((_is_relation, _is_int), 0),
    "rel.group": ((_is_relation,), 2),
    "rel.project": ((_is_relation,), 3),
    "table.product": ((_is_table, _is_table), 0),
    "table.join": ((_is_table, _is_table), 2),
    "table.group": ((_is_table,), 2),
    "table.project": ((_is_table,), 3),
    "mkbv": ((_is_bool,), 0),
    "at-most": ((_is_bool,), 1),
    "at-least": ((_is_bool,), 1),
}
_VARIADIC: Final = frozenset(["tuple", "mkbv", "at-most", "at-least"])
# The sort of an argument, by the prefix of the operator.
_SORT_OF_PREFIX: Final = {"rel": "Set", "table": "Bag", "set": "Set"}


def is_drawable(operator: Operator, sorts: frozenset[str]) -> bool:
    """Whether terms of an operator can be drawn in a run that has sorts of these names."""
    return operator.name in _SHAPES and required_sorts(operator) <= sorts


def required_sorts(operator: Operator) -> set[str]:
    """The names of the sorts an operator needs, other than Bool."""
    prefix = operator.name.partition(".")[0]
    sorts = {_SORT_OF_PREFIX[prefix]} if prefix in _SORT_OF_PREFIX else set[str]()
    if prefix in ("rel", "table", "tuple"):
        sorts.add("Tuple")
    if operator.name == "mkbv":
        sorts.add("BitVec")
    return sorts


def draw_by_rule(
    operator: Operator, mirror: Mirror, rng: Random
) -> tuple[tuple[int, ...], list[TermEntry]] | None:
    """Draw indices and arguments that the rule accepts; None if none are found."""
    tests, max_indices = _SHAPES[operator.name]
    if operator.name in _VARIADIC:
        tests *= rng.randint(1, _MAX_ARGUMENTS)
    fitting = [[sort for sort in mirror.by_sort if test(sort)] for test in tests]
    if not all(fitting):
        return None
    for _ in range(_ATTEMPTS):
        sorts = tuple(rng.choice(each) for each in fitting)
        indices = tuple(rng.randrange(4) for _ in range(rng.randint(min(1, max_indices), max_indices)))
        result = operator.rank(indices, sorts)
        if result is not None and mirror.allows(result):
            return indices, [rng.choice(mirror.by_sort[sort]) for sort in sorts]
    return None
