"""Drops arguments of operators that take any number of them."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Edit, Omit
from falsum.reducer.outline import Outline
from falsum.reducer.passes.protocol import boldness
from falsum.reducer.simple_terms import operator_name
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App

# Beyond this many arguments of different sorts, only the first few are looked at.
_MOST_MIXED = 50


class DropArguments:
    """`(distinct x y z)` → `(distinct x z)`; `(+ x y z)` → `(+ x z)`.

    For `and` and `or`, weakening and strengthening propose it; of two arguments, replacing by a child does.
    """

    name = "drop-arguments"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        for place, term in outline.terms():
            if isinstance(term, App) and len(term.args) > 2 and operator_name(term) not in ("", "and", "or"):
                parts = outline.parts(place)
                for slot in _droppable(term):
                    yield Omit(parts[slot], boldness(outline.sizes[parts[slot]]))


def _droppable(term: App) -> range | list[int]:
    """The arguments without which the application has the same sort."""
    sorts = tuple(arg.sort for arg in term.args)
    if all(sort is sorts[0] for sort in sorts):
        return range(len(sorts)) if _is_standard(term, sorts[1:]) else []
    return [
        slot
        for slot in range(min(len(sorts), _MOST_MIXED))
        if _is_standard(term, sorts[:slot] + sorts[slot + 1 :])
    ]


def _is_standard(term: App, sorts: tuple[Sort, ...]) -> bool:
    """Whether every reader takes the operator with arguments of these sorts, and the result has its sort."""
    assert isinstance(term.head.symbol, Operator)
    return any(
        signature.is_standard and signature.rank(term.head.indices, sorts, term.head.qualifier) is term.sort
        for signature in term.head.symbol.signatures
    )
