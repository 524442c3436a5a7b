"""Traversal of terms without recursion. Only `children` and `rebuild` know the kinds of nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from falsum.smtlib.operators import Operator
from falsum.smtlib.terms import (
    Annotated,
    App,
    Attribute,
    Lambda,
    Let,
    Match,
    MatchCase,
    Quantifier,
    Term,
    Value,
    Var,
    annotated,
    app,
    lambda_,
    let,
    match_,
    quantifier,
    var,
)


def children(term: Term) -> tuple[Term, ...]:
    """The direct subterms of a term, in the order in which they are written."""
    if isinstance(term, App):
        return term.args
    if isinstance(term, Value | Var):
        return ()
    if isinstance(term, Quantifier):
        return (term.body,)
    if isinstance(term, Let):
        return (*term.values, term.body)
    if isinstance(term, Lambda):
        return term.body
    if isinstance(term, Match):
        return (term.subject, *(case.body for case in term.cases))
    if isinstance(term, Annotated):
        lists = [attribute.value for attribute in term.attributes if isinstance(attribute.value, tuple)]
        return (term.body, *(part for some in lists for part in some))
    assert_never(term)


def rebuild(term: Term, parts: Sequence[Term]) -> Term:
    """The term with other direct subterms; raises SortError if they have the wrong sorts."""
    if isinstance(term, App):
        return app(term.head, parts)
    if isinstance(term, Value | Var):
        return term
    if isinstance(term, Quantifier):
        return quantifier(term.kind, term.binders, parts[0])
    if isinstance(term, Let):
        values = tuple(parts[:-1])
        binders = tuple(var(b.name, v.sort) for b, v in zip(term.binders, values, strict=True))
        return let(binders, values, parts[-1])
    if isinstance(term, Lambda):
        return lambda_(term.kind, term.binders, tuple(parts), term.sort)
    if isinstance(term, Match):
        bodies = zip(term.cases, parts[1:], strict=True)
        return match_(parts[0], tuple(MatchCase(c.constructor, c.binders, body) for c, body in bodies))
    if isinstance(term, Annotated):
        rest = iter(parts[1:])
        attributes = tuple(
            Attribute(a.keyword, tuple(next(rest) for _ in a.value)) if isinstance(a.value, tuple) else a
            for a in term.attributes
        )
        return annotated(parts[0], attributes)
    assert_never(term)


def binders_at(term: Term, slot: int) -> tuple[Var, ...]:
    """The variables that a term binds in its child number `slot`."""
    if isinstance(term, Quantifier | Lambda):
        return term.binders
    if isinstance(term, Let):
        return term.binders if slot == len(term.values) else ()
    if isinstance(term, Match):
        return term.cases[slot - 1].binders if slot else ()
    return ()


def subterms(term: Term) -> Iterator[Term]:
    """Every distinct subterm once, a term before its parts, left to right."""
    seen = {term}
    todo = [term]
    while todo:
        current = todo.pop()
        yield current
        for child in reversed(children(current)):
            if child not in seen:
                seen.add(child)
                todo.append(child)


def transform(term: Term, change: Callable[[Term], Term | None]) -> Term:
    """The term with `change` applied to every part, innermost first; None leaves a part as it is.

    Shared parts are changed once. `change` must not depend on the context of a part: variables bound around a
    part are free in it, so use `substitution` to replace variables.
    """
    done: dict[Term, Term] = {}
    todo = [term]
    while todo:
        current = todo[-1]
        if current in done:
            todo.pop()
            continue
        parts = children(current)
        waiting = [part for part in parts if part not in done]
        if waiting:
            todo.extend(reversed(waiting))
            continue
        todo.pop()
        new_parts = [done[part] for part in parts]
        same = all(new is old for new, old in zip(new_parts, parts, strict=True))
        rebuilt = current if same else rebuild(current, new_parts)
        done[current] = change(rebuilt) or rebuilt
    return done[term]


def size(term: Term) -> int:
    """The number of distinct subterms."""
    return sum(1 for _ in subterms(term))


def free_variables(term: Term) -> frozenset[Var]:
    """The free variables of a term."""
    return free_variable_table(term)[term]


def free_variable_table(term: Term) -> dict[Term, frozenset[Var]]:
    """The free variables of a term and of each of its parts."""
    done: dict[Term, frozenset[Var]] = {}
    todo = [term]
    while todo:
        current = todo[-1]
        if current in done:
            todo.pop()
            continue
        parts = children(current)
        waiting = [part for part in parts if part not in done]
        if waiting:
            todo.extend(waiting)
            continue
        todo.pop()
        if isinstance(current, Var):
            done[current] = frozenset((current,))
            continue
        free = [
            done[part] - frozenset(bound) if (bound := binders_at(current, slot)) else done[part]
            for slot, part in enumerate(parts)
        ]
        some = [names for names in free if names]
        done[current] = some[0].union(*some[1:]) if some else _NOTHING
    return done


_NOTHING: frozenset[Var] = frozenset()


def is_standard(term: Term) -> bool:
    """Whether a term has no operator beyond the standard."""
    heads = (part.head.symbol for part in subterms(term) if isinstance(part, App))
    return all(not isinstance(symbol, Operator) or symbol.is_standard for symbol in heads)
