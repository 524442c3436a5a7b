"""Fragments: the closed Boolean subterms of a seed, from which new formulas are built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from falsum.smtlib.scripts import Assert, CheckSatAssuming, Script
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.term_names import NameResolver
from falsum.smtlib.terms import Annotated, Lambda, Let, Match, Quantifier, Term, Value, Var, let
from falsum.smtlib.walk import children, free_variable_table, transform


class Fragment(NamedTuple):
    """A closed Boolean term and how deep it is nested: 1 for a symbol."""

    term: Term
    depth: int


def fragments(script: Script, depth: int) -> Iterator[Fragment]:
    """The closed Boolean subterms of all assertions and assumptions no deeper than `depth`, each once.

    Lets around a subterm that it depends on are put around it again. Names of terms are resolved, since an
    instance may use a fragment twice.
    """
    seen: set[Term] = set()
    depths: dict[Term, int] = {}
    resolver = NameResolver()
    for command in script.commands:
        roots = command.terms if isinstance(command, CheckSatAssuming) else ()
        if isinstance(command, Assert):
            roots = (command.term,)
        for root in roots:
            for term in _boolean_subterms(transform(root, resolver.change), depth):
                if term not in seen:
                    seen.add(term)
                    own = _depth(term, depths)
                    if own <= depth:
                        yield Fragment(term, own)


def _depth(term: Term, known: dict[Term, int]) -> int:
    """The nesting of a term; `known` remembers that of its parts."""
    todo = [term]
    while todo:
        part = todo[-1]
        below = [child for child in children(part) if child not in known]
        if below:
            todo.extend(below)
        else:
            todo.pop()
            known[part] = 1 + max((known[child] for child in children(part)), default=0)
    return known[term]


def _boolean_subterms(root: Term, depth: int) -> Iterator[Term]:
    """Closed Boolean subterms, outermost first; none from inside a quantifier or lambda.

    None is left out that is no deeper than `depth`.
    """
    free = free_variable_table(root)
    todo: list[tuple[Term, tuple[Let, ...]]] = [(root, ())]
    visited: set[tuple[Term, tuple[Let, ...]]] = set()
    while todo:
        term, lets = todo.pop()
        if (term, lets) in visited:
            continue
        visited.add((term, lets))
        if term.sort is BOOL and not isinstance(term, Value):
            closed = _closed(term, lets, free, depth)
            if closed is not None:
                yield closed
        if isinstance(term, Quantifier | Lambda | Match):
            continue
        if isinstance(term, Let):
            todo.append((term.body, (*lets, term)))
            todo.extend((value, lets) for value in reversed(term.values))
        else:
            parts = (term.body,) if isinstance(term, Annotated) else children(term)
            todo.extend((part, lets) for part in reversed(parts))


def _closed(
    term: Term, lets: tuple[Let, ...], free: Mapping[Term, frozenset[Var]], depth: int
) -> Term | None:
    """The term inside those of the lets around it that it depends on; None if it is still open, or deeper."""
    left = free[term]
    for around in reversed(lets):
        if not left or depth < 1:
            break
        if not left.isdisjoint(around.binders):
            term, depth = let(around.binders, around.values, term), depth - 1
            left = left.difference(around.binders).union(*(free[value] for value in around.values))
    return None if left else term
