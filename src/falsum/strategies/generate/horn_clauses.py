"""Random Horn clauses: facts, rules and queries about a few predicates."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.terms import sort_text
from falsum.smtlib.theories import kind_of
from falsum.strategies.generate.random_terms import TermGenerator, TermShape
from falsum.strategies.growth import Grammar

_MOST_PREDICATES = 3
_MOST_ARGUMENTS = 3
# Probabilities: a second atom among the premises; a constraint; an argument of a conclusion that is a term.
_SECOND_ATOM = 0.25
_CONSTRAINT = 0.85
_TERM = 0.6
_CONSTRAINT_DEPTH = 2


class _Predicate(NamedTuple):
    name: str
    args: tuple[Sort, ...]


def horn_clauses(grammar: Grammar, shape: TermShape, count: int, rng: Random) -> tuple[list[str], list[str]]:
    """Declarations of predicates, and `count` clauses as assertions: a fact, rules, and a query."""
    sorts = [sort for sort in grammar.theme.sorts if kind_of(sort).is_first_class] or [BOOL]
    predicates = [
        _Predicate(f"P{number}", tuple(rng.choice(sorts) for _ in range(rng.randint(1, _MOST_ARGUMENTS))))
        for number in range(rng.randint(1, _MOST_PREDICATES))
    ]
    declared = [
        f"(declare-fun {name} ({' '.join(map(sort_text, args))}) Bool)\n" for name, args in predicates
    ]
    clauses = [_clause(grammar, shape, rng, [], predicates[0])]
    for _ in range(count - 2):
        atoms = [rng.choice(predicates) for _ in range(1 + (rng.random() < _SECOND_ATOM))]
        clauses.append(_clause(grammar, shape, rng, atoms, rng.choice(predicates)))
    clauses.append(_clause(grammar, shape, rng, [rng.choice(predicates)], None))
    return declared, clauses[:count]


def _clause(
    grammar: Grammar, shape: TermShape, rng: Random, atoms: list[_Predicate], head: _Predicate | None
) -> str:
    """A clause; the variables that its terms use are those it is about."""
    terms = TermGenerator(grammar, shape, rng)
    premises = [f"({name} {' '.join(terms.term(arg, 0) for arg in args)})" for name, args in atoms]
    if rng.random() < _CONSTRAINT:
        premises.append(terms.term(BOOL, _CONSTRAINT_DEPTH))
    conclusion = "false"
    if head is not None:
        args = [terms.term(arg, int(rng.random() < _TERM)) for arg in head.args]
        conclusion = f"({head.name} {' '.join(args)})"
    body = premises[0] if len(premises) == 1 else f"(and {' '.join(premises)})"
    formula = f"(=> {body} {conclusion})" if premises else conclusion
    binders = " ".join(f"({name} {sort_text(sort)})" for name, sort in terms.used.items())
    return f"(assert (forall ({binders}) {formula}))\n" if binders else f"(assert {formula})\n"
