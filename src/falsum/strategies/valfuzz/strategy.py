"""valfuzz: other constants in a seed, chosen by Boolean sub-expression coercion (Wolff, ETH Zürich, 2020).

Constants become variables (holes); monitors watch the Boolean sub-expressions; a solver is asked for
constants under which a monitor takes a value it has not been made to take yet. The scripts that ask it are
mutants, too.
Preserves: the shape of the seed, its sorts, its logic (but for divisions by zero and, in scripts with holes,
variable coefficients). Promises nothing about the verdict: other constants, another formula.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from falsum.smtlib import read_script
from falsum.smtlib.models.model import bare_model
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.terms import Term
from falsum.solvers.lab import Lab
from falsum.strategies.lineage import abbreviated
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.valfuzz.coercion import Solution, Solving, keeping, wishes
from falsum.strategies.valfuzz.coverage import Coverage, Outcome, Target
from falsum.strategies.valfuzz.holes import Skeleton
from falsum.strategies.valfuzz.meta_formula import Meta, Refinements
from falsum.strategies.valfuzz.random_constants import drawn

# A seed whose constants, drawn at random, keep giving scripts that were there before is done.
_MOST_REPEATS: Final = 50


@dataclass(frozen=True, slots=True)
class ValFuzz:
    """The refinements of the thesis by their names, and extensions; the default is its best blend.

    `multief` is how many constraints are enforced at once, `relc` how many constants are related. `drawn` is
    "" for coercion, "uniform" for the thesis's random baseline, "corners" for one biased to corner cases.
    Extensions: `models` different models an enforcement; `maxsmt` the share of enforcements with soft wishes
    for corner cases, `keep` that of those that change one to three constants only; `relax`: what conflicts
    with others is enforced alone; `lazy`: what a model has shown already is not enforced; `wide`: abstract
    domains for more sorts; `compare`: skeleton and enforcements are mutants as well. `numbers` of random
    seeds are given to solvers, which have `seconds` for a question.
    """

    name: str = "valfuzz"
    arity: int = 1
    adomain: bool = True
    adomaine: bool = False
    cpog: bool = False
    effinal: bool = False
    leafopt: bool = False
    multief: int = 7
    skolu: bool = True
    noskole: bool = False
    relc: int = 3
    drawn: str = ""
    models: int = 1
    maxsmt: float = 0.2
    keep: float = 0.5
    relax: bool = True
    lazy: bool = False
    wide: bool = True
    compare: bool = True
    numbers: int = 2
    seconds: float = 1.0

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        coerced = self.coerce(seeds[0], rng, lab)
        return coerced.mutants() if coerced is not None else iter(())

    def coerce(self, seed: Seed, rng: Random, lab: Lab | None) -> Coerced | None:
        """A seed under coercion, whose coverage can be looked at; None if it has no constants to change."""
        skeleton = Skeleton.of(seed.script)
        return Coerced(self, skeleton, rng, lab) if skeleton is not None else None

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


class Coerced:
    """One seed under coercion. What is drawn for a target does not depend on what solvers said before."""

    def __init__(self, strategy: ValFuzz, skeleton: Skeleton, rng: Random, lab: Lab | None) -> None:
        self.strategy = strategy
        self.skeleton = skeleton
        self.meta = Meta.of(skeleton, strategy.refinements, rng)
        self.coverage = Coverage(self.meta.targets, len(self.meta.monitors))
        self.solving = self._solving(lab) if lab is not None else None
        self._rng = rng
        self._number = rng.getrandbits(64)
        self._made: set[str] = {skeleton.layout.text}
        self._model = bare_model(skeleton.script)

    def _solving(self, lab: Lab) -> Solving:
        monitors = self.meta.monitors
        declared = read_script(self.meta.declared(range(len(monitors))))
        seconds, numbers = self.strategy.seconds, self.strategy.numbers
        return Solving(lab, declared, self.skeleton.holes, monitors, seconds, numbers)

    def mutants(self) -> Iterator[Mutant]:
        """Mutants until the seed is saturated; without end for the random baselines."""
        if self.strategy.drawn:
            yield from self._random()
            return
        if self.strategy.compare:
            yield Mutant(self.skeleton.opened, lineage=("valfuzz: the skeleton, every constant a variable",))
        order = self._rng.sample(self.coverage.targets, len(self.coverage.targets))
        for target in order:
            if self.strategy.lazy and (target.monitor, target.wanted) in self.coverage.seen:
                self.coverage.note(target, Outcome.SAT)
                continue
            yield from self._enforced(target, Random(f"{self._number}:{target}"))

    def _random(self) -> Iterator[Mutant]:
        repeats = 0
        while repeats < _MOST_REPEATS:
            text, changes = self._filled(self._drawn(self._rng))
            if text in self._made:
                repeats += 1
                continue
            repeats = 0
            self._made.add(text)
            yield Mutant(text, lineage=("valfuzz: random constants", *changes))

    def _drawn(self, rng: Random) -> dict[int, Term]:
        uniform = self.strategy.drawn == "uniform"
        found = {h.place: drawn(h.sort, self._model, rng, uniform=uniform) for h in self.skeleton.holes}
        return {place: term for place, term in found.items() if term is not None}

    def _enforced(self, target: Target, rng: Random) -> Iterator[Mutant]:
        """Steps 3 to 5: enforce a target and others beside it, solve, put the constants in."""
        enforced = self._chosen(target, rng)
        outcome = yield from self._tried(target, enforced, rng)
        if outcome is Outcome.UNSAT and len(enforced) > 1:
            outcome = Outcome.CONFLICT
            if self.strategy.relax:
                outcome = yield from self._tried(target, enforced[:1], rng)
        self.coverage.note(target, outcome)

    def _chosen(self, target: Target, rng: Random) -> list[tuple[int, bool]]:
        others = [number for number in range(len(self.meta.monitors)) if number != target.monitor]
        beside = rng.sample(others, min(self.strategy.multief - 1, len(others)))
        return [(target.monitor, target.wanted), *((n, rng.random() < 0.5) for n in beside)]

    def _tried(
        self, target: Target, enforced: list[tuple[int, bool]], rng: Random
    ) -> Generator[Mutant, None, Outcome]:
        test = self.meta.test(enforced, target.side)
        what = self._described(target, enforced)
        if self.strategy.compare:
            yield Mutant(test, lineage=(f"{what}, to be solved", self._coverage_line()))
        if self.solving is None:
            yield from self._value_mutant(self._drawn(rng), enforced, f"{what}, constants random")
            return Outcome.UNKNOWN
        outcome = Outcome.UNKNOWN
        extra = self._extra(target, rng)
        for solution in self.solving.solutions(test, self.strategy.models, rng, extra):
            if solution.outcome is not Outcome.SAT:
                return solution.outcome if outcome is Outcome.UNKNOWN else outcome
            outcome = solution.outcome
            self._learn(target, solution)
            yield from self._value_mutant(
                solution.constants, enforced, f"{what}, solved by {solution.solver}"
            )
        return outcome

    def _extra(self, target: Target, rng: Random) -> list[str]:
        """What is asked of the constants besides: to be few that change, to be corner cases."""
        holes = self.skeleton.holes
        extra: list[str] = []
        if rng.random() < self.strategy.keep:
            extra += keeping(holes, self.meta.monitors[target.monitor].term, rng)
        if rng.random() < self.strategy.maxsmt:
            extra += wishes(holes, rng)
        return extra

    def _learn(self, target: Target, solution: Solution) -> None:
        self.coverage.note(target, Outcome.SAT)
        for number, value in solution.monitors.items():
            self.coverage.see(number, value=value)

    def _value_mutant(
        self, constants: Mapping[int, Term], enforced: list[tuple[int, bool]], what: str
    ) -> Iterator[Mutant]:
        """The seed with these constants (φ^sub), unless it was there before."""
        text, changes = self._filled(constants, enforced if self.strategy.effinal else ())
        if text not in self._made:
            self._made.add(text)
            yield Mutant(text, lineage=(what, *changes, self._coverage_line()))

    def _filled(
        self, constants: Mapping[int, Term], enforced: Sequence[tuple[int, bool]] = ()
    ) -> tuple[str, list[str]]:
        """The text with these constants, and a line for every one that is another than the seed's."""
        changed, lines = {}, []
        for hole in self.skeleton.holes:
            new = constants.get(hole.place, hole.constant)
            if print_term(new) != print_term(hole.constant):
                changed[hole.place] = new
                lines.append(f"valfuzz {hole.place}: {abbreviated(hole.constant)} -> {abbreviated(new)}")
        further = self.meta.final(enforced, constants) if enforced else ()
        return self.skeleton.filled(changed, further), lines

    def _described(self, target: Target, enforced: list[tuple[int, bool]]) -> str:
        values = [
            f"{abbreviated(self.meta.monitors[number].term)} {'true' if wanted else 'false'}"
            for number, wanted in enforced
        ]
        asserted = {"+": ", the skeleton asserted", "-": ", the skeleton negated", "": ""}[target.side]
        return f"valfuzz: enforced {' and '.join(values)}{asserted}"

    def _coverage_line(self) -> str:
        return f"valfuzz: coverage {self.coverage}"


