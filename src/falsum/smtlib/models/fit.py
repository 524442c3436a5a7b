"""Makes what a model defines fit what a script declares: functions for arrays, arrays for functions."""

from __future__ import annotations

from typing import Final

from falsum.smtlib.models.model import Definition
from falsum.smtlib.sorts import Sort, function
from falsum.smtlib.syntax.lenience import IMPLICIT_APPLY, convert
from falsum.smtlib.terms import App, Function, Head, Lambda, Let, Term, Var, app, lambda_, let, var
from falsum.smtlib.theories import OPERATORS

_SELECT: Final = Head(OPERATORS["select"])
_ITE: Final = Head(OPERATORS["ite"])


def of_sort(body: Term, sort: Sort) -> Term | None:
    """The body as a term of this sort: z3 writes functions for arrays, also inside one another."""
    if body.sort is sort:
        return body
    if isinstance(body, Lambda) and sort.name == "Array" and len(body.binders) == len(sort.args) - 1:
        inner = of_sort(body.body[0], sort.args[-1])
        if inner is not None:
            params = tuple(binder.sort for binder in body.binders)
            return convert(lambda_("lambda", body.binders, (inner,), function(params, inner.sort)), sort)
    if isinstance(body, Let):
        inner = of_sort(body.body, sort)
        return let(body.binders, body.values, inner) if inner is not None else None
    if isinstance(body, App) and body.head is _ITE:
        branches = [of_sort(branch, sort) for branch in body.args[1:]]
        known = [branch for branch in branches if branch is not None]
        return app(_ITE, (body.args[0], *known)) if len(known) == 2 else None
    return convert(body, sort)


def fitted(declared: Function, definition: Definition) -> Definition | None:
    """The definition for this function: an array or function constant may be defined with parameters."""
    given = tuple(binder.sort for binder in definition.binders)
    body = definition.body
    if given == declared.args and body.sort is declared.result:
        return definition
    if not declared.args and given:
        made = lambda_("lambda", definition.binders, (body,), function(given, body.sort))
        converted = convert(made, declared.result)
        return Definition((), converted) if converted is not None else None
    if declared.args and not given and body.sort.args[:-1] == declared.args:
        return _applied(declared, body)
    return None


def _applied(declared: Function, body: Term) -> Definition | None:
    """A function that is defined as an array or function value."""
    binders: tuple[Var, ...] = tuple(var(f"x!{n}", sort) for n, sort in enumerate(declared.args))
    head = _SELECT if body.sort.name == "Array" else IMPLICIT_APPLY
    if head.rank((body.sort, *declared.args)) is not declared.result:
        return None
    return Definition(binders, app(head, (body, *binders)))
