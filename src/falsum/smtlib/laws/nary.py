"""Applications with more than two arguments, as terms with two arguments each."""

from __future__ import annotations

from itertools import combinations, pairwise

from falsum.smtlib.operators import Operator
from falsum.smtlib.terms import App, Head, Term, app
from falsum.smtlib.theories import OPERATORS


def associativity(head: Head) -> str:
    """The attribute that says how an operator takes more than two arguments, or ""."""
    if not isinstance(head.symbol, Operator):
        return ""
    return next((s.associativity for s in head.symbol.signatures if s.associativity), "")


def binary(term: Term) -> Term:
    """An equal term whose root has two arguments; the term itself if it has no more than two.

    A chain becomes the conjunction of its links, `distinct` that of its pairs, `(+ a b c)` `(+ (+ a b) c)`
    and `(=> a b c)` `(=> a (=> b c))`.
    """
    if not isinstance(term, App) or len(term.args) < 3:
        return term
    head, args, how = term.head, term.args, associativity(term.head)
    if how in ("left-assoc", "nary"):
        return app(head, (app(head, args[:-1]), args[-1]))
    if how == "right-assoc":
        return app(head, (args[0], app(head, args[1:])))
    if how not in ("chainable", "pairwise"):
        return term
    pairs = pairwise(args) if how == "chainable" else combinations(args, 2)
    return app(Head(OPERATORS["and"]), [app(head, pair) for pair in pairs])
