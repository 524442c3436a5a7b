"""Predicate symbol transformation: a literal that is weaker or stronger than a given one, by the laws."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from falsum.smtlib.laws import associativity, binary, negation
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.terms import App, Head, Term, app
from falsum.smtlib.theories import OPERATORS
from falsum.strategies.growth.candidates import Spot
from falsum.strategies.growth.law_application import Choices, Filling

_NOT, _AND = Head(OPERATORS["not"]), Head(OPERATORS["and"])
# So many laws are tried on a literal before it is left alone.
_TRIES: Final = 6


class Approximation(NamedTuple):
    """A literal as text, the rule that made it, and how to have it as a term."""

    text: str
    rule: str
    term: Callable[[], Term]


def _made(term: Term, rule: str) -> Approximation:
    return Approximation(print_term(term), rule, lambda: term)


class Approximations:
    """Weaker and stronger literals for one seed; remembers which laws match which literal."""

    def __init__(self, filling: Filling) -> None:
        self.filling = filling
        self._choices: dict[tuple[Term, bool], Choices] = {}

    def of(self, literal: Term, spot: Spot, rng: Random, *, weaker: bool) -> Approximation | None:
        """A literal that the given one implies (`weaker`), or that implies it."""
        if not is_negation(literal):
            return self._atom(literal, spot, rng, weaker=weaker)
        assert isinstance(literal, App)
        atom, way = literal.args[0], rng.random()
        if way < 0.3 and (made := self._lawful(literal, spot, rng, weaker=weaker)):
            return made
        if way < 0.6 and (positive := _opposite(atom)) is not None:
            found = self._atom(positive, spot, rng, weaker=weaker)
            return found and found._replace(rule=f"without not, {found.rule}")
        # Proposition 4.2: the negation of what is stronger is weaker than the negation.
        found = self._atom(atom, spot, rng, weaker=not weaker)
        if found is None:
            return None
        inner = found.term
        return Approximation(f"(not {found.text})", f"not, {found.rule}", lambda: app(_NOT, (inner(),)))

    def _atom(self, atom: Term, spot: Spot, rng: Random, *, weaker: bool) -> Approximation | None:
        if isinstance(atom, App) and len(atom.args) > 2:
            how = associativity(atom.head)
            if how == "pairwise" and rng.random() < 0.4:
                return self._set(atom, spot, rng, weaker=weaker)
            if how in ("chainable", "pairwise") and rng.random() < 0.7:
                return self._chain(atom, spot, rng, weaker=weaker)
        return self._lawful(atom, spot, rng, weaker=weaker)

    def _lawful(self, atom: Term, spot: Spot, rng: Random, *, weaker: bool) -> Approximation | None:
        choices = self._choices.get((atom, weaker))
        if choices is None:
            at = self.filling.vocabulary.laws_at(atom, "implies", "left" if weaker else "right")
            choices = self._choices[atom, weaker] = Choices(atom, at)
        for _ in range(_TRIES):
            found = choices.draw(rng)
            if found is None:
                return None
            new = self.filling.applied(found, atom, spot, rng)
            if new is not None:
                return Approximation(new.text, found.law.name, new.made)
        return None

    def _chain(self, atom: App, spot: Spot, rng: Random, *, weaker: bool) -> Approximation | None:
        """A chain is the conjunction of its links: one of them is changed, or left out."""
        whole = binary(atom)
        assert isinstance(whole, App)
        links = list(whole.args)
        which = rng.randrange(len(links))
        if weaker and rng.random() < 0.5:
            del links[which]
            return _made(_conjunction(links), "link left out")
        link = self._lawful(links[which], spot, rng, weaker=weaker)
        if link is None:
            return None
        links[which] = link.term()
        return _made(_conjunction(links), f"link, {link.rule}")

    def _set(self, atom: App, spot: Spot, rng: Random, *, weaker: bool) -> Approximation | None:
        """`distinct` with an argument less is weaker, with one more stronger."""
        args = list(atom.args)
        if weaker:
            del args[rng.randrange(len(args))]
            return _made(app(atom.head, args), "argument left out")
        more = self.filling.pool.pick(args[0].sort, spot, None, rng)
        if more is None:
            return None
        args.insert(rng.randrange(len(args) + 1), more)
        return _made(app(atom.head, args), "argument more")


def is_negation(term: Term) -> bool:
    return isinstance(term, App) and isinstance(term.head.symbol, Operator) and term.head.name == "not"


def _opposite(atom: Term) -> Term | None:
    """The atom of the same arguments that holds exactly where this one does not."""
    if not isinstance(atom, App) or len(atom.args) != 2 or not isinstance(atom.head.symbol, Operator):
        return None
    other = negation(atom.head.symbol.canonical.name, atom.args[0].sort)
    return app(Head(OPERATORS[other], atom.head.indices), atom.args) if other is not None else None


def _conjunction(terms: list[Term]) -> Term:
    return terms[0] if len(terms) == 1 else app(_AND, terms)
