"""Drawing terms of operators that have a rule instead of signatures: tuples, relations, tables."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from falsum.api.model.mirror import Known, Mirror
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import BOOL, INT, Sort

_TRIES: Final = 10
_MOST: Final = 4


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


def _is_nullable(sort: Sort) -> bool:
    return sort.name == "Nullable"


def _is_any(sort: Sort) -> bool:
    return sort.name not in ("->", "RegLan")


def _is_bool(sort: Sort) -> bool:
    return sort is BOOL


def _is_int(sort: Sort) -> bool:
    return sort is INT


Place = Callable[[Sort], bool]
# What stands at each place, and how many indices there are at most; several of the last place if `many`.
_SHAPES: Final[dict[str, tuple[tuple[Place, ...], int]]] = {
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
_MANY: Final = frozenset(["tuple", "mkbv", "at-most", "at-least"])
# The sorts without which nothing fits.
_NEEDS: Final = {"rel": "Set", "table": "Bag", "set": "Set"}


def is_known(operator: Operator, sorts: frozenset[str]) -> bool:
    """Whether terms of it can be drawn when there are sorts of these names."""
    return operator.name in _SHAPES and needs(operator) <= sorts


def needs(operator: Operator) -> set[str]:
    """The names of the sorts without which there are no terms of it; nobody is without Bool."""
    first = operator.name.partition(".")[0]
    needed = {_NEEDS[first]} if first in _NEEDS else set[str]()
    if first in ("rel", "table", "tuple"):
        needed.add("Tuple")
    if operator.name == "mkbv":
        needed.add("BitVec")
    return needed


def draw_ruled(operator: Operator, mirror: Mirror, rng: Random) -> tuple[tuple[int, ...], list[Known]] | None:
    """Indices and arguments the rule takes, of a sort that is wanted."""
    places, most = _SHAPES[operator.name]
    if operator.name in _MANY:
        places *= rng.randint(1, _MOST)
    fitting = [[sort for sort in mirror.by_sort if fits(sort)] for fits in places]
    if not all(fitting):
        return None
    for _ in range(_TRIES):
        sorts = tuple(rng.choice(each) for each in fitting)
        indices = tuple(rng.randrange(4) for _ in range(rng.randint(min(1, most), most)))
        result = operator.rank(indices, sorts)
        if result is not None and mirror.allows(result):
            return indices, [rng.choice(mirror.by_sort[sort]) for sort in sorts]
    return None
