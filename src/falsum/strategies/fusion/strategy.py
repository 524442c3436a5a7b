"""fusion: two seeds in one, coupled by fused constants (Winterer, Zhang, Su: PLDI 2020).

Constants x of one seed and y of the other get a fresh z = f(x, y), and some occurrences of x become g(z, y),
of y h(z, x), by a law that makes these equal. Two satisfiable seeds are conjoined, two unsatisfiable ones are
disjoined beside the equations; of a satisfiable and an unsatisfiable one, either is done.
Promises: sat or unsat as the seeds' statuses give it, sat with a witness where our evaluator has proved a
model; nothing where nobody knows the statuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from falsum.smtlib import Script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.model import Model
from falsum.smtlib.models.random_models import random_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.scripts import Assert
from falsum.smtlib.terms import Function, Term
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.strategies.fusion.holes import Hole, Side
from falsum.strategies.fusion.join import Joined, joined
from falsum.strategies.fusion.laws import Fused, Fuser
from falsum.strategies.mutant import Claim, Mutant, Seed
from falsum.strategies.seeds import EVALUATION_STEPS, SeedStatus, flatten, status_of, write_witness

# Fusions at hand for a pair, and draws after which there is nothing to be had.
_AT_HAND: Final = 8
_MOST_DRAWS: Final = 60
_FEW_DRAWS: Final = 6
# How often the fusions at hand are used again as they are: in other company, at other places.
_KEPT: Final = 0.5
# Mutants in a row that no fusion at hand suits.
_MOST_FAILURES: Final = 40
# Occurrences of one constant that one mutant may change.
_MOST_CHANGED: Final = 24


@dataclass(frozen=True, slots=True)
class Way:
    """A connective for the two seeds, what the whole is then, and whether the model proves it."""

    connective: str
    verdict: Verdict | None
    is_proved: bool = False

    def suits(self, fused: Fused) -> bool:
        """Whether the promise survives the fusion: unsat always does, the equations being asserted."""
        if self.verdict is not Verdict.SAT:
            return True
        return fused.here if self.is_proved else fused.always


@dataclass(frozen=True, slots=True)
class Fusion:
    """`most` fusions in a mutant; `replaced` is the probability of replacing an occurrence of a constant.

    `unusual` is the share of conjunctions of unsatisfiable and disjunctions of satisfiable seeds; `equations`
    the share of satisfiable mutants that assert the equations as well, which unsatisfiable ones always do.
    """

    name: str = "fusion"
    arity: int = 2
    most: int = 3
    replaced: float = 0.5
    unusual: float = 0.15
    equations: float = 0.4

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        flats = [flatten(seed.script) for seed in seeds[:2]]
        first, second = flats[0], flats[-1]
        pair = joined(first, second) if first is not None and second is not None else None
        if first is None or second is None or pair is None:
            return
        known = [status_of(flat, lab) for flat in (first, second)]
        witness, model = _model(pair, (first, second), known, rng)
        usual, unusual = _ways(known, [_holds(terms, model) for terms in pair.sides])
        sides = [Side.of(*both) for both in zip(pair.sides, pair.constants, strict=True)]
        used = [tuple(c for c in pair.constants[i] if c in sides[i].holes) for i in (0, 1)]
        fuser = Fuser(pair, used, sides[0].sorts | sides[1].sorts, model)
        at_hand: list[Fused] = []
        names = " and ".join(seed.name for seed in (seeds[0], seeds[-1]))
        failures = 0
        while failures < _MOST_FAILURES and self._restock(at_hand, fuser, rng):
            ways = unusual if unusual and (not usual or rng.random() < self.unusual) else usual
            way = rng.choice(ways)
            chosen = self._chosen(at_hand, way, rng)
            failures = 0 if chosen else failures + 1
            if chosen:
                lines = self._lines(way, chosen, sides, rng)
                yield self._mutant(pair, way, chosen, lines, witness, names)

    def _restock(self, at_hand: list[Fused], fuser: Fuser, rng: Random) -> bool:
        """A new fusion for an old one, so that mutants do not repeat themselves; False if there are none."""
        if len(at_hand) >= _AT_HAND:
            if rng.random() < _KEPT:
                return True
            del at_hand[rng.randrange(len(at_hand))]
        for _ in range(_FEW_DRAWS if at_hand else _MOST_DRAWS):
            fused = fuser.draw(rng)
            if fused is not None:
                at_hand.append(fused)
                if len(at_hand) >= _AT_HAND // 2:
                    return True
        return bool(at_hand)

    def _chosen(self, at_hand: list[Fused], way: Way, rng: Random) -> list[Fused]:
        suitable = [fused for fused in at_hand if way.suits(fused)]
        return rng.sample(suitable, min(len(suitable), rng.randint(1, self.most)))

    def _lines(self, way: Way, chosen: list[Fused], sides: list[Side], rng: Random) -> list[str]:
        """What is asserted: the seeds with inversions in them, and the equations."""
        changed: list[dict[Hole, str]] = [{}, {}]
        for fused in chosen:
            for side, symbol, text in fused.inverted:
                for hole in self._holes(sides[side], symbol, rng):
                    changed[side].setdefault(hole, text)
        parts = [side.filled(by) for side, by in zip(sides, changed, strict=True)]
        if way.connective == "and":
            lines = [line for part in parts for line in part]
        else:
            lines = [f"(or {_conjunction(parts[0])} {_conjunction(parts[1])})"]
        if way.verdict is not Verdict.SAT or rng.random() < self.equations:
            equations = [line for fused in chosen for line in fused.equations]
            lines = [*equations, *lines] if rng.random() < 0.5 else [*lines, *equations]
        return lines

    def _holes(self, side: Side, symbol: Function, rng: Random) -> list[Hole]:
        """Some of the places of a constant, at least one if there is one."""
        holes = side.holes.get(symbol, ())
        if not holes:
            return []
        if len(holes) > _MOST_CHANGED:
            holes = rng.sample(holes, _MOST_CHANGED)
        return [h for h in holes if rng.random() < self.replaced] or [rng.choice(holes)]

    def _mutant(
        self, pair: Joined, way: Way, chosen: list[Fused], lines: list[str], witness: str, names: str
    ) -> Mutant:
        declared = "".join([fused.declaration for fused in chosen])
        asserted = "".join([f"(assert {line})\n" for line in lines])
        claim = None
        if way.verdict is not None:
            model = witness + "".join([fused.definition for fused in chosen]) if way.is_proved else ""
            claim = Claim((way.verdict,), model)
        lineage = (f"fusion: {names} by {way.connective}", *(f"fusion: {fused.about}" for fused in chosen))
        return Mutant(f"{pair.opening}{declared}{asserted}(check-sat)\n", claim, lineage=lineage)


def _conjunction(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"


def _model(
    pair: Joined, flats: tuple[Script, Script], known: Sequence[SeedStatus], rng: Random
) -> tuple[str, Model]:
    """An assignment for both seeds, as text and as it reads: their witnesses, random where there is none."""
    texts = [
        one.witness or write_witness(random_model(flat, rng), flat)[0]
        for flat, one in zip(flats, known, strict=True)
    ]
    witness = pair.witness(texts[0], texts[1])
    return witness, read_model(witness, pair.script)


def _holds(terms: Sequence[Term], model: Model) -> bool:
    return all(held is True for held in truths(Script(tuple(map(Assert, terms))), model, EVALUATION_STEPS))


def _ways(known: Sequence[SeedStatus], holds: Sequence[bool]) -> tuple[list[Way], list[Way]]:
    """The published ways to put the seeds together, and the others; without a promise if there is none."""
    said = {one.verdict for one in known}
    conjoined = disjoined = None
    if all(holds) or said == {Verdict.SAT}:
        conjoined = Verdict.SAT
    elif Verdict.UNSAT in said:
        conjoined = Verdict.UNSAT
    if any(holds) or Verdict.SAT in said:
        disjoined = Verdict.SAT
    elif said == {Verdict.UNSAT}:
        disjoined = Verdict.UNSAT
    both = Way("and", conjoined, all(holds)), Way("or", disjoined, any(holds))
    if conjoined is not None and conjoined is disjoined:
        usual = both[conjoined is Verdict.UNSAT]
        return [usual], [way for way in both if way is not usual]
    return [way for way in both if way.verdict is not None] or list(both), []
