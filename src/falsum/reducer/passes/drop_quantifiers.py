"""Drops quantifiers, patterns and other annotations."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Edit, Hoist, ReplaceTerm, Unbind
from falsum.reducer.measure import own_weight
from falsum.reducer.outline import Outline
from falsum.reducer.simple_terms import SimpleTerms
from falsum.smtlib.terms import Annotated, Quantifier, annotated, constant


class DropQuantifiers:
    """`(forall ((x Int) (y Int)) (p x y))` → `(forall ((x Int)) (p x 0))` → `(p v 0)`.

    A bound variable is replaced by a value or a constant of the script, or else by a new constant.
    """

    name = "drop-quantifiers"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        simple_terms = SimpleTerms(outline)
        for place, node in enumerate(outline.nodes):
            if not isinstance(node, Quantifier) or _has_pattern(node):
                continue
            for binder in node.binders:
                if not outline.uses.get((place, binder.name)):
                    continue
                leaf = simple_terms.leaf(binder.sort, place)
                if leaf is not None:
                    yield Unbind(place, binder, leaf, rank=0 if own_weight(leaf) == 1 else 1)
                function = simple_terms.fresh(binder.sort)
                yield Unbind(place, binder, constant(function), (function,), rank=2)


def _has_pattern(node: Quantifier) -> bool:
    """Whether a quantifier has a pattern, which must be dropped first: solvers reject patterns without
    its variables.
    """
    return isinstance(node.body, Annotated) and any(isinstance(a.value, tuple) for a in node.body.attributes)


class DropAnnotations:
    """`(! (p x) :pattern ((p x)) :qid q)` → `(p x)`."""

    name = "drop-annotations"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        for place, node in enumerate(outline.nodes):
            if isinstance(node, Annotated):
                yield Hoist(place, place + 1)
                if len(node.attributes) > 1:
                    for dropped in node.attributes:
                        attributes = tuple(
                            attribute for attribute in node.attributes if attribute is not dropped
                        )
                        yield ReplaceTerm(place, annotated(node.body, attributes), rank=1)
