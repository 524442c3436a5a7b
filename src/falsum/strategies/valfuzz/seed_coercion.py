"""SeedCoercion: the coercion of one seed, target by target, and its coverage."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from falsum.smtlib import read_script
from falsum.smtlib.models.model import bare_model
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.terms import Term
from falsum.solvers.lab import Lab
from falsum.strategies.mutant import Mutant, abbreviated, replacement
from falsum.strategies.valfuzz.coercion import HoleAssignment, HoleSolver
from falsum.strategies.valfuzz.coverage import Coverage, MonitorTarget, TargetOutcome
from falsum.strategies.valfuzz.hole_search import HoleSearch, Wish
from falsum.strategies.valfuzz.holes import Skeleton
from falsum.strategies.valfuzz.meta_formula import MetaFormula
from falsum.strategies.valfuzz.random_constants import random_constant
from falsum.strategies.valfuzz.related_holes import RelatedHoles
from falsum.strategies.valfuzz.settings import ValFuzzSettings
from falsum.strategies.valfuzz.value_mutants import values_in_mutant, witnessed_claim
from falsum.strategies.valfuzz.wishes import (
    constants_near_the_seeds,
    corner_case_wishes,
    keep_most_constants,
)

# With random constants, a seed is given up after so many mutants in a row that were made before.
_MAX_REPEATS: Final = 50
# A visit ends after so many targets in a row for which all solvers were too late; the others stay open.
_MAX_LATE: Final = 6


class SeedCoercion:
    """The coercion of one seed. The draws for a target do not depend on earlier answers of solvers.

    `memory` has the coverage of earlier visits to the seed with the subsets of holes that were related, and
    gets that of this one. Once all targets of a subset have outcomes, the next one is drawn.
    """

    def __init__(
        self,
        strategy: ValFuzzSettings,
        skeleton: Skeleton,
        rng: Random,
        lab: Lab | None,
        memory: dict[str, str] | None = None,
    ) -> None:
        self.strategy = strategy
        self.skeleton = skeleton
        self._memory = memory if memory is not None else {}
        self._is_first = strategy.name not in self._memory
        self._lab = lab
        self._rng = rng
        self._number = rng.getrandbits(64)
        self._made: set[str] = {skeleton.layout.text}
        self._model = bare_model(skeleton.script)
        self.related = RelatedHoles(skeleton.holes, strategy.relc)
        text = self._memory.get(strategy.name, "")
        self.related.recall(text.rpartition(" ")[2])
        if not self.related.subsets:
            self.related.draw(rng)
        self._relate(text)
        if self.coverage.is_done and not self.coverage.is_last:
            self._relate_others()

    def _relate(self, memory: str, monitors: int | None = None) -> None:
        """Makes the meta-formula with relations between the current subset of holes; recalls its coverage."""
        # The same seed has the same other monitors on every visit, so they are not drawn with `rng`.
        rng = Random(f"{self.strategy.relc}:{self.skeleton.layout.text}")
        refined = self.strategy.refinements
        self.meta = MetaFormula.of(self.skeleton, refined, rng, self.related.current)
        self.coverage = Coverage(
            self.meta.targets, len(self.meta.monitors), self.related.memory, self.related.is_exhausted
        )
        self.coverage.recall(memory, monitors)
        self.solver = self._hole_solver(self._lab) if self._lab is not None else None
        strategy = self.strategy
        self.search = HoleSearch.of(self.meta, strategy.evaluations) if strategy.evaluated else None

    def _relate_others(self) -> None:
        """Continue with another subset of holes; the coverage of the other monitors is kept."""
        memory, monitors = self.coverage.memory, self.meta.base
        self.related.draw(self._rng)
        self._relate(memory, monitors)

    def _hole_solver(self, lab: Lab) -> HoleSolver:
        monitors = self.meta.monitors
        declarations = read_script(self.meta.declared(range(len(monitors))))
        strategy = self.strategy
        return HoleSolver(
            lab,
            declarations,
            self.skeleton.holes,
            monitors,
            strategy.seconds,
            strategy.numbers,
            strategy.varied,
        )

    def mutants(self) -> Iterator[Mutant]:
        """Mutants until the seed is saturated."""
        if self.strategy.drawn:
            yield from self._random()
            return
        if self.strategy.compare and self._is_first:
            yield Mutant(self.skeleton.opened, lineage=("valfuzz: the skeleton, every constant a variable",))
        while True:
            late = yield from self._pass()
            self._memory[self.strategy.name] = self.coverage.memory
            # Targets that are late stay open for the next visit.
            if late or not self.coverage.is_done or self.coverage.is_last:
                return
            self._relate_others()

    def _pass(self) -> Generator[Mutant, None, bool]:
        """Try every open target once, unless solvers are too late; return whether some are still open."""
        targets = self.coverage.open_targets
        late = 0
        for target in self._rng.sample(targets, len(targets)):
            if self.strategy.lazy and (target.monitor, target.wanted) in self.coverage.seen:
                self._note(target, TargetOutcome.SAT)
                continue
            yield from self._enforced(target, Random(f"{self._number}:{target.key}"))
            late = late + 1 if self.coverage.outcomes[target] is TargetOutcome.LATE else 0
            if late == _MAX_LATE:
                return True
        return not self.coverage.is_done

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
        constants = {
            h.place: random_constant(h.sort, self._model, rng, uniform=uniform) for h in self.skeleton.holes
        }
        return {place: term for place, term in constants.items() if term is not None}

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
        compared = rng.random() < self.strategy.compare
        if compared:
            yield Mutant(test, lineage=(f"{what}, to be solved", *self.meta.notes, self._coverage_line()))
        outcome = TargetOutcome.UNKNOWN
        if self.search is not None and not compared and rng.random() < self.strategy.evaluated:
            wishes = self._wishes(target, enforced, rng)
            outcome = yield from self._solved(
                self.search.solutions(wishes, self.strategy.samples, rng), target, enforced
            )
        if outcome is TargetOutcome.SAT:
            return outcome
        if self.solver is None:
            yield from self._value_mutant(self._drawn(rng), enforced, f"{what}, constants random")
            return TargetOutcome.UNKNOWN
        solutions = (
            self.solver.of_all_solvers(test)
            if compared and self.strategy.answers
            else self.solver.solutions(test, self.strategy.models, rng, self._extra(target, rng))
        )
        return (yield from self._solved(solutions, target, enforced))

    def _solved(
        self,
        solutions: Iterator[HoleAssignment],
        target: MonitorTarget,
        enforced: list[tuple[int, bool]],
    ) -> Generator[Mutant, None, TargetOutcome]:
        """The value mutants of solutions."""
        outcome = TargetOutcome.UNKNOWN
        for solution in solutions:
            outcome = _better(outcome, solution.outcome)
            if solution.outcome is TargetOutcome.SAT:
                self._learn(target, solution)
                # The evaluator's search may fulfil less than all.
                holding = [one for one in enforced if solution.monitors.get(one[0], one[1]) is one[1]]
                solved = f"{self._described(target, holding)}, solved by {solution.solver}"
                yield from self._value_mutant(solution.constants, holding, solved, solution)
        return outcome

    def _wishes(self, target: MonitorTarget, enforced: Sequence[tuple[int, bool]], rng: Random) -> list[Wish]:
        """The goals of the evaluator's search, the target first."""
        wishes = [
            Wish(self.meta.monitors[number].term, value, not (self.strategy.relax and place))
            for place, (number, value) in enumerate(enforced)
        ]
        if target.side or rng.random() < self.strategy.claimed:
            wishes += [Wish(term, target.side != "-") for term in self.meta.asserted]
        return wishes

    def _extra(self, target: MonitorTarget, rng: Random) -> list[str]:
        """Further constraints on the constants: few of them change, corner cases are preferred."""
        holes = self.skeleton.holes
        extra: list[str] = []
        if rng.random() < self.strategy.keep:
            extra += keep_most_constants(holes, self.meta.monitors[target.monitor].term, rng)
        if rng.random() < self.strategy.near:
            extra += constants_near_the_seeds(holes, rng)
        if rng.random() < self.strategy.maxsmt:
            extra += corner_case_wishes(holes, rng)
        if not target.side and rng.random() < self.strategy.claimed:
            extra += self.meta.original("+")
        return extra

    def _learn(self, target: MonitorTarget, solution: HoleAssignment) -> None:
        self.coverage.note(target, TargetOutcome.SAT)
        for number, value in solution.monitors.items():
            self.coverage.see(number, value=value)

    def _value_mutant(
        self,
        constants: Mapping[int, Term],
        enforced: list[tuple[int, bool]],
        what: str,
        solution: HoleAssignment | None = None,
    ) -> Iterator[Mutant]:
        """The seed with these constants (φ^sub), unless it was made before; sat if the model satisfies it."""
        text, changes = self._filled(constants, enforced if self.strategy.effinal else ())
        if text in self._made:
            return
        self._made.add(text)
        model = solution.model if solution is not None and self.strategy.witnessed else None
        claim = witnessed_claim(text, model) if model is not None else None
        is_model = claim is not None and None not in claim.verdicts
        if solution is not None and is_model and len(constants) == len(self.skeleton.holes):
            # The model of φ^test is one of φ^sub as well, so its monitors are covered in both.
            self.coverage.in_mutants.update(dict.fromkeys(solution.monitors.items()))
        if self.strategy.measured and self._lab is not None:
            for value in values_in_mutant(text, self.meta, constants, self._lab):
                self.coverage.in_mutants[value] = None
        yield Mutant(text, claim, lineage=(what, *changes, *self.meta.notes, self._coverage_line()))

    def _filled(
        self, constants: Mapping[int, Term], enforced: Sequence[tuple[int, bool]] = ()
    ) -> tuple[str, list[str]]:
        """The text with these constants, and a lineage line for each that differs from the seed's."""
        replacements, lines = {}, []
        for hole in self.skeleton.holes:
            new = constants.get(hole.place, hole.constant)
            if print_term(new) != print_term(hole.constant):
                replacements[hole.place] = new
                lines.append(replacement(f"valfuzz {hole.place}", hole.constant, new))
        further = self.meta.final(enforced, constants) if enforced else ()
        return self.skeleton.filled(replacements, further), lines

    def _described(self, target: MonitorTarget, enforced: list[tuple[int, bool]]) -> str:
        values = [
            f"{abbreviated(self.meta.monitors[number].term)} {'true' if value else 'false'}"
            for number, value in enforced
        ]
        sides = {"+": ", the skeleton asserted", "-": ", the skeleton negated", "": ""}[target.side]
        return f"valfuzz: enforced {' and '.join(values)}{sides}"

    def _coverage_line(self) -> str:
        return f"valfuzz: coverage {self.coverage}"


def _better(one: TargetOutcome, other: TargetOutcome) -> TargetOutcome:
    """The more informative outcome, of those from solvers or models of one enforcement."""
    order = (TargetOutcome.SAT, TargetOutcome.UNSAT, TargetOutcome.CONFLICT, TargetOutcome.LATE)
    return next((outcome for outcome in order if outcome in (one, other)), TargetOutcome.UNKNOWN)
