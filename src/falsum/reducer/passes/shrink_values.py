"""Makes values and indices smaller: numerals, strings, bit-vectors, floating-point numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from falsum.reducer.edits import ChangeHead, Edit, ReplaceTerm
from falsum.reducer.outline import Outline
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.values_as_terms import value_of
from falsum.smtlib.samples import corners
from falsum.smtlib.sorts import BOOL, Index
from falsum.smtlib.terms import App, Head, Value
from falsum.smtlib.theories import kind_of
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import Element

_MAX_CORNERS = 4


class ShrinkValues:
    """`(= x 4711)` → `(= x 0)`, `(= x 47)`; `(= s "hello")` → `(= s "he")`; `(_ bv7 32)` → `#x00000000`."""

    name = "shrink-values"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        for place, node in enumerate(outline.nodes):
            if isinstance(node, Value):
                for rank, new in enumerate(_smaller(node)):
                    yield ReplaceTerm(place, new, rank=rank)


def _smaller(node: Value) -> list[Value]:
    """Values smaller in the measure than this one, the simplest first."""
    values: dict[Value, None] = {}
    for payload in _payloads(node):
        new = value_of(node.sort, payload)
        if isinstance(new, Value) and (len(new.text), new.text) < (len(node.text), node.text):
            values[new] = None
    return list(values)


def _payloads(node: Value) -> Iterator[Any]:
    # Truth values are left to the passes on formulas; elements and roots have no simpler spelling.
    if node.sort is BOOL or isinstance(node.payload, Element | CannotSay):
        return
    yield from corners(node.sort)[:_MAX_CORNERS]
    yield from kind_of(node.sort).smaller_values(node.sort, node.payload)
    yield node.payload


class ShrinkIndices:
    """`((_ extract 7 4) x)` → `((_ extract 3 0) x)`; `((_ divisible 12) n)` → `((_ divisible 1) n)`."""

    name = "shrink-indices"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        for place, term in outline.terms():
            if isinstance(term, App) and term.head.indices and isinstance(term.head.symbol, Operator):
                for rank, head in enumerate(_heads(term)):
                    yield ChangeHead(place, head, rank)


def _heads(term: App) -> Iterator[Head]:
    """Heads with smaller indices that give the same sort."""
    head, sorts = term.head, tuple(arg.sort for arg in term.args)
    numbers = [index for index in head.indices if isinstance(index, int)]
    if len(numbers) < len(head.indices):
        return
    least = min(numbers)
    shifted = tuple(number - least for number in numbers)
    options: dict[tuple[Index, ...], None] = {shifted: None}
    for slot, number in enumerate(numbers):
        for smaller in (0, 1, number // 2, number - 1):
            options[(*numbers[:slot], smaller, *numbers[slot + 1 :])] = None
    for indices in options:
        new = Head(head.symbol, indices, head.qualifier)
        shorter = (len(new.text), new.text) < (len(head.text), head.text)
        if shorter and all(isinstance(i, int) and i >= 0 for i in indices) and new.rank(sorts) is term.sort:
            yield new
