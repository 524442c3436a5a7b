"""Drops arguments of operators that take any number of them."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Edit, Omit
from falsum.reducer.outline import Outline
from falsum.reducer.passes.protocol import rank_by_size
from falsum.reducer.simple_terms import operator_name
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App

# Of an application with arguments of different sorts, only the first so many are tried.
_MAX_MIXED = 50


class DropArguments:
    """`(distinct x y z)` → `(distinct x z)`; `(+ x y z)` → `(+ x z)`.

    For `and` and `or`, `weaken` and `strengthen` do this; for two arguments, `replace-by-child` does.
    """

    name = "drop-arguments"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        for place, term in outline.terms():
            if isinstance(term, App) and len(term.args) > 2 and operator_name(term) not in ("", "and", "or"):
                parts = outline.parts(place)
                for slot in _droppable(term):
                    yield Omit(parts[slot], rank_by_size(outline.sizes[parts[slot]]))


def _droppable(term: App) -> range | list[int]:
    """The arguments without which the application is still well-sorted and of the same sort."""
    sorts = tuple(arg.sort for arg in term.args)
    if all(sort is sorts[0] for sort in sorts):
        return range(len(sorts)) if _is_standard(term, sorts[1:]) else []
    return [
        slot
        for slot in range(min(len(sorts), _MAX_MIXED))
        if _is_standard(term, sorts[:slot] + sorts[slot + 1 :])
    ]


def _is_standard(term: App, sorts: tuple[Sort, ...]) -> bool:
    """Whether a standard rank of the operator takes these sorts and gives the term's sort."""
    assert isinstance(term.head.symbol, Operator)
    return any(
        signature.is_standard and signature.rank(term.head.indices, sorts, term.head.qualifier) is term.sort
        for signature in term.head.symbol.signatures
    )
