"""Splits asserted conjunctions, and flattens nested applications of associative operators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from falsum.reducer.edits import Edit, ReplaceCommand, Splice
from falsum.reducer.outline import Outline
from falsum.reducer.simple_terms import operator_name
from falsum.smtlib.scripts import Assert
from falsum.smtlib.terms import App, Term

_ASSOCIATIVE: Final = frozenset(
    "and or + * str.++ re.++ re.union re.inter seq.++ bvand bvor bvadd bvmul bvxor set.union set.inter".split(
        " "
    )
)


class SplitConjunctions:
    """`(assert (and p (and q r)))` → `(assert p) (assert q) (assert r)`."""

    name = "split-conjunctions"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        for place, command in zip(outline.commands, outline.script.commands, strict=True):
            if isinstance(command, Assert) and _is_conjunction(command.term):
                yield ReplaceCommand(place, tuple(Assert(term) for term in _conjuncts(command.term)))


class Flatten:
    """`(+ (+ x y) z)` → `(+ x y z)`."""

    name = "flatten"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        for place, term in outline.terms():
            above = outline.nodes[outline.parents[place]]
            if (
                isinstance(term, App)
                and isinstance(above, App)
                and term.head is above.head
                and term.args
                and operator_name(term) in _ASSOCIATIVE
            ):
                yield Splice(place)


def _is_conjunction(term: Term) -> bool:
    return isinstance(term, App) and len(term.args) > 1 and operator_name(term) == "and"


def _conjuncts(term: Term) -> list[Term]:
    conjuncts: list[Term] = []
    todo = [term]
    while todo:
        part = todo.pop()
        if isinstance(part, App) and _is_conjunction(part):
            todo.extend(reversed(part.args))
        else:
            conjuncts.append(part)
    return conjuncts
