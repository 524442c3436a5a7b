"""Bags (multisets), an extension of cvc5."""

from __future__ import annotations

from typing import Final

from falsum.smtlib.operators import aliases, table
from falsum.smtlib.sort_kinds import SortKind
from falsum.smtlib.terms import sort_text
from falsum.smtlib.theories.theory import Theory

_OPERATORS = table(
    "Bags",
    """
    (par (A) (bag.empty (Bag A)))
    (par (A) (bag A Int (Bag A)))
    (par (A) (bag.union_max (Bag A) (Bag A) (Bag A) :left-assoc))
    (par (A) (bag.union_disjoint (Bag A) (Bag A) (Bag A) :left-assoc))
    (par (A) (bag.inter_min (Bag A) (Bag A) (Bag A) :left-assoc))
    (par (A) (bag.difference_subtract (Bag A) (Bag A) (Bag A) :left-assoc))
    (par (A) (bag.difference_remove (Bag A) (Bag A) (Bag A) :left-assoc))
    (par (A) (bag.subbag (Bag A) (Bag A) Bool))
    (par (A) (bag.count A (Bag A) Int)) (par (A) (bag.member A (Bag A) Bool))
    (par (A) (bag.setof (Bag A) (Bag A)))
    (par (A) (bag.card (Bag A) Int)) (par (A) (bag.choose (Bag A) A))
    (par (A) (bag.is_singleton (Bag A) Bool))
    (par (A B) (bag.map (-> A B) (Bag A) (Bag B)))
    (par (A) (bag.filter (-> A Bool) (Bag A) (Bag A)))
    (par (A) (bag.all (-> A Bool) (Bag A) Bool)) (par (A) (bag.some (-> A Bool) (Bag A) Bool))
    (par (A B) (bag.fold (-> A B B) B (Bag A) B))
    (par (A) (bag.partition (-> A A Bool) (Bag A) (Bag (Bag A))))
    (par (A) (bag.from_set (Set A) (Bag A))) (par (A) (bag.to_set (Bag A) (Set A)))
    """,
    is_standard=False,
)

# Bags have no payloads: they are read, printed and mutated, but not evaluated.
_KIND: Final = SortKind(
    "Bag",
    arity=1,
    family="bags",
    letter="g",
    generated_constants=lambda sort: (f"(as bag.empty {sort_text(sort)})",),
)

THEORY = Theory(
    "Bags",
    (_KIND,),
    (*_OPERATORS, *aliases(_OPERATORS, {"bag.duplicate_removal": "bag.setof"})),
    adjective="bag",
    is_extension=True,
)
