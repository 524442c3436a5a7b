"""Predicate symbol transformation (PST): a literal weaker or stronger than a given one, by a law."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from falsum.smtlib.laws import associativity, binary, law_index
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.terms import App, Head, Term, app
from falsum.smtlib.theories import OPERATORS
from falsum.strategies.growth import LawApplier, LawChoices, PlaceScope, Triviality

_NOT, _AND = Head(OPERATORS["not"]), Head(OPERATORS["and"])
# Laws tried on a literal before it is left alone.
_TRIES: Final = 6


class Approximation(NamedTuple):
    """The new literal as text, the rule that made it, and a function that makes it as a term."""

    text: str
    rule: str
    term: Callable[[], Term]


def _made(term: Term, rule: str) -> Approximation:
    return Approximation(print_term(term), rule, lambda: term)


class Approximator:
    """Makes literals of one seed weaker or stronger; caches the laws that match each literal."""

    def __init__(self, applier: LawApplier) -> None:
        self._applier = applier
        self._choices: dict[tuple[Term, bool], LawChoices] = {}
        self._triviality = Triviality()

    def of(self, literal: Term, scope: PlaceScope, rng: Random, *, weaker: bool) -> Approximation | None:
        """A literal that the given one implies (`weaker`) or that implies it; None if the draw gives none."""
        if not is_negation(literal):
            return self._atom(literal, scope, rng, weaker=weaker)
        assert isinstance(literal, App)
        atom, way = literal.args[0], rng.random()
        if way < 0.3 and (approximation := self._by_law(literal, scope, rng, weaker=weaker)):
            return approximation
        if way < 0.6 and (positive := _opposite(atom)) is not None:
            opposite = self._atom(positive, scope, rng, weaker=weaker)
            return opposite and opposite._replace(rule=f"without not, {opposite.rule}")
        # Proposition 4.2 of the paper: the negation of a stronger atom is weaker.
        opposite = self._atom(atom, scope, rng, weaker=not weaker)
        if opposite is None:
            return None
        inner = opposite.term
        return Approximation(f"(not {opposite.text})", f"not, {opposite.rule}", lambda: app(_NOT, (inner(),)))

    def _atom(self, atom: Term, scope: PlaceScope, rng: Random, *, weaker: bool) -> Approximation | None:
        if isinstance(atom, App) and len(atom.args) > 2:
            how = associativity(atom.head)
            if how == "pairwise" and rng.random() < 0.4:
                return self._distinct(atom, scope, rng, weaker=weaker)
            if how in ("chainable", "pairwise") and rng.random() < 0.7:
                return self._chain(atom, scope, rng, weaker=weaker)
        return self._by_law(atom, scope, rng, weaker=weaker)

    def _by_law(self, atom: Term, scope: PlaceScope, rng: Random, *, weaker: bool) -> Approximation | None:
        choices = self._choices.get((atom, weaker))
        if choices is None:
            at = self._applier.vocabulary.laws_at(atom, "implies", "left" if weaker else "right")
            if at.own:
                # Laws for any formula join another formula to it, which is what LPI is for.
                at = at._replace(general=())
            choices = self._choices[atom, weaker] = LawChoices(atom, at)
        for _ in range(_TRIES):
            law_match = choices.draw(rng)
            if law_match is None:
                return None
            new = self._applier.apply(law_match, atom, scope, rng)
            if new is not None and not self._triviality.has_trivial_atom(new.made(), atom):
                return Approximation(new.text, law_match.law.name, new.made)
        return None

    def _chain(self, atom: App, scope: PlaceScope, rng: Random, *, weaker: bool) -> Approximation | None:
        """A chain is the conjunction of its links: one of them is approximated or left out."""
        whole = binary(atom)
        assert isinstance(whole, App)
        links = list(whole.args)
        which = rng.randrange(len(links))
        if weaker and rng.random() < 0.5:
            del links[which]
            return _made(_conjunction(links), "link left out")
        link = self._by_law(links[which], scope, rng, weaker=weaker)
        if link is None:
            return None
        links[which] = link.term()
        return _made(_conjunction(links), f"link, {link.rule}")

    def _distinct(self, atom: App, scope: PlaceScope, rng: Random, *, weaker: bool) -> Approximation | None:
        """`distinct` with one argument fewer is weaker, with one more it is stronger."""
        args = list(atom.args)
        if weaker:
            del args[rng.randrange(len(args))]
            return _made(app(atom.head, args), "argument left out")
        more = self._applier.pool.pick(args[0].sort, scope, None, rng)
        if more is None:
            return None
        args.insert(rng.randrange(len(args) + 1), more)
        new = app(atom.head, args)
        return None if self._triviality.has_trivial_atom(new, atom) else _made(new, "argument more")


def is_negation(term: Term) -> bool:
    return isinstance(term, App) and isinstance(term.head.symbol, Operator) and term.head.name == "not"


def _opposite(atom: Term) -> Term | None:
    """The atom with the same arguments that is equivalent to the negation of this one."""
    if not isinstance(atom, App) or len(atom.args) != 2 or not isinstance(atom.head.symbol, Operator):
        return None
    other = law_index().negation(atom.head.symbol.canonical.name, atom.args[0].sort)
    return app(Head(OPERATORS[other], atom.head.indices), atom.args) if other is not None else None


def _conjunction(terms: list[Term]) -> Term:
    return terms[0] if len(terms) == 1 else app(_AND, terms)
