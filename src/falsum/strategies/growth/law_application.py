"""Applies a law to a term of a seed: chooses what the law leaves open, and stays within the seed's logic."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from random import Random
from typing import Final

from falsum.smtlib.evaluation.evaluator import truth
from falsum.smtlib.law import mentions
from falsum.smtlib.laws import Found, Law, Side, apply, match
from falsum.smtlib.laws.instances import Instance, instantiate
from falsum.smtlib.logics import PRODUCTS
from falsum.smtlib.models.model import Model
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.printer import parts_of, print_term
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.terms import App, Term, Var, var
from falsum.smtlib.walk import free_variables, transform
from falsum.strategies.growth.allowed import LawCandidates, Vocabulary
from falsum.strategies.growth.expressions import ExpressionPool, PlaceScope

# Numbers tried for an index a term leaves open; few, since a law is read anew at each.
_NUMBERS: Final = (1, 2, 3, 4, 8)
_MOST_SORTS: Final = 4
# How often an open variable becomes an expression of the seed, not a constant.
_EXPRESSION: Final = 0.4
_FORMULA: Final = 0.98
# How often a variable with a condition becomes a constant that meets it; otherwise the condition is written.
_MEETING: Final = 0.9
# How often a law is drawn that matches any term.
_ANY: Final = 0.15
_NO_MODEL: Final = Model()


class AppliedLaw:
    """A law applied to a term of a seed: as text at once, as a term when one is wanted."""

    __slots__ = ("_found", "_indices", "_slack", "_term", "text")

    def __init__(
        self, found: Found, slack: Mapping[str, Term], indices: Mapping[str, Sort | int], text: str | None
    ) -> None:
        self._found, self._slack, self._indices = found, slack, indices
        self._term: Term | None = None
        self.text = text if text is not None else print_term(self.made())

    def made(self) -> Term:
        if self._term is None:
            self._term = apply(self._found, self._slack, self._indices)
        return self._term


class LawChoices:
    """The laws of a kind that may change a term, found to match or not as they are drawn.

    Laws that match any term of the sort (`p` is `(and p true)`) are many: those of the term's own operator
    have precedence.
    """

    __slots__ = ("_any", "_own", "_term")

    def __init__(self, term: Term, candidates: LawCandidates) -> None:
        self._term = term
        self._own: list[tuple[Law, Side] | Found] = [c for c in candidates.own if _may_match(*c, term)]
        self._any: list[tuple[Law, Side] | Found] = [*candidates.anything]

    def draw(self, rng: Random) -> Found | None:
        """One of the laws that match."""
        first, second = (self._any, self._own) if rng.random() < _ANY else (self._own, self._any)
        return self._drawn(first, rng) or self._drawn(second, rng)

    def _drawn(self, options: list[tuple[Law, Side] | Found], rng: Random) -> Found | None:
        """Laws that turn out not to match are dropped."""
        while options:
            which = rng.randrange(len(options))
            option = options[which]
            if isinstance(option, Found):
                return option
            found = _matched(*option, self._term)
            if found is not None:
                options[which] = found
                return found
            options[which] = options[-1]
            options.pop()
        return None


def _matched(law: Law, side: Side, term: Term) -> Found | None:
    """As `match`; what a law that matches anything makes of a sort is found out once."""
    hole = law.side(side)
    if not isinstance(hole, str):
        return match(law, term, side)
    bindings = _bindings_at(law, side, term.sort)
    return None if bindings is None else Found(law, side, bindings, {hole: term})


@lru_cache(maxsize=8192)
def _bindings_at(law: Law, side: Side, sort: Sort) -> Mapping[str, Sort | int] | None:
    found = match(law, var("any!term", sort), side)
    return None if found is None else found.bindings


def _may_match(law: Law, side: Side, term: Term) -> bool:
    """Whether the operators right below the root are the law's."""
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
    """Applies laws for one seed."""

    def __init__(self, vocabulary: Vocabulary, pool: ExpressionPool) -> None:
        self.vocabulary = vocabulary
        self.pool = pool
        self._good: dict[tuple[Law, Sort], tuple[Term, ...]] = {}
        self._texts: dict[Term, str] = {}

    def applied(self, found: Found, old: Term, scope: PlaceScope, rng: Random) -> AppliedLaw | None:
        """What the term becomes by the law, or None where the seed has nothing to fill it with."""
        indices = self._indices(found, rng) if found.open_indices else {}
        if not self.vocabulary.allows(found, indices):
            return None
        made = instantiate(found.law, {**found.bindings, **indices})
        assert made is not None
        slack: dict[str, Term] = {}
        holds = made.condition is None
        for name in found.slack:
            good = self._meeting(made, name, rng) if made.condition is not None else ()
            if good and rng.random() < _MEETING:
                slack[name] = good[rng.randrange(len(good))]
                holds = True
                continue
            term = self._term(made, name, scope, rng)
            if term is None:
                return None
            slack[name] = term
        text = self._text(found, made, slack) if holds else None
        new = AppliedLaw(found, slack, indices, text)
        if has_product(found.law) and not self.vocabulary.stays_linear(new.made(), old):
            return None
        return new

    def _text(self, found: Found, made: Instance, slack: Mapping[str, Term]) -> str:
        """The other side of the law, written with the texts of what its variables stand for."""
        pieces = list(_template(made, found.side))
        for place in range(1, len(pieces), 2):
            name = pieces[place]
            term = slack.get(name) or found.substitution[name]
            text = self._texts.get(term)
            if text is None:
                text = self._texts[term] = print_term(term)
            pieces[place] = text
        return "".join(pieces)

    def _indices(self, found: Found, rng: Random) -> dict[str, Sort | int]:
        sorts = self.pool.sorts[:_MOST_SORTS] or (BOOL,)
        return {
            name: sorts[rng.randrange(len(sorts))]
            if name in found.law.params
            else _NUMBERS[rng.randrange(len(_NUMBERS))]
            for name in found.open_indices
        }

    def _term(self, made: Instance, name: str, scope: PlaceScope, rng: Random) -> Term | None:
        """A term for a variable the law leaves open."""
        sort = _binder(made, name).sort
        constants = self.vocabulary.constants(sort, rng)
        # A Boolean constant makes most formulas trivial.
        share = _FORMULA if sort is BOOL else 0.0 if has_product(made.law) else _EXPRESSION
        if not constants or rng.random() < share:
            term = self.pool.pick(sort, scope, None, rng)
            if term is not None:
                return term
        return constants[rng.randrange(len(constants))] if constants else None

    def _meeting(self, made: Instance, name: str, rng: Random) -> tuple[Term, ...]:
        """The constants that meet the law's condition, if it is one on this variable alone."""
        binder = _binder(made, name)
        key = (made.law, binder.sort)
        known = self._good.get(key)
        if known is None:
            known = ()
            condition = made.condition
            assert condition is not None
            if free_variables(condition) == {binder}:
                some = self.vocabulary.constants(binder.sort, rng)
                known = tuple(c for c in some if _holds(condition, binder, c))
            self._good[key] = known
        return known


def _binder(made: Instance, name: str) -> Var:
    return next(binder for binder in made.binders if binder.name == name)


@lru_cache(maxsize=4096)
def _template(made: Instance, side: Side) -> tuple[str, ...]:
    """The other side as text and names of variables in turn, text first and last."""
    pieces: list[str] = [""]
    todo: list[Term | str] = [made.side("right" if side == "left" else "left")]
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
