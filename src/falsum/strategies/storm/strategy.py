"""storm: new formulas from the fragments of a seed (Mansur et al., ESEC/FSE 2020).

Every Boolean sub-formula of the seed is valued under an assignment by our own evaluator; formulas are
combined with connectives, valued from their parts, and asserted as they are or negated, so that the
assignment satisfies every instance.
Promises: sat, with the assignment as witness. No trust in a solver is needed: a solver's model is only a good
assignment to start from. Some checks of incremental instances assume literals: sat if they hold under the
assignment; unsat if one denies a name given to a formula that is asserted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from falsum.smtlib.evaluation.applications import CHOSEN
from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.models.model import Model, declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.terms import Function, Term
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.strategies.mutant import Claim, Mutant, Seed
from falsum.strategies.seeds.assignments import assignments
from falsum.strategies.seeds.fragments import declarations_of, fragments
from falsum.strategies.storm.dialogue import Dialogue, Formula, asserted

# For all fragments of a seed together: what is left when they are used up is not put in the pool.
_STEPS = 200_000
# A seed of which nothing can be valued under so many assignments is given up.
_MOST_FAILURES = 6


@dataclass(frozen=True, slots=True)
class Storm:
    """The parameters of the paper, and two of our own: `connectives` and `incremental`.

    `depth` bounds fragments and formulas, `assertions` an instance, `longest` a formula's text. `per_model`
    is how many instances are made from one assignment before the next; `initial` and `conjunction` are the
    probabilities of a formula from the initial pool and of `and` (against `not`).
    """

    name: str = "storm"
    arity: int = 1
    depth: int = 64
    assertions: int = 64
    longest: int = 2000
    per_model: int = 25
    initial: float = 0.5
    conjunction: float = 0.5
    connectives: bool = False
    incremental: float = 0.2

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        script = seeds[0].script
        opening = declarations_of(script)
        if opening is None:
            return
        pieces = list(fragments(script, self.depth))
        functions = declared_functions(script)
        failures = 0
        for origin, model in assignments(seeds[0], rng, lab) if pieces else ():
            witness = _witness(model, functions)
            # As the witness says it: what cannot be written of an assignment must decide nothing.
            pool = self._valued(pieces, read_model(witness, script))
            if not pool:
                failures += 1
                if failures == _MOST_FAILURES:
                    return
                continue
            constructed = self._constructed(pool, rng)
            for _ in range(self.per_model):
                yield self._instance(opening, pool, constructed, witness, origin, rng)

    def _valued(self, pieces: Sequence[tuple[Term, int]], model: Model) -> list[Formula]:
        """The initial pool: fragments whose value is certain."""
        evaluation = Evaluation(model, _STEPS)
        pool = []
        for term, depth in pieces:
            holds = evaluation.run(term)
            if isinstance(holds, bool):
                text = print_term(term)
                if len(text) <= self.longest:
                    pool.append(Formula(text, holds, depth))
        return pool

    def _constructed(self, pool: list[Formula], rng: Random) -> list[Formula]:
        """The construction pool: as many formulas as the seed has fragments, within bounds."""
        made: list[Formula] = []
        for _ in range(min(max(len(pool), 16), 200)):
            new = self._combined(pool, made, rng)
            if new.depth <= self.depth and len(new.text) <= self.longest:
                made.append(new)
        return made

    def _combined(self, pool: list[Formula], made: list[Formula], rng: Random) -> Formula:
        first = self._pick(pool, made, rng)
        if rng.random() >= self.conjunction:
            return Formula(f"(not {first.text})", not first.holds, first.depth + 1)
        second = self._pick(pool, made, rng)
        depth = max(first.depth, second.depth) + 1
        if not self.connectives:
            return Formula(f"(and {first.text} {second.text})", first.holds and second.holds, depth)
        return _connected(first, second, self._pick(pool, made, rng), rng)

    def _pick(self, pool: list[Formula], made: list[Formula], rng: Random) -> Formula:
        chosen = pool if not made or rng.random() < self.initial else made
        return chosen[rng.randrange(len(chosen))]

    def _instance(
        self,
        opening: str,
        pool: list[Formula],
        made: list[Formula],
        witness: str,
        origin: str,
        rng: Random,
    ) -> Mutant:
        count = rng.randint(1, min(self.assertions, max(2, len(pool))))
        formulas = [self._pick(pool, made, rng) for _ in range(count)]
        if rng.random() < self.incremental:
            dialogue = Dialogue(opening, rng)
            dialogue.run(formulas)
            lines = [opening, *dialogue.declarations(), *dialogue.lines]
            claim = Claim(tuple(dialogue.verdicts), witness + dialogue.witness())
        else:
            lines = [opening, *(asserted(formula) for formula in formulas), "(check-sat)\n"]
            claim = Claim((Verdict.SAT,), witness)
        lineage = f"storm: {count} assertions from {len(pool)} fragments under {origin}"
        return Mutant("".join(lines), claim, lineage=(lineage,))


def _witness(model: Model, functions: tuple[Function, ...]) -> str:
    """The assignment as text, with what a solver chose where the standard leaves a point open."""
    chosen = {symbol: definition for symbol, definition in model.named.values() if symbol.name in CHOSEN}
    whole = replace(model, definitions={**model.definitions, **chosen}) if chosen else model
    return print_model(whole, (*functions, *chosen))


def _connected(first: Formula, second: Formula, third: Formula, rng: Random) -> Formula:
    """Any connective, not only `and`."""
    kind = rng.choice(("and", "or", "=>", "xor", "=", "ite"))
    depth = max(first.depth, second.depth) + 1
    if kind == "ite":
        holds = second.holds if first.holds else third.holds
        text = f"(ite {first.text} {second.text} {third.text})"
        return Formula(text, holds, max(depth, third.depth + 1))
    holds = {
        "and": first.holds and second.holds,
        "or": first.holds or second.holds,
        "=>": not first.holds or second.holds,
        "xor": first.holds is not second.holds,
        "=": first.holds is second.holds,
    }[kind]
    return Formula(f"({kind} {first.text} {second.text})", holds, depth)
