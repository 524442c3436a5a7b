"""Eliminates a constant: replaces all its uses by a value or by another constant."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Compound, Edit, ReplaceCommand, ReplaceTerm
from falsum.reducer.outline import Outline
from falsum.reducer.simple_terms import SimpleTerms
from falsum.smtlib.scripts import DeclareFun
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import Function, Term, constant


class MergeSymbols:
    """`(declare-fun x () Int) (declare-fun y () Int) (assert (< x y))`
    → `(declare-fun x () Int) (assert (< x x))` or `(declare-fun y () Int) (assert (< 0 y))`.
    """

    name = "merge-symbols"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        simple_terms = SimpleTerms(outline)
        uses = outline.constant_uses
        first: dict[Sort, Function] = {}
        for place, command in zip(outline.commands, outline.script.commands, strict=True):
            if not isinstance(command, DeclareFun) or command.function not in uses:
                continue
            function = command.function
            places = uses[function]
            for value in simple_terms.values(function.result)[:1]:
                if not getattr(value, "args", ()):
                    yield _everywhere(place, places, value, 0)
            earlier = first.setdefault(function.result, function)
            if earlier is not function and earlier.name not in outline.bound_names:
                yield _everywhere(place, places, constant(earlier), 1)


def _everywhere(declaration: int, places: list[int], new: Term, rank: int) -> Edit:
    return Compound((ReplaceCommand(declaration), *(ReplaceTerm(place, new) for place in places)), rank)
