"""Capture-avoiding substitution: binders that would capture a variable are renamed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

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
from falsum.smtlib.walk import children, free_variable_table, free_variables, rebuild, subterms


def substitute(term: Term, by: Mapping[Var, Term]) -> Term:
    """The term with free variables replaced by terms."""
    return _Substitution().run(term, {v: t for v, t in by.items() if v is not t})


def without_lets(term: Term) -> Term:
    """The term with the variables of lets replaced by their values."""
    has_lets = any(isinstance(part, Let) for part in subterms(term))
    return _Substitution(expands_lets=True).run(term, {}) if has_lets else term


def symbols_in(term: Term) -> frozenset[str]:
    """The names that a binder around the term would capture."""
    names = {part.name for part in free_variables(term)}
    for part in subterms(term):
        if isinstance(part, App) and isinstance(part.head.symbol, Function):
            names.add(part.head.symbol.name)
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


_Key: TypeAlias = tuple[Term, frozenset[tuple[Var, Term]]]


class _Substitution:
    """One substitution, with its results by term and by the replacements that concern the term."""

    def __init__(self, avoid: frozenset[str] = frozenset(), *, expands_lets: bool = False) -> None:
        self.avoid = avoid
        self.expands_lets = expands_lets
        self.free: dict[Term, frozenset[Var]] = {}
        self.names: dict[Term, frozenset[str]] = {}
        self.done: dict[_Key, Term] = {}

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
            node, bindings = key
            if not (bindings or self.avoid or self.expands_lets):
                self.done[key] = node
                continue
            if isinstance(node, Var):
                self.done[key] = dict(bindings).get(node, node)
                continue
            if self.expands_lets and isinstance(node, Let):
                todo.extend(self.expand(node, key))
                continue
            binders, parts = self.parts(node, dict(bindings))
            waiting = [part for part in parts if part not in self.done]
            if waiting:
                todo.extend(waiting)
                continue
            new_parts = [self.done[part] for part in parts]
            self.done[key] = _with_binders(node, binders, new_parts)
        return self.done[start]

    def expand(self, term: Let, key: _Key) -> list[_Key]:
        """What must be done first: the values, then the body with them in the place of the variables."""
        by = dict(key[1])
        values = [self.key(value, by) for value in term.values]
        if waiting := [value for value in values if value not in self.done]:
            return waiting
        bound = {binder.name for binder in term.binders}
        inner = {v: t for v, t in by.items() if v.name not in bound}
        inner |= {v: self.done[value] for v, value in zip(term.binders, values, strict=True)}
        body = self.key(term.body, {v: t for v, t in inner.items() if v is not t})
        if body not in self.done:
            return [body]
        self.done[key] = self.done[body]
        return []

    def key(self, term: Term, by: dict[Var, Term]) -> _Key:
        free = self.free[term]
        return term, frozenset((v, t) for v, t in by.items() if v in free)

    def parts(self, term: Term, by: dict[Var, Term]) -> tuple[list[tuple[Var, ...]], list[_Key]]:
        """The new binders of each child, and each child with the replacements in it."""
        binder_groups: list[tuple[Var, ...]] = []
        keys = []
        scopes = _scopes(term)
        binds = any(bound for bound, _ in scopes)
        inserted = self.avoid.union(*(self.names_of(t) for t in by.values())) if binds else self.avoid
        for bound, part in scopes:
            inner = {v: t for v, t in by.items() if v.name not in {b.name for b in bound}}
            new: list[Var] = []
            names = inserted | {b.name for b in bound} | {v.name for v in self.free[part]}
            for binder in bound:
                if binder.name in inserted:
                    name = fresh(binder.name, names | {v.name for v in new})
                    other = var(name, binder.sort)
                    inner[binder] = other
                    new.append(other)
                else:
                    new.append(binder)
            binder_groups.append(tuple(new))
            keys.append(self.key(part, inner))
        return binder_groups, keys

    def names_of(self, term: Term) -> frozenset[str]:
        names = self.names.get(term)
        if names is None:
            names = self.names[term] = symbols_in(term)
        return names


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
