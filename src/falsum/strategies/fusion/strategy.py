"""fusion: two seeds joined into one script by fused constants (Winterer, Zhang, Su, PLDI 2020).

For constants x of one seed and y of the other there is a fresh z = f(x, y); some occurrences of x become
g(z, y) and some of y become h(z, x), where an inverse law says that these are equal.
Theorem: z can be chosen to satisfy the equations, so neither seed changes its meaning. The conjunction of two
satisfiable seeds with disjoint names is satisfiable; the disjunction of two unsatisfiable ones, with the
equations asserted, is unsatisfiable; with one of each, so are disjunction and conjunction.

Claims sat with a witness where falsum's evaluator has verified models; otherwise sat or unsat, assuming that
the solvers that agree on the seeds' verdicts are right; nothing if no solver decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from falsum.smtlib import Script
from falsum.smtlib.evaluation.evaluator import truth
from falsum.smtlib.models.model import Model
from falsum.smtlib.models.random_models import random_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.terms import Function, Term
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.strategies.fusion.join import JoinedSeeds, join
from falsum.strategies.fusion.laws import FusedConstant, FusionSampler
from falsum.strategies.fusion.seed_text import ConstantUse, SeedText
from falsum.strategies.mutant import Claim, Mutant, Seed
from falsum.strategies.parameters import parameter, share
from falsum.strategies.seeds import SeedStatus, flatten, status_of, write_witness

# Fusions kept in stock for a pair of seeds, and draws to fill an empty stock or to replace one.
_IN_STOCK: Final = 8
_FIRST_DRAWS: Final = 60
_FURTHER_DRAWS: Final = 6
# The probability that a full stock is used unchanged for the next mutant.
_UNCHANGED: Final = 0.5
# A pair is given up after so many mutants in a row for which no fusion in stock is suitable.
_MAX_FAILURES: Final = 40
# Evaluation steps for an assertion under a random model, which seldom makes all of them true.
_FEW_STEPS: Final = 5_000
# The most occurrences of one constant that are considered for replacement in one mutant.
_MAX_USES: Final = 24


@dataclass(frozen=True, slots=True)
class Combination:
    """A connective for the two seeds, the verdict of the whole, and whether a model verifies it."""

    connective: str
    verdict: Verdict | None
    is_verified: bool = False

    def allows(self, fused: FusedConstant) -> bool:
        """Whether the verdict stays the same with a fusion: unsat always does, with equations asserted."""
        if self.verdict is not Verdict.SAT:
            return True
        return fused.in_model if self.is_verified else fused.always


@dataclass(frozen=True, slots=True)
class Fusion:
    """Joins two seeds by fused constants; the verdict follows from theirs.

    One to `most` fusions in a mutant; `replaced` is the probability that an occurrence is replaced.

    `unusual` is the share of conjunctions of unsatisfiable and of disjunctions of satisfiable seeds;
    `equations` the share of satisfiable mutants that assert the equations (unsatisfiable ones always do).
    """

    name: str = "fusion"
    arity: int = 2
    most: int = parameter(3, "fused constants in a mutant, at most", least=1)
    replaced: float = share(0.5, "probability that an occurrence is replaced")
    unusual: float = share(0.15, "share of `or` of two sat seeds and `and` of two unsat seeds")
    equations: float = share(0.4, "share of sat mutants that assert the equations")

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        flats = [flatten(seed.script) for seed in seeds[:2]]
        first, second = flats[0], flats[-1]
        pair = join(first, second) if first is not None and second is not None else None
        if first is None or second is None or pair is None:
            return
        statuses = [status_of(flat, lab) for flat in (first, second)]
        witness, model = _model(pair, (first, second), statuses, rng)
        # A seed's witness was verified when its status was found out.
        holds = [
            bool(status.witness) or _holds(terms, model)
            for status, terms in zip(statuses, pair.sides, strict=True)
        ]
        usual, unusual = _combinations(statuses, holds)
        texts = [SeedText.of(*both) for both in zip(pair.sides, pair.constants, strict=True)]
        usable = [tuple(c for c in pair.constants[i] if c in texts[i].uses) for i in (0, 1)]
        sampler = FusionSampler(pair, usable, texts[0].sorts | texts[1].sorts, model)
        stock: list[FusedConstant] = []
        names = " and ".join(seed.name for seed in (seeds[0], seeds[-1]))
        failures = 0
        while failures < _MAX_FAILURES and self._restock(stock, sampler, rng):
            options = unusual if unusual and (not usual or rng.random() < self.unusual) else usual
            combination = rng.choice(options)
            choice = self._chosen(stock, combination, rng)
            failures = 0 if choice else failures + 1
            if choice:
                lines = self._lines(combination, choice, texts, rng)
                yield self._mutant(pair, combination, choice, lines, witness, names)

    def _restock(self, stock: list[FusedConstant], sampler: FusionSampler, rng: Random) -> bool:
        """Fill the stock of fusions, or replace one so that mutants do not repeat; False if the stock is
        empty.
        """
        if len(stock) >= _IN_STOCK:
            if rng.random() < _UNCHANGED:
                return True
            del stock[rng.randrange(len(stock))]
        for _ in range(_FURTHER_DRAWS if stock else _FIRST_DRAWS):
            fused = sampler.draw(rng)
            if fused is not None:
                stock.append(fused)
                if len(stock) >= _IN_STOCK // 2:
                    return True
        return bool(stock)

    def _chosen(
        self, stock: list[FusedConstant], combination: Combination, rng: Random
    ) -> list[FusedConstant]:
        suitable = [fused for fused in stock if combination.allows(fused)]
        return rng.sample(suitable, min(len(suitable), rng.randint(1, self.most)))

    def _lines(
        self, combination: Combination, chosen: list[FusedConstant], texts: list[SeedText], rng: Random
    ) -> list[str]:
        """The formulas to assert: the seeds with some constants replaced, and the equations."""
        replacements: list[dict[ConstantUse, str]] = [{}, {}]
        for fused in chosen:
            for side, symbol, text in fused.inverted:
                for use in self._uses(texts[side], symbol, rng):
                    replacements[side].setdefault(use, text)
        parts = [seed.replaced(by) for seed, by in zip(texts, replacements, strict=True)]
        if combination.connective == "and":
            lines = [line for part in parts for line in part]
        else:
            lines = [f"(or {_conjunction(parts[0])} {_conjunction(parts[1])})"]
        if combination.verdict is not Verdict.SAT or rng.random() < self.equations:
            equations = [line for fused in chosen for line in fused.equations]
            lines = [*equations, *lines] if rng.random() < 0.5 else [*lines, *equations]
        return lines

    def _uses(self, text: SeedText, symbol: Function, rng: Random) -> list[ConstantUse]:
        """Some of the uses of a constant, at least one if there is one."""
        uses = text.uses.get(symbol, ())
        if not uses:
            return []
        if len(uses) > _MAX_USES:
            uses = rng.sample(uses, _MAX_USES)
        return [use for use in uses if rng.random() < self.replaced] or [rng.choice(uses)]

    def _mutant(
        self,
        pair: JoinedSeeds,
        combination: Combination,
        chosen: list[FusedConstant],
        lines: list[str],
        witness: str,
        names: str,
    ) -> Mutant:
        declarations = "".join([fused.declaration for fused in chosen])
        assertions = "".join([f"(assert {line})\n" for line in lines])
        claim = None
        if combination.verdict is not None:
            definitions = "".join([fused.definition for fused in chosen])
            claim = Claim((combination.verdict,), witness + definitions if combination.is_verified else "")
        lineage = (
            f"fusion: {names} by {combination.connective}",
            *(f"fusion: {fused.about}" for fused in chosen),
        )
        return Mutant(f"{pair.declared}{declarations}{assertions}(check-sat)\n", claim, lineage=lineage)


def _conjunction(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"


def _model(
    pair: JoinedSeeds, flats: tuple[Script, Script], statuses: Sequence[SeedStatus], rng: Random
) -> tuple[str, Model]:
    """An assignment for both seeds, as text and as it reads back: their witnesses, or else random models."""
    texts = [
        status.witness or write_witness(random_model(flat, rng), flat)[0]
        for flat, status in zip(flats, statuses, strict=True)
    ]
    witness = pair.witness(texts[0], texts[1])
    return witness, read_model(witness, pair.script)


def _holds(terms: Sequence[Term], model: Model) -> bool:
    """Whether a random model happens to satisfy a seed."""
    return all(truth(term, model, _FEW_STEPS) is True for term in terms)


def _combinations(
    statuses: Sequence[SeedStatus], holds: Sequence[bool]
) -> tuple[list[Combination], list[Combination]]:
    """The published combinations for seeds of these statuses, and the others; those with a verdict if any."""
    verdicts = {status.verdict for status in statuses}
    conjoined = disjoined = None
    if all(holds) or verdicts == {Verdict.SAT}:
        conjoined = Verdict.SAT
    elif Verdict.UNSAT in verdicts:
        conjoined = Verdict.UNSAT
    if any(holds) or Verdict.SAT in verdicts:
        disjoined = Verdict.SAT
    elif verdicts == {Verdict.UNSAT}:
        disjoined = Verdict.UNSAT
    both = Combination("and", conjoined, all(holds)), Combination("or", disjoined, any(holds))
    if conjoined is not None and conjoined is disjoined:
        usual = both[conjoined is Verdict.UNSAT]
        return [usual], [combination for combination in both if combination is not usual]
    return [combination for combination in both if combination.verdict is not None] or list(both), []
