"""Fragments: the closed Boolean subterms of a seed, from which new formulas are built."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.smtlib.scripts import Assert, CheckSatAssuming, Script
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.term_names import NameResolver
from falsum.smtlib.terms import Annotated, Lambda, Let, Match, Quantifier, Term, Value, let
from falsum.smtlib.walk import children, free_variables, transform


def fragments(script: Script, depth: int) -> Iterator[Term]:
    """The closed Boolean subterms of all assertions and assumptions down to a depth, each once.

    Lets around a subterm that it depends on are put around it again. Names of terms are resolved, since an
    instance may use a fragment twice.
    """
    seen: set[Term] = set()
    resolver = NameResolver()
    for command in script.commands:
        roots = command.terms if isinstance(command, CheckSatAssuming) else ()
        if isinstance(command, Assert):
            roots = (command.term,)
        for root in roots:
            for term in _boolean_subterms(transform(root, resolver.change), depth):
                if term not in seen:
                    seen.add(term)
                    yield term


def _boolean_subterms(root: Term, depth: int) -> Iterator[Term]:
    """Closed Boolean subterms, outermost first, down to a depth; none from inside a quantifier or lambda."""
    todo: list[tuple[Term, tuple[Let, ...], int]] = [(root, (), 0)]
    visited: set[tuple[Term, tuple[Let, ...]]] = set()
    while todo:
        term, lets, level = todo.pop()
        if (term, lets) in visited:
            continue
        visited.add((term, lets))
        if term.sort is BOOL and not isinstance(term, Value):
            closed = _closed(term, lets)
            if closed is not None:
                yield closed
        if level >= depth or isinstance(term, Quantifier | Lambda | Match):
            continue
        if isinstance(term, Let):
            todo.append((term.body, (*lets, term), level + 1))
            todo.extend((value, lets, level + 1) for value in reversed(term.values))
        else:
            parts = (term.body,) if isinstance(term, Annotated) else children(term)
            todo.extend((part, lets, level + 1) for part in reversed(parts))


def _closed(term: Term, lets: tuple[Let, ...]) -> Term | None:
    """The term inside those of the lets around it that it depends on; None if it is still open."""
    for around in reversed(lets):
        free = free_variables(term)
        if not free:
            return term
        if any(binder in free for binder in around.binders):
            term = let(around.binders, around.values, term)
    return None if free_variables(term) else term
