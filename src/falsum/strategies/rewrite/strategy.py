"""rewrite: equivalent scripts, by the laws of all theories and by structural rules.

Theorem: replacing a term by an equivalent one keeps the verdict of every check. So a mutant must have the
seed's verdict, whatever that is: the seed is its reference. No solver is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final, NamedTuple

from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.scripts import DefineFun, Script
from falsum.smtlib.substitution import symbols_in
from falsum.smtlib.terms import Term
from falsum.solvers.lab import Lab
from falsum.strategies.growth import ExpressionPool, LawApplier, LawChoices, PlaceScope, Vocabulary
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.parameters import parameter, share
from falsum.strategies.rewrite.structural import RULES, ScriptContext
from falsum.strategies.seeds import prepare

# A seed is given up after so many failures in a row.
_MAX_FAILURES: Final = 20
# Laws drawn for one term.
_TRIES: Final = 6
# Terms whose laws are cached before the cache is cleared.
_MAX_CACHED: Final = 4000
# A mutant may always be this long, however short the seed.
_MIN_LENGTH: Final = 400


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Replaces expressions by equivalent ones; the verdict stays.

    One to `most` places are rewritten, each up to `depth` times.

    `by_law` is the probability that a law is tried before structural rules; `growth` limits the length of a
    mutant as a multiple of the seed's.
    """

    name: str = "rewrite"
    arity: int = 1
    most: int = parameter(5, "places rewritten in a mutant, at most", least=1)
    depth: int = parameter(3, "rewrites in a row at one place, at most", least=1)
    by_law: float = share(0.7, "probability that laws are tried before structural rules")
    growth: float = parameter(4.0, "length of a mutant, at most, as a multiple of the seed's", least=1)

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab
        script = prepare(seeds[0].script)
        if script is None:
            return
        rewriter = _Rewriter(script)
        longest = max(len(rewriter.layout.text) * self.growth, _MIN_LENGTH)
        failures = 0
        while failures < _MAX_FAILURES and rewriter.pool.replaceable:
            edits = self._edits(rewriter, rng)
            mutant = _mutant(seeds[0].text, rewriter.layout, edits) if edits else None
            if mutant is None or len(mutant.text) > longest:
                failures += 1
                continue
            failures = 0
            yield mutant

    def _edits(self, rewriter: _Rewriter, rng: Random) -> list[_Edit]:
        """Rewrites at random places, none inside another, in the order of the text."""
        places = rewriter.pool.replaceable
        numbers = {places[rng.randrange(len(places))] for _ in range(rng.randint(1, self.most))}
        edits: list[_Edit] = []
        end = 0
        for number in sorted(numbers):
            place = rewriter.layout.places[number]
            if place.start < end:
                continue
            rewritten_term = self._rewritten(rewriter, number, rng)
            if rewritten_term is not None:
                edits.append(rewritten_term)
                end = place.end
        return edits

    def _rewritten(self, rewriter: _Rewriter, number: int, rng: Random) -> _Edit | None:
        term = rewriter.layout.places[number].term
        scope = rewriter.pool.scope_at(rewriter.layout, number)
        text = ""
        rules: list[str] = []
        for left in range(rng.randint(1, self.depth), 0, -1):
            kinds = (rewriter.by_law, rewriter.by_structure)
            first = 0 if rng.random() < self.by_law else 1
            step = kinds[first](term, scope, rng) or kinds[1 - first](term, scope, rng)
            if step is None:
                break
            text = step.text
            rules.append(step.rule)
            if left > 1:
                term = step.made()
        # A rewrite may undo the one before it.
        place = rewriter.layout.places[number]
        if not rules or text == rewriter.layout.text[place.start : place.end]:
            return None
        return _Edit(number, text, ", ".join(rules))


class _Edit(NamedTuple):
    """A new text at a place, and the rules that made it."""

    number: int
    text: str
    rules: str


class _Step(NamedTuple):
    """The new term as text, the rule that made it, and a function that makes it as a term."""

    text: str
    rule: str
    made: Callable[[], Term]


class _Rewriter:
    """Rewrites terms of one seed."""

    def __init__(self, script: Script) -> None:
        self.layout = Layout.of(script)
        self.pool = ExpressionPool(self.layout, script)
        self.vocabulary = Vocabulary(self.layout, script)
        self.applier = LawApplier(self.vocabulary, self.pool)
        bodies = {c.function: (c.binders, c.body) for c in script.commands if isinstance(c, DefineFun)}
        self.context = ScriptContext(bodies, self.vocabulary.logic.is_linear, self.vocabulary.has_quantifiers)
        self._choices: dict[Term, LawChoices] = {}

    def by_law(self, term: Term, scope: PlaceScope, rng: Random) -> _Step | None:
        choices = self._choices.get(term)
        if choices is None:
            if len(self._choices) > _MAX_CACHED:
                self._choices.clear()
            choices = self._choices[term] = LawChoices(term, self.vocabulary.laws_at(term, "equivalent"))
        for _ in range(_TRIES):
            law_match = choices.draw(rng)
            if law_match is None:
                return None
            new = self.applier.apply(law_match, term, scope, rng)
            if new is not None:
                return _Step(new.text, law_match.law.name, new.made)
        return None

    def by_structure(self, term: Term, scope: PlaceScope, rng: Random) -> _Step | None:
        rules = list(RULES)
        rng.shuffle(rules)
        for rule in rules:
            new = RULES[rule](term, self.context, rng)
            if new is not None and new is not term and _nothing_is_captured(new, term, scope):
                return _Step(print_term(new), rule, partial(_itself, new))
        return None


def _itself(term: Term) -> Term:
    return term


def _nothing_is_captured(new: Term, old: Term, scope: PlaceScope) -> bool:
    """Whether no symbol that a rule introduced is bound at the place."""
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
