"""Instances: scripts of formulas that an assignment satisfies, and of contradictions."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from falsum.smtlib.verdict import Verdict
from falsum.strategies.mutant import Claim, Mutant
from falsum.strategies.seeds import CHECK
from falsum.strategies.storm.contradiction import ContradictoryAssertions
from falsum.strategies.storm.formulas import Formula, Pools, assertion
from falsum.strategies.storm.incremental import IncrementalInstance


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of instances: bounds and shares of `Storm`, by the same names.

    `own_checks` are the checks with tactics that the seed has, `tactic_checks` further ones to draw from.
    """

    assertions: int
    size: int
    incremental: float
    levels: int
    named: float
    unsat: float
    own_checks: tuple[str, ...]
    tactics: float
    tactic_checks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InstanceMaker:
    """Makes instances of one seed; `notes` are lineage lines shared by all of them."""

    shape: Shape
    declared: str
    notes: tuple[str, ...]

    def instance(self, pools: Pools, witness: str, origin: str, rng: Random) -> Mutant:
        count = rng.randint(1, self.shape.assertions)
        formulas = self._picked(pools, count, rng)
        lineage = [
            f"storm: {len(formulas)} assertions from {len(pools.fragments)} fragments under {origin}",
            *self.notes,
        ]
        if len(formulas) < count:
            lineage.append(f"storm: {count - len(formulas)} more would exceed {self.shape.size} characters")
        if agreed_count := sum(formula.is_agreed for formula in formulas):
            lineage.append(f"storm: the values of {agreed_count} assertions rest on two solvers that agree")
        contradiction = self._contradiction(formulas, rng) if rng.random() < self.shape.unsat else None
        if contradiction is not None:
            lineage.append(f"storm: a contradiction of {len(contradiction.assertions)} assertions")
            return self._unsat(formulas, contradiction, tuple(lineage), rng)
        if rng.random() < self.shape.incremental:
            maker = IncrementalInstance(self._unused("named"), rng, self.shape.levels, self.shape.named)
            maker.run(formulas)
            lines = [self.declared, *maker.declarations(), *maker.lines]
            claim = Claim(tuple(maker.verdicts), witness + maker.witness())
        else:
            lines = [self.declared, *map(assertion, formulas), f"{self._check(rng)}\n"]
            claim = Claim((Verdict.SAT,), witness)
        return Mutant("".join(lines), claim, lineage=tuple(lineage))

    def _picked(self, pools: Pools, count: int, rng: Random) -> list[Formula]:
        """A limited number of formulas; the first one that exceeds the bound on their text is the last."""
        formulas: list[Formula] = []
        length = 0
        for _ in range(count):
            formulas.append(pools.pick(rng))
            length += len(formulas[-1].text)
            if self.shape.size and length >= self.shape.size:
                break
        return formulas

    def _contradiction(self, formulas: list[Formula], rng: Random) -> ContradictoryAssertions | None:
        return ContradictoryAssertions.of(formulas, self._unused("hidden"), rng)

    def _unsat(
        self,
        formulas: list[Formula],
        contradiction: ContradictoryAssertions,
        lineage: tuple[str, ...],
        rng: Random,
    ) -> Mutant:
        """The contradiction among formulas that are true under the assignment."""
        assertions = [*map(assertion, formulas)]
        for line in contradiction.assertions:
            assertions.insert(rng.randrange(len(assertions) + 1), line)
        lines = [self.declared, *contradiction.declarations, *assertions, f"{self._check(rng)}\n"]
        return Mutant("".join(lines), Claim((Verdict.UNSAT,)), lineage=lineage)

    def _check(self, rng: Random) -> str:
        if self.shape.tactic_checks and rng.random() < self.shape.tactics:
            return rng.choice(self.shape.tactic_checks)
        own = self.shape.own_checks
        which = rng.randrange(len(own) + 1) if own else 0
        return own[which - 1] if which else CHECK

    def _unused(self, prefix: str) -> str:
        """A prefix for names that does not occur in the seed."""
        while prefix in self.declared:
            prefix += "_"
        return prefix
