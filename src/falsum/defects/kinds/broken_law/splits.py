"""CaseSplit: formulas of which exactly one holds, whatever the symbols of a script mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from falsum.defects.objectives import closed_terms
from falsum.smtlib import Script, print_term
from falsum.smtlib.consequences import relay
from falsum.smtlib.sorts import BOOL, INT, REAL, Sort
from falsum.smtlib.terms import Term
from falsum.smtlib.theories import kind_of


@dataclass(frozen=True, slots=True)
class CaseSplit:
    """`law` names it; `parts` are the formulas."""

    law: str
    parts: tuple[str, ...]


def drawn(flat: Script, rng: Random) -> CaseSplit | None:
    """A split over an atom, two atoms or the value of a number of a script; None if it has none of these."""
    # Only what is drawn is printed: in a deep script all terms together are very long.
    terms = list(dict.fromkeys(closed_terms(flat)))
    atoms = [term for term in terms if term.sort is BOOL]
    numbers = [term for term in terms if kind_of(term.sort).order is not None]
    choice = rng.randrange(3)
    if choice == 0 and numbers:
        return _domain_partition(numbers, rng)
    if choice == 1 and len(atoms) > 1:
        one, other = map(print_term, rng.sample(atoms, 2))
        signs = ((one, f"(not {one})"), (other, f"(not {other})"))
        return CaseSplit("cubes", tuple(f"(and {a} {b})" for a in signs[0] for b in signs[1]))
    if atoms:
        atom = print_term(rng.choice(atoms))
        return CaseSplit("case split", (atom, f"(not {atom})"))
    return None


def _domain_partition(numbers: Sequence[Term], rng: Random) -> CaseSplit:
    """Less than, equal to or greater than another number."""
    term = rng.choice(numbers)
    order = kind_of(term.sort).order
    assert order is not None
    others = [other for other in numbers if other.sort is term.sort and other is not term]
    place = rng.randrange(len(others) + 1)
    text, pivot = print_term(term), print_term(others[place]) if place < len(others) else _zero(term.sort)
    less, greater = f"({order.less} {text} {pivot})", f"({order.greater} {text} {pivot})"
    return CaseSplit("domain partition", (less, f"(= {text} {pivot})", greater))


def _zero(sort: Sort) -> str:
    if sort in (INT, REAL):
        return "0" if sort is INT else "0.0"
    return f"(_ bv0 {sort.indices[0]})"


def with_assertion(flat: Script, formula: str) -> str:
    """The script with one more assertion."""
    return relay.with_settings(flat).removesuffix("(check-sat)\n") + f"(assert {formula})\n(check-sat)\n"
