"""Eliminates a constant that is defined by an equation."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Compound, Edit, ReplaceCommand, ReplaceTerm
from falsum.reducer.measure import DECLARATION, NAME
from falsum.reducer.outline import Outline
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import Assert, DeclareFun
from falsum.smtlib.substitution import symbols_in
from falsum.smtlib.terms import App, Function, Term


class InlineEquations:
    """`(declare-fun x () Int) (assert (= x (+ 1 2))) (assert (< x 5))` → `(assert (< (+ 1 2) 5))`,
    where that makes the measure smaller.
    """

    name = "inline-equations"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        places = outline.constant_uses
        declared = {
            command.function: place
            for place, command in zip(outline.commands, outline.script.commands, strict=True)
            if isinstance(command, DeclareFun)
        }
        for place, command in zip(outline.commands, outline.script.commands, strict=True):
            if not isinstance(command, Assert) or not _is_equation(command.term):
                continue
            first, second = outline.parts(place + 1)
            for left, right in ((first, second), (second, first)):
                symbol = _symbol(outline.term(left))
                if symbol in declared and symbol in places:
                    yield from _inlined(outline, place, declared[symbol], right, places[symbol])


def _is_equation(term: Term) -> bool:
    if not isinstance(term, App) or len(term.args) != 2:
        return False
    return isinstance(term.head.symbol, Operator) and term.head.name == "="


def _symbol(term: Term) -> Function | None:
    symbol = term.head.symbol if isinstance(term, App) and not term.args else None
    return symbol if isinstance(symbol, Function) else None


def _inlined(outline: Outline, place: int, declaration: int, value: int, places: list[int]) -> Iterator[Edit]:
    """Replaces all other uses of the constant by the term; nothing if the term contains the constant."""
    end = outline.end(place)
    others = [use for use in places if not place < use < end]
    if any(value <= use < outline.end(value) for use in places) or len(others) != len(places) - 1:
        return
    term, weight = outline.term(value), outline.weights[value]
    removed = outline.weights[place] + 1 + DECLARATION + term.sort.size
    if len(others) * (weight - NAME) < removed and symbols_in(term).isdisjoint(outline.bound_names):
        replaced = (ReplaceTerm(use, term) for use in others)
        yield Compound((ReplaceCommand(declaration), ReplaceCommand(place), *replaced), min(len(others), 2))
