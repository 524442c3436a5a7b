"""Bags (multisets), an extension of cvc5."""

from __future__ import annotations

from typing import Final

from falsum.smtlib.operators import aliases, table
from falsum.smtlib.sort_kinds import Parts, Payload, SortKind, TermWriter
from falsum.smtlib.sorts import INT, Sort
from falsum.smtlib.terms import Head, Term, app, sort_text
from falsum.smtlib.theories.meanings import folded, plain
from falsum.smtlib.theories.theory import Theory
from falsum.smtlib.values import bags
from falsum.smtlib.values.cannot_say import CannotSay

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
    {
        "bag.empty": lambda app, args: bags.EMPTY,
        "bag": plain(bags.make),
        "bag.union_max": folded(bags.union_max),
        "bag.union_disjoint": folded(bags.union_disjoint),
        "bag.inter_min": folded(bags.inter_min),
        "bag.difference_subtract": folded(bags.difference_subtract),
        "bag.difference_remove": folded(bags.difference_remove),
        "bag.subbag": plain(bags.subbag),
        "bag.count": plain(bags.count),
        "bag.member": plain(bags.member),
        "bag.setof": plain(bags.setof),
        "bag.card": plain(bags.card),
        "bag.choose": plain(bags.choose),
        "bag.is_singleton": plain(bags.is_singleton),
        "bag.from_set": plain(bags.from_set),
        "bag.to_set": plain(bags.to_set),
    },
    is_standard=False,
)
_BY_NAME = {operator.name: operator for operator in _OPERATORS}


def _text(sort: Sort, payload: Payload) -> str:
    del sort
    if not isinstance(payload, frozenset):
        return repr(payload)
    return f"{{{' '.join(sorted(map(repr, payload)))}}}"


def _term(sort: Sort, payload: bags.Bag, writer: TermWriter) -> Term | None:
    elements = sorted(payload, key=repr)
    parts = writer.terms(sort.args * len(elements), [element for element, _ in elements])
    numbers = writer.terms([INT] * len(elements), [count for _, count in elements])
    if not parts or numbers is None:
        return None if parts is None else app(Head(_BY_NAME["bag.empty"], (), sort))
    pairs = zip(parts, numbers, strict=True)
    singletons: list[Term] = [app(Head(_BY_NAME["bag"]), pair) for pair in pairs]
    return singletons[0] if len(singletons) == 1 else app(Head(_BY_NAME["bag.union_disjoint"]), singletons)


def _compose(sort: Sort, parts: Parts) -> Payload:
    values = [parts.value(sort.args[0]) for _ in range(parts.count(4))]
    if any(isinstance(value, CannotSay) for value in values):
        return CannotSay(f"no value of sort {sort} is known")
    return bags.collected((value, 1 + parts.count(3)) for value in values)


_KIND: Final = SortKind(
    "Bag",
    arity=1,
    family="bags",
    letter="g",
    text=_text,
    term=_term,
    compose=_compose,
    generated_constants=lambda sort: (f"(as bag.empty {sort_text(sort)})",),
)

THEORY = Theory(
    "Bags",
    (_KIND,),
    (*_OPERATORS, *aliases(_OPERATORS, {"bag.duplicate_removal": "bag.setof"})),
    adjective="bag",
    is_extension=True,
)
