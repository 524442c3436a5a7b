"""Finite sets, an extension of cvc5."""

from __future__ import annotations

from typing import Any, Final

from falsum.smtlib.operators import Operator, aliases, table
from falsum.smtlib.sort_kinds import Parts, Payload, SortKind, TermWriter
from falsum.smtlib.sorts import Index, Sort
from falsum.smtlib.terms import Head, Term, app, sort_text
from falsum.smtlib.theories.laws import sets as laws
from falsum.smtlib.theories.meanings import folded, plain
from falsum.smtlib.theories.theory import Theory
from falsum.smtlib.values import sets
from falsum.smtlib.values.cannot_say import CannotSay

_SETS = table(
    "Sets",
    """
    (par (A) (set.empty (Set A))) (par (A) (set.universe (Set A)))
    (par (A) (set.union (Set A) (Set A) (Set A) :left-assoc))
    (par (A) (set.inter (Set A) (Set A) (Set A) :left-assoc))
    (par (A) (set.minus (Set A) (Set A) (Set A) :left-assoc))
    (par (A) (set.subset (Set A) (Set A) Bool))
    (par (A) (set.member A (Set A) Bool))
    (par (A) (set.singleton A (Set A)))
    (par (A) (set.card (Set A) Int))
    (par (A) (set.complement (Set A) (Set A)))
    (par (A) (set.choose (Set A) A))
    (par (A) (set.is_empty (Set A) Bool)) (par (A) (set.is_singleton (Set A) Bool))
    (par (A B) (set.map (-> A B) (Set A) (Set B)))
    (par (A) (set.filter (-> A Bool) (Set A) (Set A)))
    (par (A) (set.all (-> A Bool) (Set A) Bool)) (par (A) (set.some (-> A Bool) (Set A) Bool))
    (par (A B) (set.fold (-> A B B) B (Set A) B))
    (par (A) (set.range A A (Set A)))
    """,
    {
        "set.empty": lambda app, args: frozenset(),
        "set.union": folded(sets.union),
        "set.inter": folded(sets.inter),
        "set.minus": folded(sets.minus),
        "set.subset": plain(sets.subset),
        "set.member": plain(sets.member),
        "set.singleton": plain(sets.singleton),
        "set.card": plain(sets.card),
        "set.is_empty": plain(sets.is_empty),
        "set.is_singleton": plain(sets.is_singleton),
        "set.choose": plain(sets.choose),
    },
    is_standard=False,
)


def _insert(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """`(set.insert x … set)`."""
    if indices or len(sorts) < 2 or sorts[-1].name != "Set" or not sorts[-1].args:
        return None
    return sorts[-1] if all(sort is sorts[-1].args[0] for sort in sorts[:-1]) else None


_INSERT = Operator(
    "set.insert",
    "Sets",
    rule=_insert,
    wants="elements, and a set of their sort",
    is_standard=False,
    meaning=lambda app, args: sets.insert(args[:-1], args[-1]),
)
_OPERATORS = [*_SETS, _INSERT]
_BY_NAME = {operator.name: operator for operator in _OPERATORS}
# Names in older releases of cvc5 and in cvc4.
_OLD_NAMES = {
    "emptyset": "set.empty",
    "univset": "set.universe",
    "member": "set.member",
    "singleton": "set.singleton",
    "insert": "set.insert",
    "choose": "set.choose",
    "is_singleton": "set.is_singleton",
}


def _text(sort: Sort, payload: Payload) -> str:
    del sort
    if not isinstance(payload, frozenset):
        return repr(payload)
    return f"{{{' '.join(sorted(map(repr, payload)))}}}"


def _term(sort: Sort, payload: frozenset[Any], writer: TermWriter) -> Term | None:
    elements = sorted(payload, key=repr)
    parts = writer.terms(sort.args * len(elements), elements)
    if not parts:
        return None if parts is None else app(Head(_BY_NAME["set.empty"], (), sort))
    units: list[Term] = [app(Head(_BY_NAME["set.singleton"]), (part,)) for part in parts]
    return units[0] if len(units) == 1 else app(Head(_BY_NAME["set.union"]), units)


def _compose(sort: Sort, parts: Parts) -> Payload:
    values = [parts.value(sort.args[0]) for _ in range(parts.count(4))]
    if any(isinstance(value, CannotSay) for value in values):
        return CannotSay(f"no value of sort {sort} is known")
    return frozenset(values)


_KIND: Final = SortKind(
    "Set",
    arity=1,
    family="sets",
    letter="t",
    text=_text,
    term=_term,
    compose=_compose,
    generated_constants=lambda sort: (f"(as set.empty {sort_text(sort)})",),
)

THEORY = Theory(
    "Sets",
    (_KIND,),
    (*_OPERATORS, *aliases(_OPERATORS, _OLD_NAMES)),
    (laws.LAWS,),
    adjective="set",
    is_extension=True,
)
