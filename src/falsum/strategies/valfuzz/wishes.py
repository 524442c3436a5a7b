"""Wishes: further constraints on the constants of a φ^test, which are dropped if there is no solution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final

from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.samples import corners
from falsum.smtlib.sorts import INT, REAL, Sort
from falsum.smtlib.terms import Term
from falsum.smtlib.walk import subterms
from falsum.strategies.valfuzz.holes import Hole

# Holes of one solution that get a constant near those of the seed.
_MOST_NEAR: Final = 3
_NUMBERS: Final = (INT, REAL)


def corner_case_wishes(holes: Iterable[Hole], rng: Random) -> Iterator[str]:
    """Soft constraints: for every hole a corner case, and a constant other than the seed's."""
    for hole in holes:
        cases = corners(hole.sort)
        if cases:
            term = value_term(hole.sort, rng.choice(cases), {})
            if term is not None:
                yield f"(assert-soft (= {hole.name} {print_term(term)}) :weight 2)\n"
        yield f"(assert-soft (not (= {hole.name} {print_term(hole.constant)})) :weight 1)\n"


def keep_most_constants(holes: Sequence[Hole], around: Term, rng: Random) -> Iterator[str]:
    """Constraints that keep all constants except one to three, preferably some in the term `around`."""
    parts = dict.fromkeys(subterms(around))
    near = [hole for hole in holes if hole.variable in parts] or list(holes)
    free = rng.sample(near, min(rng.randint(1, 2), len(near)))
    if rng.random() < 0.25:
        free.append(rng.choice(holes))
    for hole in holes:
        if hole not in free:
            yield f"(assert (= {hole.name} {print_term(hole.constant)}))\n"
    yield differs((hole, hole.constant) for hole in dict.fromkeys(free))


def constants_near_the_seeds(holes: Sequence[Hole], rng: Random) -> Iterator[str]:
    """Gives some holes constants of the seed, or such plus or minus 1; no further hole is zero or empty.

    Models prefer zeros and empty strings, and most bugs are not there.
    """
    choice = rng.sample(holes, min(rng.randint(1, _MOST_NEAR), len(holes)))
    for hole in choice:
        alike = [print_term(other.constant) for other in holes if other.sort is hole.sort]
        term = rng.choice(alike)
        if hole.sort in _NUMBERS:
            term = rng.choice((term, f"(+ {term} {_one(hole.sort)})", f"(- {term} {_one(hole.sort)})"))
        yield f"(assert (= {hole.name} {term}))\n"
    for hole in holes:
        cases = corners(hole.sort)
        simple = value_term(hole.sort, cases[0], {}) if cases and hole not in choice else None
        if simple is not None and rng.random() < 0.5:
            yield f"(assert (not (= {hole.name} {print_term(simple)})))\n"


def _one(sort: Sort) -> str:
    return "1" if sort is INT else "1.0"


def differs(pairs: Iterable[tuple[Hole, Term]]) -> str:
    """Asserts that at least one of the holes has a constant other than the given one."""
    literals = [f"(not (= {hole.name} {print_term(term)}))" for hole, term in pairs]
    return f"(assert (or {' '.join(literals)}))\n" if len(literals) > 1 else f"(assert {literals[0]})\n"
