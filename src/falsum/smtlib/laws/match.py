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
    open_names = [name for name in open_ if mentions(law.side(side), name)]
    choices: list[tuple[Sort | int, ...]] = [_GUESSES if n in law.indices else (BOOL,) for n in open_]
    for guess in product(*choices):
        # Index variables of the other side alone stay open; those in expressions of this side are guessed.
        filled: Bindings = dict(zip(open_, guess, strict=True))
        instance = instantiate(law, {**bindings, **filled})
        substitution = matches(instance.side(side), term) if instance is not None else None
        if substitution is not None:
            choice = {name: filled[name] for name in open_names}
            return LawMatch(law, side, {**bindings, **choice}, {v.name: t for v, t in substitution.items()})
    return None


def matches(pattern: Term, term: Term) -> dict[Var, Term] | None:
    """The terms of the pattern's variables if the term is an instance of it; patterns have no binders."""
    bindings: dict[Var, Term] = {}
    todo = [(pattern, term)]
    while todo:
        sub_pattern, sub_term = todo.pop()
        if isinstance(sub_pattern, Var):
            if (
                sub_pattern.sort is not sub_term.sort
                or bindings.setdefault(sub_pattern, sub_term) is not sub_term
            ):
                return None
        elif isinstance(sub_pattern, Value):
            if not (isinstance(sub_term, Value) and _same_value(sub_pattern, sub_term)):
                return None
        elif isinstance(sub_pattern, App):
            if not (isinstance(sub_term, App) and _same_head(sub_pattern, sub_term)):
                return None
            todo.extend(zip(reversed(sub_pattern.args), reversed(sub_term.args), strict=True))
        elif sub_pattern is not sub_term:
            return None
    return bindings


def _same_value(pattern: Value, term: Value) -> bool:
    # Values with different spellings are different terms, but laws are about values.
    same_class = pattern.payload.__class__ is term.payload.__class__
    return pattern.sort is term.sort and same_class and bool(pattern.payload == term.payload)


def _same_head(pattern: App, term: App) -> bool:
    return (
        _canonical(pattern.head.symbol) is _canonical(term.head.symbol)
        and len(pattern.args) == len(term.args)
        and pattern.head.indices == term.head.indices
        and pattern.sort is term.sort
    )


def _canonical(symbol: Operator | Function) -> Operator | Function:
    return symbol.canonical if isinstance(symbol, Operator) else symbol


def infer(law: Law, term: Term, side: Side) -> Bindings | None:
    """The sorts and indices at which the side could match, from the sorts of the matched terms."""
    holes = dict(law.binders)
    bindings: Bindings = {}
    todo: list[tuple[SExpr, Term]] = [(law.side(side), term)]
    while todo:
        pattern, actual = todo.pop()
        if isinstance(pattern, str):
            hole = holes.get(pattern)
            # An index that is an expression is checked by `matches`, once its variables are known.
            if hole is None or any(isinstance(index, tuple) for index in hole.indices):
                continue
            if not match_sort(hole, actual.sort, bindings):
                return None
            continue
        head, *parts = pattern
        if head in ("_", "as", "#"):
            if not _infer_constant(law, pattern, actual, bindings):
                return None
            continue
        if not isinstance(actual, App) or len(parts) != len(actual.args):
            # A constant may be written as an application: (fp sign exponent significand).
            if isinstance(actual, Value):
                continue
            return None
        if isinstance(head, tuple) and not _infer_head(law, head, actual, bindings):
            return None
        todo.extend(zip(reversed(parts), reversed(actual.args), strict=True))
    return bindings


def _infer_constant(law: Law, pattern: tuple[SExpr, ...], actual: Term, bindings: Bindings) -> bool:
    """Infers from a constant with variables: `(as c sort)`, a numeral `(# n)`, a bit-vector `(_ bv i m)`."""
    if pattern[0] == "as":
        return match_sort(read_pattern(pattern[2], frozenset(law.params)), actual.sort, bindings)
    number = pattern[1] if pattern[0] == "#" else pattern[2]
    is_plain = isinstance(number, str) and number in law.indices and (pattern[0] == "#" or pattern[1] == "bv")
    if not is_plain or not isinstance(actual, Value):
        return True
    assert isinstance(number, str)
    return isinstance(actual.payload, int) and bindings.setdefault(number, actual.payload) == actual.payload


def _infer_head(law: Law, head: tuple[SExpr, ...], actual: App, bindings: Bindings) -> bool:
    if head[0] == "as":
        return match_sort(read_pattern(head[2], frozenset(law.params)), actual.sort, bindings)
    return _infer_indices(law, head, actual, bindings)


def _infer_indices(law: Law, head: tuple[SExpr, ...], actual: App, bindings: Bindings) -> bool:
    for expected, index in zip(head[2:], actual.head.indices, strict=False):
        if not isinstance(expected, str) or expected not in law.indices:
            continue
        if not isinstance(index, int) or bindings.setdefault(expected, index) != index:
            return False
    return True


def apply(
    law_match: LawMatch,
    slack: Mapping[str, Term] | None = None,
    indices: Mapping[str, Sort | int] | None = None,
) -> Term:
    """The term that may replace the matched one: equal, weaker (left matched) or stronger (right matched).

    A condition that is not known to hold guards the result: an equal term becomes
    `(ite condition other term)`, a weaker one `(=> condition other)`, a stronger one `(and condition other)`.
    """
    instance = instantiate(law_match.law, {**law_match.bindings, **(indices or {})})
    if instance is None:
        raise UsageError(f"{law_match.law.name} does not hold for these indices")
    by: dict[Term, Term] = {}
    for binder in instance.binders:
        term = law_match.substitution.get(binder.name) or (slack or {}).get(binder.name)
        if term is None or term.sort is not binder.sort:
            raise UsageError(f"{law_match.law.name} needs a term of sort {binder.sort} for {binder.name}")
        by[binder] = term
    other = transform(instance.side("right" if law_match.side == "left" else "left"), by.get)
    if instance.condition is None:
        return other
    condition = transform(instance.condition, by.get)
    if _is_plainly_true(condition):
        return other
    return _guarded(law_match, instance, by, condition, other)


def _is_plainly_true(condition: Term) -> bool:
    """Whether a condition has no symbols of the script and evaluates to true."""
    for part in subterms(condition):
        if not isinstance(part, Value) and not (
            isinstance(part, App) and isinstance(part.head.symbol, Operator)
        ):
            return False
    return truth(condition, _NO_MODEL) is True


def _guarded(
    law_match: LawMatch, instance: LawInstance, by: dict[Term, Term], condition: Term, other: Term
) -> Term:
    if law_match.law.kind == "equivalent":
        side_term = transform(instance.side(law_match.side), by.get)
        return app(Head(OPERATORS["ite"]), (condition, other, side_term))
    return app(Head(OPERATORS["=>" if law_match.side == "left" else "and"]), (condition, other))
