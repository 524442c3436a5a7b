"""valfuzz: other constants, chosen by Boolean sub-expression coercion (Wolff, ETH Zürich, 2020).

Constants become variables (holes); monitors watch the Boolean sub-expressions; a solver is asked for
constants under which a monitor takes a value that it has not taken yet. The scripts that ask it are mutants,
too.

Mutants keep the shape of the seed and its sorts, and its logic except for divisions by zero and, in scripts
with holes, variable coefficients. Nothing is known about their verdicts: other constants are another formula.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Final

from falsum.smtlib import read_script
from falsum.smtlib.models.model import bare_model
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.terms import Term
from falsum.solvers.lab import Lab
from falsum.strategies.mutant import Mutant, Seed, abbreviated, replacement
from falsum.strategies.parameters import configured, parameter, share
from falsum.strategies.valfuzz.coercion import (
    HoleAssignment,
    HoleSolver,
    corner_case_wishes,
    keep_most_constants,
)
from falsum.strategies.valfuzz.coverage import Coverage, MonitorTarget, TargetOutcome
from falsum.strategies.valfuzz.holes import Skeleton
from falsum.strategies.valfuzz.meta_formula import MetaFormula, Refinements
from falsum.strategies.valfuzz.random_constants import random_constant

# With random constants, a seed is given up after so many mutants in a row that were made before.
_MAX_REPEATS: Final = 50


_BASIC: Final = "adomain=false,multief=1,relc=0,maxsmt=0,keep=0,relax=false,wide=false"
_BLEND_B: Final = f"{_BASIC},adomain=true,relc=3,multief=7"


@dataclass(frozen=True, slots=True)
class ValFuzz:
    """Replaces constants so that Boolean sub-expressions take values they have not taken yet.

    The refinements of the thesis by their names, and extensions; the default is its best blend.

    `multief` constraints are enforced at once, `relc` constants are related. `drawn` is "" for coercion,
    "uniform" for the random baseline of the thesis, "corners" for one biased to corner cases. Extensions:
    `models` is the number of models per enforcement; `maxsmt` the share of enforcements with soft constraints
    for corner cases; `keep` the share of those that change only one to three constants; `relax` enforces a
    target alone if it conflicts with others; `lazy` skips targets that a model has shown already; `wide` adds
    abstract domains for more sorts; `compare` also makes mutants of skeleton and enforcements. Solvers get
    one of `numbers` random seeds and a time limit of `seconds`.
    """

    # The configurations of Table V of the thesis, a stronger random baseline, and the extensions.
    configurations: ClassVar[Mapping[str, str]] = {
        "rbase": f"{_BASIC},drawn=uniform",
        "rcorner": f"{_BASIC},drawn=corners",
        "skolu": _BASIC,
        "adomain": f"{_BASIC},adomain=true",
        "adomaine": f"{_BASIC},adomaine=true",
        "cpog": f"{_BASIC},cpog=true",
        "effinal": f"{_BASIC},effinal=true",
        "leafopt": f"{_BASIC},leafopt=true",
        "multief7": f"{_BASIC},multief=7",
        "noskole": f"{_BASIC},skolu=false,noskole=true",
        "relc3": f"{_BASIC},relc=3",
        "blenda": f"{_BASIC},adomain=true,cpog=true",
        "blendb": _BLEND_B,
        "blendbleaf": f"{_BLEND_B},leafopt=true",
        "sampling3": f"{_BLEND_B},models=3",
        "maxsmt": f"{_BLEND_B},maxsmt=1",
        "keep": f"{_BLEND_B},keep=1",
        "default": "",
    }

    name: str = "valfuzz"
    arity: int = 1
    adomain: bool = parameter(True, "monitors for the abstract domains of the seed's variables (ADOMAIN)")
    adomaine: bool = parameter(False, "the same for all sub-expressions (ADOMAINE)")
    cpog: bool = parameter(False, "one meta-formula with the skeleton asserted, one with it negated (CPOG)")
    effinal: bool = parameter(False, "what was enforced is asserted in the value mutant, too (EFFINAL)")
    leafopt: bool = parameter(False, "monitors only for innermost Boolean sub-expressions (LEAFOPT)")
    multief: int = parameter(7, "constraints enforced at once (MULTIEF)", least=1)
    skolu: bool = parameter(True, "universal quantifiers are skolemised, else copied (SKOLU)")
    noskole: bool = parameter(False, "existential quantifiers are copied, else skolemised (NOSKOLE)")
    relc: int = parameter(3, "holes between which relations are monitored (RELC)")
    drawn: str = parameter("", "random constants instead of coercion", choices=("", "uniform", "corners"))
    models: int = parameter(1, "models with different constants per enforcement", least=1)
    maxsmt: float = share(0.2, "share of enforcements with soft constraints for corner cases")
    keep: float = share(0.5, "share of enforcements that change only one to three constants")
    relax: bool = parameter(True, "a target that conflicts with other constraints is enforced alone")
    lazy: bool = parameter(False, "targets that a model has shown already are not enforced")
    wide: bool = parameter(True, "abstract domains for bit-vectors and sequences, too")
    compare: bool = parameter(True, "the skeleton and the scripts with enforced monitors are mutants")
    numbers: int = parameter(100, "random seeds given to solvers; 0 for none")
    varied: float = share(0.5, "share of solver calls with random seeds and options that change models")
    seconds: float = parameter(1.0, "time limit of a solver call")

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        coerced = self.coerce(seeds[0], rng, lab)
        return coerced.mutants() if coerced is not None else iter(())

    def coerce(self, seed: Seed, rng: Random, lab: Lab | None) -> SeedCoercion | None:
        """The coercion of a seed, with its coverage; None if the seed has no constants to change."""
        skeleton = Skeleton.of(seed.script)
        return SeedCoercion(self, skeleton, rng, lab, seed.memory) if skeleton is not None else None

    @property
    def refinements(self) -> Refinements:
        return Refinements(
            self.adomain,
            self.adomaine,
            self.cpog,
            self.leafopt,
            self.skolu,
            self.noskole,
            self.relc,
            self.wide,
        )


class SeedCoercion:
    """The coercion of one seed. The draws for a target do not depend on what solvers answered before.

    `memory` has the coverage of earlier visits to the seed, and gets that of this one.
    """

    def __init__(
        self,
        strategy: ValFuzz,
        skeleton: Skeleton,
        rng: Random,
        lab: Lab | None,
        memory: dict[str, str] | None = None,
    ) -> None:
        self.strategy = strategy
        self.skeleton = skeleton
        # The same seed must have the same monitors on every visit, so they are not drawn with `rng`.
        drawn = Random(f"{strategy.relc}:{skeleton.layout.text}")
        self.meta = MetaFormula.of(skeleton, strategy.refinements, drawn)
        self.coverage = Coverage(self.meta.targets, len(self.meta.monitors))
        self._memory = memory if memory is not None else {}
        self._is_first = strategy.name not in self._memory
        self.coverage.recall(self._memory.get(strategy.name, ""))
        self.solver = self._hole_solver(lab) if lab is not None else None
        self._rng = rng
        self._number = rng.getrandbits(64)
        self._made: set[str] = {skeleton.layout.text}
        self._model = bare_model(skeleton.script)

    def _hole_solver(self, lab: Lab) -> HoleSolver:
        monitors = self.meta.monitors
        declared = read_script(self.meta.declared(range(len(monitors))))
        given = self.strategy
        return HoleSolver(
            lab, declared, self.skeleton.holes, monitors, given.seconds, given.numbers, given.varied
        )

    def mutants(self) -> Iterator[Mutant]:
        """Mutants until the seed is saturated."""
        if self.strategy.drawn:
            yield from self._random()
            return
        if self.strategy.compare and self._is_first:
            yield Mutant(self.skeleton.opened, lineage=("valfuzz: the skeleton, every constant a variable",))
        if self.coverage.is_saturated:
            self._memory[self.strategy.name] = self.coverage.memory
        left = [target for target in self.coverage.targets if target not in self.coverage.outcomes]
        for target in self._rng.sample(left, len(left)):
            if self.strategy.lazy and (target.monitor, target.wanted) in self.coverage.seen:
                self._note(target, TargetOutcome.SAT)
                continue
            yield from self._enforced(target, Random(f"{self._number}:{target.key}"))

    def _random(self) -> Iterator[Mutant]:
        repeats = 0
        while repeats < _MAX_REPEATS:
            text, changes = self._filled(self._drawn(self._rng))
            if text in self._made:
                repeats += 1
                continue
            repeats = 0
            self._made.add(text)
            yield Mutant(text, lineage=("valfuzz: random constants", *changes))

    def _drawn(self, rng: Random) -> dict[int, Term]:
        uniform = self.strategy.drawn == "uniform"
        found = {
            h.place: random_constant(h.sort, self._model, rng, uniform=uniform) for h in self.skeleton.holes
        }
        return {place: term for place, term in found.items() if term is not None}

    def _enforced(self, target: MonitorTarget, rng: Random) -> Iterator[Mutant]:
        """Steps 3 to 5 of the thesis: enforces a target with others, solves, and fills in the constants."""
        enforced = self._chosen(target, rng)
        outcome = yield from self._tried(target, enforced, rng)
        if outcome is TargetOutcome.UNSAT and len(enforced) > 1:
            outcome = TargetOutcome.CONFLICT
            if self.strategy.relax:
                outcome = yield from self._tried(target, enforced[:1], rng)
        self._note(target, outcome)

    def _note(self, target: MonitorTarget, outcome: TargetOutcome) -> None:
        self.coverage.note(target, outcome)
        self._memory[self.strategy.name] = self.coverage.memory

    def _chosen(self, target: MonitorTarget, rng: Random) -> list[tuple[int, bool]]:
        others = [number for number in range(len(self.meta.monitors)) if number != target.monitor]
        beside = rng.sample(others, min(self.strategy.multief - 1, len(others)))
        return [(target.monitor, target.wanted), *((n, rng.random() < 0.5) for n in beside)]

    def _tried(
        self, target: MonitorTarget, enforced: list[tuple[int, bool]], rng: Random
    ) -> Generator[Mutant, None, TargetOutcome]:
        test = self.meta.test(enforced, target.side)
        what = self._described(target, enforced)
        if self.strategy.compare:
            yield Mutant(test, lineage=(f"{what}, to be solved", self._coverage_line()))
        if self.solver is None:
            yield from self._value_mutant(self._drawn(rng), enforced, f"{what}, constants random")
            return TargetOutcome.UNKNOWN
        outcome = TargetOutcome.UNKNOWN
        extra = self._extra(target, rng)
        for solution in self.solver.solutions(test, self.strategy.models, rng, extra):
            if solution.outcome is not TargetOutcome.SAT:
                return solution.outcome if outcome is TargetOutcome.UNKNOWN else outcome
            outcome = solution.outcome
            self._learn(target, solution)
            yield from self._value_mutant(
                solution.constants, enforced, f"{what}, solved by {solution.solver}"
            )
        return outcome

    def _extra(self, target: MonitorTarget, rng: Random) -> list[str]:
        """Further constraints on the constants: few of them change, corner cases are preferred."""
        holes = self.skeleton.holes
        extra: list[str] = []
        if rng.random() < self.strategy.keep:
            extra += keep_most_constants(holes, self.meta.monitors[target.monitor].term, rng)
        if rng.random() < self.strategy.maxsmt:
            extra += corner_case_wishes(holes, rng)
        return extra

    def _learn(self, target: MonitorTarget, solution: HoleAssignment) -> None:
        self.coverage.note(target, TargetOutcome.SAT)
        for number, value in solution.monitors.items():
            self.coverage.see(number, value=value)

    def _value_mutant(
        self, constants: Mapping[int, Term], enforced: list[tuple[int, bool]], what: str
    ) -> Iterator[Mutant]:
        """The seed with these constants (φ^sub), unless it was made before."""
        text, changes = self._filled(constants, enforced if self.strategy.effinal else ())
        if text not in self._made:
            self._made.add(text)
            yield Mutant(text, lineage=(what, *changes, self._coverage_line()))

    def _filled(
        self, constants: Mapping[int, Term], enforced: Sequence[tuple[int, bool]] = ()
    ) -> tuple[str, list[str]]:
        """The text with these constants, and a lineage line for each that differs from the seed's."""
        changed, lines = {}, []
        for hole in self.skeleton.holes:
            new = constants.get(hole.place, hole.constant)
            if print_term(new) != print_term(hole.constant):
                changed[hole.place] = new
                lines.append(replacement(f"valfuzz {hole.place}", hole.constant, new))
        further = self.meta.final(enforced, constants) if enforced else ()
        return self.skeleton.filled(changed, further), lines

    def _described(self, target: MonitorTarget, enforced: list[tuple[int, bool]]) -> str:
        values = [
            f"{abbreviated(self.meta.monitors[number].term)} {'true' if wanted else 'false'}"
            for number, wanted in enforced
        ]
        asserted = {"+": ", the skeleton asserted", "-": ", the skeleton negated", "": ""}[target.side]
        return f"valfuzz: enforced {' and '.join(values)}{asserted}"

    def _coverage_line(self) -> str:
        return f"valfuzz: coverage {self.coverage}"


CONFIGURATIONS: Final[Mapping[str, ValFuzz]] = {
    name: configured(ValFuzz(), [name]) for name in ValFuzz.configurations
}
