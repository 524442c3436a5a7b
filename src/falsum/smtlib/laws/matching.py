"""Finds where a side of a law matches a term, and makes what the term becomes there.

    found = match(law, term, "left")
    if found is not None:
        other = apply(found, {"a": five})       # terms for the slack the term does not bind

`apply` is sound by itself: a condition that is not plainly true becomes part of the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from falsum.errors import UsageError
from falsum.smtlib.evaluate import truth
from falsum.smtlib.laws.instances import Instance, instantiate
from falsum.smtlib.laws.law import Law
from falsum.smtlib.models import Model
from falsum.smtlib.operators import Operator
from falsum.smtlib.sexpr import SExpr
from falsum.smtlib.sorts import Bindings, Sort
from falsum.smtlib.sorts import match as match_sort
from falsum.smtlib.terms import App, Function, Head, Term, Value, Var, app
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.walk import free_variables, transform

Side: TypeAlias = Literal["left", "right"]
_NO_MODEL: Final = Model()


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A side of a law that matches a term: what the variables stand for there."""

    law: Law
    side: Side
    bindings: Mapping[str, Sort | int]
    substitution: Mapping[str, Term] = field(default_factory=dict)

    @property
    def open_indices(self) -> tuple[str, ...]:
        """Sort parameters and index variables the term leaves open; `apply` wants them."""
        return tuple(n for n in (*self.law.params, *self.law.indices) if n not in self.bindings)

    @property
    def slack(self) -> tuple[str, ...]:
        """Variables the term leaves open; `apply` wants terms for them."""
        return tuple(name for name, _ in self.law.binders if name not in self.substitution)


def match(law: Law, term: Term, side: Side = "left") -> Found | None:
    """How the side of the law matches the term, or None."""
    bindings = infer(law, term, side)
    if bindings is None:
        return None
    if any(name not in bindings for name in (*law.params, *law.indices)):
        # An index that only the other side has: the pattern is the same for any value that is allowed.
        return _match_partly(law, term, side, bindings)
    made = instantiate(law, bindings)
    substitution = matches(made.side(side), term) if made is not None else None
    if substitution is None:
        return None
    return Found(law, side, bindings, {v.name: t for v, t in substitution.items()})


def _match_partly(law: Law, term: Term, side: Side, bindings: Bindings) -> Found | None:
    for guess in range(1, 4):
        filled: Bindings = {n: guess for n in law.indices if n not in bindings}
        if any(name not in bindings for name in law.params):
            return None
        made = instantiate(law, {**bindings, **filled})
        substitution = matches(made.side(side), term) if made is not None else None
        if substitution is not None:
            return Found(law, side, bindings, {v.name: t for v, t in substitution.items()})
    return None


def matches(pattern: Term, term: Term) -> dict[Var, Term] | None:
    """What the pattern's variables stand for if the term is an instance of it; patterns bind nothing."""
    found: dict[Var, Term] = {}
    todo = [(pattern, term)]
    while todo:
        wanted, got = todo.pop()
        if isinstance(wanted, Var):
            if wanted.sort is not got.sort or found.setdefault(wanted, got) is not got:
                return None
        elif isinstance(wanted, Value):
            if not (isinstance(got, Value) and _same_value(wanted, got)):
                return None
        elif isinstance(wanted, App):
            if not (isinstance(got, App) and _same_head(wanted, got)):
                return None
            todo.extend(zip(reversed(wanted.args), reversed(got.args), strict=True))
        elif wanted is not got:
            return None
    return found


def _same_value(wanted: Value, got: Value) -> bool:
    # A value is also its spelling; a law means the value.
    same_class = wanted.payload.__class__ is got.payload.__class__
    return wanted.sort is got.sort and same_class and bool(wanted.payload == got.payload)


def _same_head(wanted: App, got: App) -> bool:
    return (
        _canonical(wanted.head.symbol) is _canonical(got.head.symbol)
        and len(wanted.args) == len(got.args)
        and wanted.head.indices == got.head.indices
        and wanted.sort is got.sort
    )


def _canonical(symbol: Operator | Function) -> Operator | Function:
    return symbol.canonical if isinstance(symbol, Operator) else symbol


def infer(law: Law, term: Term, side: Side) -> Bindings | None:
    """The sorts and numbers at which the side could match: from the sorts of what the holes meet."""
    holes = dict(law.binders)
    bindings: Bindings = {}
    todo: list[tuple[SExpr, Term]] = [(law.side(side), term)]
    while todo:
        pattern, got = todo.pop()
        if isinstance(pattern, str):
            hole = holes.get(pattern)
            if hole is not None and not match_sort(hole, got.sort, bindings):
                return None
            continue
        if pattern[0] in ("_", "as", "#") or not isinstance(got, App):
            continue
        head, *parts = pattern
        if len(parts) != len(got.args):
            return None
        if isinstance(head, tuple) and head[0] == "_" and not _infer_indices(law, head, got, bindings):
            return None
        todo.extend(zip(reversed(parts), reversed(got.args), strict=True))
    return bindings


def _infer_indices(law: Law, head: tuple[SExpr, ...], got: App, bindings: Bindings) -> bool:
    for wanted, index in zip(head[2:], got.head.indices, strict=False):
        if isinstance(wanted, str) and wanted in law.indices:
            if not isinstance(index, int) or bindings.setdefault(wanted, index) != index:
                return False
    return True


def apply(
    found: Found, slack: Mapping[str, Term] | None = None, indices: Mapping[str, Sort | int] | None = None
) -> Term:
    """What the matched term may become: equal to it, weaker (left matched) or stronger (right matched).

    A condition that does not plainly hold guards the result: an equal term becomes
    `(ite condition other term)`, a weaker one `(=> condition other)`, a stronger one `(and condition other)`.
    """
    made = instantiate(found.law, {**found.bindings, **(indices or {})})
    if made is None:
        raise UsageError(f"{found.law.name} does not hold for these indices")
    by: dict[Term, Term] = {}
    for binder in made.binders:
        term = found.substitution.get(binder.name) or (slack or {}).get(binder.name)
        if term is None or term.sort is not binder.sort:
            raise UsageError(f"{found.law.name} needs a term of sort {binder.sort} for {binder.name}")
        by[binder] = term
    other = transform(made.side("right" if found.side == "left" else "left"), by.get)
    if made.condition is None:
        return other
    condition = transform(made.condition, by.get)
    if not free_variables(condition) and truth(condition, _NO_MODEL) is True:
        return other
    return _guarded(found, made, by, condition, other)


def _guarded(found: Found, made: Instance, by: dict[Term, Term], condition: Term, other: Term) -> Term:
    if found.law.kind == "equivalent":
        matched = transform(made.side(found.side), by.get)
        return app(Head(OPERATORS["ite"]), (condition, other, matched))
    return app(Head(OPERATORS["=>" if found.side == "left" else "and"]), (condition, other))
