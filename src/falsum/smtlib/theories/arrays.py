"""ArraysEx, z3's arrays of several dimensions, mapped arrays and sets as arrays."""

from __future__ import annotations

from falsum.smtlib.operators import Operator, Theory, aliases, table
from falsum.smtlib.sorts import BOOL, Index, Sort

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
    """z3: an array of several index sorts, or a function used as an array."""
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

THEORY = Theory(
    "ArraysEx",
    {"Array": (0, -1)},
    (*_OPERATORS, *aliases(_OPERATORS, {"intersect": "intersection", "difference": "setminus"})),
)
__all__ = ["BOOL", "THEORY"]
