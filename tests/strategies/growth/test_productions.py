"""Which operators a mutation may bring into a seed."""

from __future__ import annotations

from falsum.smtlib import read_script
from falsum.smtlib.walk import subterms
from falsum.strategies.growth import portable_operators


def names(text: str) -> set[str]:
    """The operators that may be brought into a script."""
    terms = [part for term in read_script(text).assertions for part in subterms(term)]
    return {operator.name for operator in portable_operators(terms)}


def test_points_to_fits_only_the_terms_of_the_heap() -> None:
    """cvc5 takes `(pto x y)` of other sorts than those of the heap, and crashes."""
    heap = "(declare-heap (Int Bool))(declare-const x Int)"
    assert names(f"{heap}(assert (sep (pto x true) sep.emp))") >= {"sep", "sep.emp"}
    assert names(f"{heap}(assert (sep (pto x true) sep.emp))").isdisjoint({"pto", "sep.nil"})


def test_extensions_are_brought_only_where_they_are() -> None:
    assert "set.union" not in names("(declare-const x Int)(assert (> x 0))")
    assert "set.union" in names("(declare-const s (Set Int))(assert (set.member 1 s))")
