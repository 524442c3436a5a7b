"""Core: Booleans, equality, `ite`."""

from __future__ import annotations

from falsum.smtlib.operators import Operator, Theory, aliases, merged, table
from falsum.smtlib.sorts import BOOL, Index, Sort, applied
from falsum.smtlib.theories.meanings import plain

_STANDARD = table(
    "Core",
    """
    (not Bool Bool)
    (=> Bool Bool Bool :right-assoc)
    (and Bool Bool Bool :left-assoc)
    (or Bool Bool Bool :left-assoc)
    (xor Bool Bool Bool :left-assoc)
    (par (A) (= A A Bool :chainable))
    (par (A) (distinct A A Bool :pairwise))
    (par (A) (ite Bool A A A))
    """,
    # `and`, `or`, `=>`, `ite`, `=` and `distinct` may decide in spite of unknown arguments: the evaluator
    # knows them itself.
    {
        "not": plain(lambda p: not p),
        "xor": lambda app, args: sum(args) % 2 == 1,
    },
)
# Solvers take (and) for true and (or) for false.
_EMPTY = table("Core", "(and Bool) (or Bool) (xor Bool)", is_standard=False)
_OPERATORS = merged(_STANDARD, _EMPTY)


def _apply(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """`(@ f x …)`: a function applied to some or all of its arguments."""
    return applied(sorts[0], sorts[1:]) if len(sorts) > 1 and not indices else None


def _cardinality(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    return BOOL if len(indices) == 2 and not sorts else None


APPLY = Operator("@", "Core", rule=_apply, wants="a function and arguments of its sorts", is_standard=False)
# (f x) where f is a variable of a function sort: the operator is not written.
IMPLICIT_APPLY = Operator(
    "@", "Core", rule=_apply, wants=APPLY.wants, is_standard=False, is_implicit=True, alias_of=APPLY
)

THEORY = Theory(
    "Core",
    {"Bool": (0, 0), "->": (0, -1)},
    (
        *_OPERATORS,
        *aliases(_OPERATORS, {"implies": "=>", "iff": "=", "if": "ite"}),
        APPLY,
        Operator("fmf.card", "Core", rule=_cardinality, wants="(_ fmf.card Sort n)", is_standard=False),
    ),
)
