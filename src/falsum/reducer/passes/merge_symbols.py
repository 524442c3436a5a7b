"""Does without a constant: everywhere a value, or another constant, in its place."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Edit, Put, Replace, Several
from falsum.reducer.outline import Outline
from falsum.reducer.simple_terms import StandIns
from falsum.smtlib.scripts import DeclareFun
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App, Function, Term, constant


class MergeSymbols:
    """`(declare-fun x () Int) (declare-fun y () Int) (assert (< x y))`
    → `(declare-fun x () Int) (assert (< x x))`, `(declare-fun y () Int) (assert (< 0 y))`.
    """

    name = "merge-symbols"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        stand_ins = StandIns(outline)
        places = constant_places(outline)
        first: dict[Sort, Function] = {}
        for place, command in zip(outline.commands, outline.script.commands, strict=True):
            if not isinstance(command, DeclareFun) or command.function not in places:
                continue
            function = command.function
            found = places[function]
            for value in stand_ins.values(function.result)[:1]:
                if not getattr(value, "args", ()):
                    yield _everywhere(place, found, value, 0)
            earlier = first.setdefault(function.result, function)
            if earlier is not function and earlier.name not in outline.bound_names:
                yield _everywhere(place, found, constant(earlier), 1)


def constant_places(outline: Outline) -> dict[Function, list[int]]:
    """Where each constant is used; those in patterns are left alone."""
    found: dict[Function, list[int]] = {}
    inside = {place for place, _ in outline.terms()}
    frozen: dict[Function, None] = {}
    for place, node in enumerate(outline.nodes):
        if isinstance(node, App) and not node.args and isinstance(node.head.symbol, Function):
            found.setdefault(node.head.symbol, []).append(place)
            if place not in inside:
                frozen[node.head.symbol] = None
    return {function: places for function, places in found.items() if function not in frozen}


def _everywhere(declaration: int, places: list[int], new: Term, rank: int) -> Edit:
    return Several((Put(declaration), *(Replace(place, new) for place in places)), rank)
