"""Applies laws to terms of a seed: chooses terms for open variables, and stays within the seed's logic."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from random import Random
from typing import Final

from falsum.smtlib.evaluation.evaluator import truth
from falsum.smtlib.laws import Law, LawMatch, Side, apply, match
from falsum.smtlib.laws.instances import LawInstance, instantiate
from falsum.smtlib.logics import PRODUCTS
from falsum.smtlib.models.model import Model
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.printer import parts_of, print_term
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.terms import App, Term, Var, var
from falsum.smtlib.theories import kind_of
from falsum.smtlib.theories.law import mentions
from falsum.smtlib.walk import free_variables, transform
from falsum.strategies.growth.allowed import LawCandidates, Vocabulary
from falsum.strategies.growth.expressions import ExpressionPool, PlaceScope

# Values for an index variable that the term leaves open; few, since each is another instance of the law.
_INDICES: Final = (1, 2, 3, 4, 8)
# Sorts of the seed tried for an open sort parameter.
_MAX_SORTS: Final = 4
# The probability that an open variable becomes an expression of the seed unless said otherwise; the second is
# for Booleans, where a constant makes most formulas trivial.
_EXPRESSION: Final = 0.4
_FORMULA: Final = 0.98
# The probability that a variable with a condition becomes a constant that meets it; otherwise the condition
# becomes part of the term.
_MEETING: Final = 0.9
# The probability of a law that matches any term of the sort.
_ANY: Final = 0.15
_NO_MODEL: Final = Model()


class AppliedLaw:
    """The result of a law applied to a term: its text, and the term when it is needed."""

    __slots__ = ("_found", "_indices", "_slack", "_term", "text")

    def __init__(
        self,
        law_match: LawMatch,
        slack: Mapping[str, Term],
        indices: Mapping[str, Sort | int],
        text: str | None,
    ) -> None:
        self._found, self._slack, self._indices = law_match, slack, indices
        self._term: Term | None = None
        self.text = text if text is not None else print_term(self.made())

    def made(self) -> Term:
        if self._term is None:
            self._term = apply(self._found, self._slack, self._indices)
        return self._term


class LawChoices:
    """The laws of a kind that may apply to a term; whether one matches is tested when it is drawn.

    Laws that match any term of the sort (`p` is `(and p true)`) are many, so those of the term's own operator
    are preferred.
    """

    __slots__ = ("_any", "_own", "_term")

    def __init__(self, term: Term, candidates: LawCandidates) -> None:
        self._term = term
        self._own: list[tuple[Law, Side] | LawMatch] = [c for c in candidates.own if _may_match(*c, term)]
        self._any: list[tuple[Law, Side] | LawMatch] = [*candidates.general]

    def draw(self, rng: Random) -> LawMatch | None:
        """A random law that matches; None if there is none."""
        first, second = (self._any, self._own) if rng.random() < _ANY else (self._own, self._any)
        return self._drawn(first, rng) or self._drawn(second, rng)

    def _drawn(self, options: list[tuple[Law, Side] | LawMatch], rng: Random) -> LawMatch | None:
        """A random law that matches; those that turn out not to match are removed from the options."""
        while options:
            which = rng.randrange(len(options))
            option = options[which]
            if isinstance(option, LawMatch):
                return option
            law_match = _matched(*option, self._term)
            if law_match is not None:
                options[which] = law_match
                return law_match
            options[which] = options[-1]
            options.pop()
        return None


def _matched(law: Law, side: Side, term: Term) -> LawMatch | None:
    """As `match`, with the bindings of a law that matches any term of a sort cached by sort."""
    hole = law.side(side)
    if not isinstance(hole, str):
        return match(law, term, side)
    bindings = _bindings_at(law, side, term.sort)
    return None if bindings is None else LawMatch(law, side, bindings, {hole: term})


@lru_cache(maxsize=8192)
def _bindings_at(law: Law, side: Side, sort: Sort) -> Mapping[str, Sort | int] | None:
    law_match = match(law, var("any!term", sort), side)
    return None if law_match is None else law_match.bindings


def _may_match(law: Law, side: Side, term: Term) -> bool:
    """Whether the operators directly below the root are those of the law."""
    if not isinstance(term, App):
        return True
    for part, arg in zip(law.side(side)[1:], term.args, strict=False):
        if isinstance(part, tuple) and isinstance(part[0], str) and part[0] not in ("_", "as", "#"):
            if not isinstance(arg, App):
                return False
            symbol = arg.head.symbol
            name = symbol.canonical.name if isinstance(symbol, Operator) else symbol.name
            if name != part[0]:
                return False
    return True


class LawApplier:
    """Applies laws to terms of one seed.

    `expressions` is the probability that an open variable becomes an expression of the seed, not a constant.
    """

    def __init__(
        self, vocabulary: Vocabulary, pool: ExpressionPool, expressions: float = _EXPRESSION
    ) -> None:
        self.vocabulary = vocabulary
        self.pool = pool
        self._expressions = expressions
        self._meeting: dict[tuple[Law, Sort], tuple[Term, ...]] = {}
        self._texts: dict[Term, str] = {}

    def apply(self, law_match: LawMatch, old: Term, scope: PlaceScope, rng: Random) -> AppliedLaw | None:
        """The result of the law on the term; None if that leaves the logic or lacks a term for a variable."""
        indices = self._indices(law_match, rng) if law_match.open_indices else {}
        if not self.vocabulary.allows(law_match, indices):
            return None
        instance = instantiate(law_match.law, {**law_match.bindings, **indices})
        assert instance is not None
        slack: dict[str, Term] = {}
        holds = instance.condition is None
        for name in law_match.slack:
            meeting = self._meeting_constants(instance, name, rng) if instance.condition is not None else ()
            if meeting and rng.random() < _MEETING:
                slack[name] = meeting[rng.randrange(len(meeting))]
                holds = True
                continue
            term = self._term(instance, name, scope, rng)
            if term is None:
                return None
            slack[name] = term
        text = self._text(law_match, instance, slack) if holds else None
        new = AppliedLaw(law_match, slack, indices, text)
        if has_product(law_match.law) and not self.vocabulary.stays_linear(new.made(), old):
            return None
        return new

    def _text(self, law_match: LawMatch, instance: LawInstance, slack: Mapping[str, Term]) -> str:
        """The text of the other side of the law, with the texts of the terms for its variables."""
        pieces = list(_template(instance, law_match.side))
        for place in range(1, len(pieces), 2):
            name = pieces[place]
            term = slack.get(name) or law_match.substitution[name]
            text = self._texts.get(term)
            if text is None:
                text = self._texts[term] = print_term(term)
            pieces[place] = text
        return "".join(pieces)

    def _indices(self, law_match: LawMatch, rng: Random) -> dict[str, Sort | int]:
        sorts = self.pool.sorts[:_MAX_SORTS] or (BOOL,)
        return {
            name: sorts[rng.randrange(len(sorts))]
            if name in law_match.law.params
            else _INDICES[rng.randrange(len(_INDICES))]
            for name in law_match.open_indices
        }

    def _term(self, instance: LawInstance, name: str, scope: PlaceScope, rng: Random) -> Term | None:
        """A term for a variable that the matched term leaves open; None if there is none."""
        sort = _binder(instance, name).sort
        constants = self.vocabulary.constants(sort, rng)
        share = _FORMULA if sort is BOOL else 0.0 if has_product(instance.law) else self._expressions
        if not kind_of(sort).is_first_class:
            share = min(share, _EXPRESSION)  # the seed's regular expressions contain each other
        if not constants or rng.random() < share:
            term = self.pool.pick(sort, scope, None, rng)
            if term is not None:
                return term
        return constants[rng.randrange(len(constants))] if constants else None

    def _meeting_constants(self, instance: LawInstance, name: str, rng: Random) -> tuple[Term, ...]:
        """The constants that meet the law's condition, if it is a condition on this variable alone."""
        binder = _binder(instance, name)
        key = (instance.law, binder.sort)
        constants = self._meeting.get(key)
        if constants is None:
            constants = ()
            condition = instance.condition
            assert condition is not None
            if free_variables(condition) == {binder}:
                some = self.vocabulary.constants(binder.sort, rng)
                constants = tuple(c for c in some if _holds(condition, binder, c))
            self._meeting[key] = constants
        return constants


def _binder(instance: LawInstance, name: str) -> Var:
    return next(binder for binder in instance.binders if binder.name == name)


@lru_cache(maxsize=4096)
def _template(instance: LawInstance, side: Side) -> tuple[str, ...]:
    """The other side of the law as alternating texts and names of variables, text first and last."""
    pieces: list[str] = [""]
    todo: list[Term | str] = [instance.side("right" if side == "left" else "left")]
    while todo:
        item = todo.pop()
        if isinstance(item, Var):
            pieces += (item.name, "")
        elif isinstance(item, str):
            pieces[-1] += item
        else:
            todo.extend(reversed(parts_of(item)))
    return tuple(pieces)


def _holds(condition: Term, binder: Var, constant: Term) -> bool:
    by: dict[Term, Term] = {binder: constant}
    return truth(transform(condition, by.get), _NO_MODEL) is True


@cache
def has_product(law: Law) -> bool:
    """Whether a law multiplies or divides."""
    return any(mentions(side, name) for side in (law.left, law.right) for name in PRODUCTS)