_BASIC: Final = ValFuzz(adomain=False, multief=1, relc=0, maxsmt=0.0, keep=0.0, relax=False, wide=False)
# The configurations of the thesis's Table V, and beside them a stronger random baseline and the default.
CONFIGURATIONS: Final[dict[str, ValFuzz]] = {
    "rbase": replace(_BASIC, drawn="uniform"),
    "rcorner": replace(_BASIC, drawn="corners"),
    "skolu": _BASIC,
    "adomain": replace(_BASIC, adomain=True),
    "adomaine": replace(_BASIC, adomaine=True),
    "cpog": replace(_BASIC, cpog=True),
    "effinal": replace(_BASIC, effinal=True),
    "leafopt": replace(_BASIC, leafopt=True),
    "multief7": replace(_BASIC, multief=7),
    "noskole": replace(_BASIC, skolu=False, noskole=True),
    "relc3": replace(_BASIC, relc=3),
    "blenda": replace(_BASIC, adomain=True, cpog=True),
    "blendb": replace(_BASIC, adomain=True, relc=3, multief=7),
    "blendbleaf": replace(_BASIC, adomain=True, relc=3, multief=7, leafopt=True),
    "sampling3": replace(_BASIC, adomain=True, relc=3, multief=7, models=3),
    "maxsmt": replace(_BASIC, adomain=True, relc=3, multief=7, maxsmt=1.0),
    "keep": replace(_BASIC, adomain=True, relc=3, multief=7, keep=1.0),
    "default": ValFuzz(),
}
