"""Capture-avoiding substitution: binders that would capture a variable are renamed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from falsum.smtlib.terms import (
    App,
    Function,
    Lambda,
    Let,
    Match,
    MatchCase,
    Quantifier,
    Term,
    Var,
    lambda_,
    let,
    match_,
    quantifier,
    var,
)
from falsum.smtlib.walk import children, free_variable_table, free_variables, rebuild, subterms, transform


def substitute(term: Term, by: Mapping[Var, Term]) -> Term:
    """The term with free variables replaced by terms."""
    return _Substitution().run(term, {v: t for v, t in by.items() if v is not t})


def without_lets(term: Term) -> Term:
    """The term with what variables of lets stand for in their place."""

    def expanded(part: Term) -> Term | None:
        if isinstance(part, Let):
            return substitute(part.body, dict(zip(part.binders, part.values, strict=True)))
        return None

    return transform(term, expanded) if any(isinstance(part, Let) for part in subterms(term)) else term


def symbols_in(term: Term) -> frozenset[str]:
    """The names that a binder around the term would capture."""
    names = {found.name for found in free_variables(term)}
    for found in subterms(term):
        if isinstance(found, App) and isinstance(found.head.symbol, Function):
            names.add(found.head.symbol.name)
    return frozenset(names)


def fresh(name: str, taken: Iterable[str]) -> str:
    """The name, or the name with the smallest number appended that is not taken."""
    taken = frozenset(taken)
    number, candidate = 0, name
    while candidate in taken:
        number += 1
        candidate = f"{name}!{number}"
    return candidate


def rename_binders(term: Term, taken: frozenset[str]) -> Term:
    """The term with bound variables renamed that have a name in `taken` (alpha renaming)."""
    return _Substitution(taken).run(term, {})


class _Substitution:
    """One substitution, with its results by term and by the replacements that concern the term."""

    def __init__(self, avoid: frozenset[str] = frozenset()) -> None:
        self.avoid = avoid
        self.free: dict[Term, frozenset[Var]] = {}
        self.names: dict[Term, frozenset[str]] = {}
        self.done: dict[tuple[Term, frozenset[tuple[Var, Term]]], Term] = {}

    def run(self, term: Term, by: dict[Var, Term]) -> Term:
        """Works on a stack of terms with their replacements; a term is done after its parts."""
        self.free = free_variable_table(term)
        start = self.key(term, by)
        todo = [start]
        while todo:
            key = todo[-1]
            if key in self.done:
                todo.pop()
                continue
            found, wanted = key
            if not wanted and not self.avoid:
                self.done[key] = found
                continue
            if isinstance(found, Var):
                self.done[key] = dict(wanted).get(found, found)
                continue
            renamed, parts = self.parts(found, dict(wanted))
            waiting = [part for part in parts if part not in self.done]
            if waiting:
                todo.extend(waiting)
                continue
            made = [self.done[part] for part in parts]
            self.done[key] = _with_binders(found, renamed, made)
        return self.done[start]

    def key(self, term: Term, by: dict[Var, Term]) -> tuple[Term, frozenset[tuple[Var, Term]]]:
        free = self.free[term]
        return term, frozenset((v, t) for v, t in by.items() if v in free)

    def parts(
        self, term: Term, by: dict[Var, Term]
    ) -> tuple[list[tuple[Var, ...]], list[tuple[Term, frozenset[tuple[Var, Term]]]]]:
        """The new binders of each child, and each child with the replacements in it."""
        renamed: list[tuple[Var, ...]] = []
        keys = []
        inserted = frozenset().union(*(self.names_of(t) for t in by.values()), self.avoid)
        for bound, part in _scopes(term):
            inner = {v: t for v, t in by.items() if v.name not in {b.name for b in bound}}
            new: list[Var] = []
            taken = inserted | {b.name for b in bound} | {v.name for v in self.free[part]}
            for binder in bound:
                if binder.name in inserted:
                    name = fresh(binder.name, taken | {v.name for v in new})
                    other = var(name, binder.sort)
                    inner[binder] = other
                    new.append(other)
                else:
                    new.append(binder)
            renamed.append(tuple(new))
            keys.append(self.key(part, inner))
        return renamed, keys

    def names_of(self, term: Term) -> frozenset[str]:
        known = self.names.get(term)
        if known is None:
            known = self.names[term] = symbols_in(term)
        return known


def _scopes(term: Term) -> list[tuple[tuple[Var, ...], Term]]:
    """Each child with the variables bound in it."""
    parts = children(term)
    if isinstance(term, Quantifier | Lambda):
        return [(term.binders, part) for part in parts]
    if isinstance(term, Let):
        return [((), part) for part in term.values] + [(term.binders, term.body)]
    if isinstance(term, Match):
        return [((), term.subject)] + [(case.binders, case.body) for case in term.cases]
    return [((), part) for part in parts]


def _with_binders(term: Term, binders: list[tuple[Var, ...]], parts: list[Term]) -> Term:
    if isinstance(term, Quantifier):
        return quantifier(term.kind, binders[0], parts[0])
    if isinstance(term, Lambda):
        return lambda_(term.kind, binders[0], tuple(parts), term.sort)
    if isinstance(term, Let):
        return let(binders[-1], tuple(parts[:-1]), parts[-1])
    if isinstance(term, Match):
        cases = zip(term.cases, binders[1:], parts[1:], strict=True)
        return match_(parts[0], tuple(MatchCase(c.constructor, b, part) for c, b, part in cases))
    return rebuild(term, parts)
