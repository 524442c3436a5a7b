"""Matches a side of a law with a term, and makes the term that replaces it.

    found = match(law, term, "left")
    if found is not None:
        other = apply(found, {"a": five})       # terms for the variables that the match leaves open

`apply` is sound: a condition that is not known to be true becomes part of the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final, Literal, TypeAlias

from falsum.errors import UsageError
from falsum.smtlib.evaluation.evaluator import truth
from falsum.smtlib.laws.instances import LawInstance, instantiate
from falsum.smtlib.models.model import Model
from falsum.smtlib.operators import Operator
from falsum.smtlib.signatures import read_pattern
from falsum.smtlib.sorts import BOOL, Bindings, Sort
from falsum.smtlib.sorts import match as match_sort
from falsum.smtlib.terms import App, Function, Head, Term, Value, Var, app
from falsum.smtlib.text.sexpr import SExpr
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.theories.law import Law, mentions
from falsum.smtlib.walk import subterms, transform

Side: TypeAlias = Literal["left", "right"]
_NO_MODEL: Final = Model()
_GUESSES: Final = tuple(range(9))


@dataclass(frozen=True, slots=True, eq=False)
class LawMatch:
    """A match of a side of a law with a term: the terms, sorts and indices of its variables."""

    law: Law
    side: Side
    bindings: Mapping[str, Sort | int]
    substitution: Mapping[str, Term] = field(default_factory=dict)

    @property
    def open_indices(self) -> tuple[str, ...]:
        """Sort parameters and index variables that the match leaves open; `apply` needs them."""
        return tuple(n for n in (*self.law.params, *self.law.indices) if n not in self.bindings)

    @property
    def slack(self) -> tuple[str, ...]:
        """Variables that the match leaves open; `apply` needs terms for them."""
        return tuple(name for name, _ in self.law.binders if name not in self.substitution)


def match(law: Law, term: Term, side: Side = "left") -> LawMatch | None:
    """The match of a side of a law with a term, if there is one."""
    bindings = infer(law, term, side)
    if bindings is None:
        return None
    open_ = [name for name in (*law.params, *law.indices) if name not in bindings]
    shown = [name for name in open_ if mentions(law.side(side), name)]
    choices: list[tuple[Sort | int, ...]] = [_GUESSES if n in law.indices else (BOOL,) for n in open_]
    for guess in product(*choices):
        # Index variables of the other side alone stay open; those in expressions of this side are guessed.
        filled: Bindings = dict(zip(open_, guess, strict=True))
        made = instantiate(law, {**bindings, **filled})
        substitution = matches(made.side(side), term) if made is not None else None
        if substitution is not None:
            kept = {name: filled[name] for name in shown}
            return LawMatch(law, side, {**bindings, **kept}, {v.name: t for v, t in substitution.items()})
    return None


def matches(pattern: Term, term: Term) -> dict[Var, Term] | None:
    """The terms of the pattern's variables if the term is an instance of it; patterns have no binders."""
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
    # Values with different spellings are different terms, but laws are about values.
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
    """The sorts and indices at which the side could match, from the sorts of the matched terms."""
    holes = dict(law.binders)
    bindings: Bindings = {}
    todo: list[tuple[SExpr, Term]] = [(law.side(side), term)]
    while todo:
        pattern, got = todo.pop()
        if isinstance(pattern, str):
            hole = holes.get(pattern)
            # An index that is an expression is checked by `matches`, once its variables are known.
            if hole is None or any(isinstance(index, tuple) for index in hole.indices):
                continue
            if not match_sort(hole, got.sort, bindings):
                return None
            continue
        head, *parts = pattern
        if head in ("_", "as", "#"):
            if not _infer_constant(law, pattern, got, bindings):
                return None
            continue
        if not isinstance(got, App) or len(parts) != len(got.args):
            # A constant may be written as an application: (fp sign exponent significand).
            if isinstance(got, Value):
                continue
            return None
        if isinstance(head, tuple) and not _infer_head(law, head, got, bindings):
            return None
        todo.extend(zip(reversed(parts), reversed(got.args), strict=True))
    return bindings


def _infer_constant(law: Law, pattern: tuple[SExpr, ...], got: Term, bindings: Bindings) -> bool:
    """Infers from a constant with variables: `(as c sort)`, a numeral `(# n)`, a bit-vector `(_ bv i m)`."""
    if pattern[0] == "as":
        return match_sort(read_pattern(pattern[2], frozenset(law.params)), got.sort, bindings)
    number = pattern[1] if pattern[0] == "#" else pattern[2]
    is_plain = isinstance(number, str) and number in law.indices and (pattern[0] == "#" or pattern[1] == "bv")
    if not is_plain or not isinstance(got, Value):
        return True
    assert isinstance(number, str)
    return isinstance(got.payload, int) and bindings.setdefault(number, got.payload) == got.payload


def _infer_head(law: Law, head: tuple[SExpr, ...], got: App, bindings: Bindings) -> bool:
    if head[0] == "as":
        return match_sort(read_pattern(head[2], frozenset(law.params)), got.sort, bindings)
    return _infer_indices(law, head, got, bindings)


def _infer_indices(law: Law, head: tuple[SExpr, ...], got: App, bindings: Bindings) -> bool:
    for wanted, index in zip(head[2:], got.head.indices, strict=False):
        if not isinstance(wanted, str) or wanted not in law.indices:
            continue
        if not isinstance(index, int) or bindings.setdefault(wanted, index) != index:
            return False
    return True


def apply(
    found: LawMatch, slack: Mapping[str, Term] | None = None, indices: Mapping[str, Sort | int] | None = None
) -> Term:
    """The term that may replace the matched one: equal, weaker (left matched) or stronger (right matched).

    A condition that is not known to hold guards the result: an equal term becomes
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
    if _is_plainly_true(condition):
        return other
    return _guarded(found, made, by, condition, other)


def _is_plainly_true(condition: Term) -> bool:
    """Whether a condition has no symbols of the script and evaluates to true."""
    for part in subterms(condition):
        if not isinstance(part, Value) and not (
            isinstance(part, App) and isinstance(part.head.symbol, Operator)
        ):
            return False
    return truth(condition, _NO_MODEL) is True


def _guarded(found: LawMatch, made: LawInstance, by: dict[Term, Term], condition: Term, other: Term) -> Term:
    if found.law.kind == "equivalent":
        matched = transform(made.side(found.side), by.get)
        return app(Head(OPERATORS["ite"]), (condition, other, matched))
    return app(Head(OPERATORS["=>" if found.side == "left" else "and"]), (condition, other))
