"""Converts definitions of a model to the declared sorts: functions to arrays and arrays to functions."""

from __future__ import annotations

from typing import Final, TypeAlias

from falsum.smtlib.models.model import Definition
from falsum.smtlib.sorts import Sort, function
from falsum.smtlib.syntax.lenience import IMPLICIT_APPLY, convert
from falsum.smtlib.terms import App, Function, Head, Lambda, Let, Term, Var, app, lambda_, let, var
from falsum.smtlib.theories import OPERATORS

_SELECT: Final = Head(OPERATORS["select"])
_ITE: Final = Head(OPERATORS["ite"])
_Wanted: TypeAlias = tuple[Term, Sort]


def as_sort(body: Term, sort: Sort) -> Term | None:
    """The body as a term of this sort, or None: z3 writes functions for arrays, also inside one another."""
    # An entry is made when those it is made of are there; terms are shared, so each is looked at once.
    results: dict[_Wanted, Term | None] = {}
    todo = [(body, sort)]
    while todo:
        part, target = key = todo[-1]
        inner = _inner(part, target)
        missing = [each for each in inner if each not in results]
        if key not in results and missing:
            todo.extend(missing)
            continue
        todo.pop()
        if key not in results:
            results[key] = _converted(part, target, [results[each] for each in inner])
    return results[body, sort]


def _inner(body: Term, sort: Sort) -> tuple[_Wanted, ...]:
    """The terms inside a term that are converted first, each with the sort that it must get."""
    if body.sort is sort:
        return ()
    if isinstance(body, Lambda) and sort.name == "Array" and len(body.binders) == len(sort.args) - 1:
        return ((body.body[0], sort.args[-1]),)
    if isinstance(body, Let):
        return ((body.body, sort),)
    if isinstance(body, App) and body.head is _ITE:
        return tuple((branch, sort) for branch in body.args[1:])
    return ()


def _converted(body: Term, sort: Sort, inner: list[Term | None]) -> Term | None:
    """The body as a term of this sort, given its converted inner terms."""
    terms = [term for term in inner if term is not None]
    if isinstance(body, Let) and inner:
        return let(body.binders, body.values, terms[0]) if terms else None
    if isinstance(body, App) and inner:
        return app(_ITE, (body.args[0], *terms)) if len(terms) == 2 else None
    if isinstance(body, Lambda) and terms:
        params = tuple(binder.sort for binder in body.binders)
        body = lambda_("lambda", body.binders, (terms[0],), function(params, terms[0].sort))
    return convert(body, sort)


def fitted(symbol: Function, definition: Definition) -> Definition | None:
    """The definition for this function: an array or function constant may be defined with parameters."""
    sorts = tuple(binder.sort for binder in definition.binders)
    body = definition.body
    if sorts == symbol.args and body.sort is symbol.result:
        return definition
    if not symbol.args and sorts:
        lambda_term = lambda_("lambda", definition.binders, (body,), function(sorts, body.sort))
        converted = convert(lambda_term, symbol.result)
        return Definition((), converted) if converted is not None else None
    if symbol.args and not sorts and body.sort.args[:-1] == symbol.args:
        return _applied(symbol, body)
    return None


def _applied(symbol: Function, body: Term) -> Definition | None:
    """A function that is defined as an array or function value."""
    binders: tuple[Var, ...] = tuple(var(f"x!{n}", sort) for n, sort in enumerate(symbol.args))
    head = _SELECT if body.sort.name == "Array" else IMPLICIT_APPLY
    if head.rank((body.sort, *symbol.args)) is not symbol.result:
        return None
    return Definition(binders, app(head, (body, *binders)))
