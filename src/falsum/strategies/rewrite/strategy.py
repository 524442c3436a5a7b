"""rewrite: changes that keep the meaning of a seed, by the laws of all theories and by its structure.

Promises: the verdict of the seed, whatever it is (the seed is the mutant's reference). No solver is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import NamedTuple

from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.scripts import DefineFun, Script
from falsum.smtlib.substitution import symbols_in
from falsum.smtlib.terms import Term
from falsum.solvers.lab import Lab
from falsum.strategies.growth import ExpressionPool, LawApplier, LawChoices, PlaceScope, Vocabulary
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.rewrite.structural import CHANGES, Definitions
from falsum.strategies.seeds import prepare

# A seed that could not be changed so often in a row is given up.
_MOST_FAILURES = 20
_TRIES = 6
_MOST_REMEMBERED = 4000


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Rewrites one to `most` places, each up to `depth` times.

    `by_law` is how often a law is tried first, not a change of structure; `growth` bounds a mutant's length
    as a multiple of the seed's.
    """

    name: str = "rewrite"
    arity: int = 1
    most: int = 5
    depth: int = 3
    by_law: float = 0.7
    growth: float = 4.0

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab
        script = prepare(seeds[0].script)
        if script is None:
            return
        scene = _Scene(script)
        longest = max(len(scene.layout.text) * self.growth, 400)
        failures = 0
        while failures < _MOST_FAILURES and scene.pool.replaceable:
            edits = self._edits(scene, rng)
            mutant = _mutant(seeds[0].text, scene.layout, edits) if edits else None
            if mutant is None or len(mutant.text) > longest:
                failures += 1
                continue
            failures = 0
            yield mutant

    def _edits(self, scene: _Scene, rng: Random) -> list[_Edit]:
        """Rewrites at places none of which is inside another, in the order of the text."""
        places = scene.pool.replaceable
        drawn = {places[rng.randrange(len(places))] for _ in range(rng.randint(1, self.most))}
        edits: list[_Edit] = []
        end = 0
        for number in sorted(drawn):
            place = scene.layout.places[number]
            if place.start < end:
                continue
            made = self._rewritten(scene, number, rng)
            if made is not None:
                edits.append(made)
                end = place.end
        return edits

    def _rewritten(self, scene: _Scene, number: int, rng: Random) -> _Edit | None:
        term = scene.layout.places[number].term
        scope = scene.pool.scope_at(scene.layout, number)
        text = ""
        rules: list[str] = []
        for left in range(rng.randint(1, self.depth), 0, -1):
            ways = (scene.by_law, scene.by_structure)
            first = 0 if rng.random() < self.by_law else 1
            step = ways[first](term, scope, rng) or ways[1 - first](term, scope, rng)
            if step is None:
                break
            text = step.text
            rules.append(step.rule)
            if left > 1:
                term = step.made()
        # A rewrite may take back the one before.
        place = scene.layout.places[number]
        if not rules or text == scene.layout.text[place.start : place.end]:
            return None
        return _Edit(number, text, ", ".join(rules))


class _Edit(NamedTuple):
    """Another text at a place, and the rules that made it."""

    number: int
    text: str
    rules: str


class _Step(NamedTuple):
    text: str
    rule: str
    made: Callable[[], Term]


class _Scene:
    """A seed prepared for rewriting."""

    def __init__(self, script: Script) -> None:
        self.layout = Layout.of(script)
        self.pool = ExpressionPool(self.layout, script)
        self.vocabulary = Vocabulary(self.layout, script)
        self.filling = LawApplier(self.vocabulary, self.pool)
        bodies = {c.function: (c.binders, c.body) for c in script.commands if isinstance(c, DefineFun)}
        self.definitions = Definitions(
            bodies, self.vocabulary.logic.is_linear, self.vocabulary.has_quantifiers
        )
        self._choices: dict[Term, LawChoices] = {}

    def by_law(self, term: Term, scope: PlaceScope, rng: Random) -> _Step | None:
        choices = self._choices.get(term)
        if choices is None:
            if len(self._choices) > _MOST_REMEMBERED:
                self._choices.clear()
            choices = self._choices[term] = LawChoices(term, self.vocabulary.laws_at(term, "equivalent"))
        for _ in range(_TRIES):
            found = choices.draw(rng)
            if found is None:
                return None
            new = self.filling.applied(found, term, scope, rng)
            if new is not None:
                return _Step(new.text, found.law.name, new.made)
        return None

    def by_structure(self, term: Term, scope: PlaceScope, rng: Random) -> _Step | None:
        rules = list(CHANGES)
        rng.shuffle(rules)
        for rule in rules:
            new = CHANGES[rule](term, self.definitions, rng)
            if new is not None and new is not term and _means_the_same(new, term, scope):
                return _Step(print_term(new), rule, partial(_itself, new))
        return None


def _itself(term: Term) -> Term:
    return term


def _means_the_same(new: Term, old: Term, scope: PlaceScope) -> bool:
    """Whether no name that a change brought along is bound at the spot."""
    return not scope.binders or (symbols_in(new) - symbols_in(old)).isdisjoint(scope.binders)


def _mutant(reference: str, layout: Layout, edits: list[_Edit]) -> Mutant:
    whole, at = layout.text, 0
    pieces: list[str] = []
    lineage: list[str] = []
    for number, text, rules in edits:
        place = layout.places[number]
        pieces += (whole[at : place.start], text)
        at = place.end
        lineage.append(f"rewrite {number}: {whole[place.start : place.end]} -> {text} by {rules}")
    pieces.append(whole[at:])
    return Mutant("".join(pieces), reference=reference, lineage=tuple(lineage))
