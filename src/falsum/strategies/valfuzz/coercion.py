"""HoleSolver: solves a φ^test with the solvers of a lab, and reads the constants for the holes from the
model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple

from falsum.errors import ScriptError
from falsum.smtlib import Script
from falsum.smtlib.evaluation.evaluator import payload_of
from falsum.smtlib.models.model import Model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.terms import Term
from falsum.smtlib.values.algebraic import Algebraic
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.functions import Closure
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.names import profile_of
from falsum.solvers.request import Request, Want
from falsum.strategies.valfuzz.coverage import TargetOutcome
from falsum.strategies.valfuzz.holes import Hole
from falsum.strategies.valfuzz.monitors import Monitor
from falsum.strategies.valfuzz.random_constants import has_elements
from falsum.strategies.valfuzz.wishes import differs

_CHECK: Final = "(check-sat)\n"
_STEPS: Final = 100_000


class HoleAssignment(NamedTuple):
    """The result for a φ^test: constants by the place of their hole, values of monitors by their number."""

    outcome: TargetOutcome
    solver: str = ""
    constants: Mapping[int, Term] = MappingProxyType({})
    monitors: Mapping[int, bool] = MappingProxyType({})
    model: Model | None = None


@dataclass(slots=True)
class HoleSolver:
    """Asks the solvers of a lab in random order until one decides; notes which reject options.

    `declared` has all declarations that models refer to. A share `varied` of the calls has options that
    change models, and a random seed of at most `random_seeds`; 0 means none. Without them models have simple
    values, zeros above all, which are corner cases.
    """

    lab: Lab
    declared: Script
    holes: tuple[Hole, ...]
    monitors: tuple[Monitor, ...]
    seconds: float
    random_seeds: int
    varied: float = 1.0
    _without_options: set[str] = field(default_factory=set)
    _without_soft: set[str] = field(default_factory=set)

    def solutions(
        self, test: str, count: int, rng: Random, extra: Sequence[str] = ()
    ) -> Iterator[HoleAssignment]:
        """At most `count` solutions with different constants; the last one may be a failure.

        The `extra` constraints on constants are dropped if there is no solution with them.
        """
        blocking: list[str] = []
        for _ in range(count):
            solution = self._solution(test, (*blocking, *extra), rng)
            if solution.outcome is not TargetOutcome.SAT and extra:
                extra = ()
                solution = self._solution(test, tuple(blocking), rng)
            yield solution
            if solution.outcome is not TargetOutcome.SAT or not solution.constants:
                return
            blocking.append(self._blocking_clause(solution.constants))

    def of_all_solvers(self, test: str) -> Iterator[HoleAssignment]:
        """The answer of each solver to an unchanged φ^test: if it is a mutant, they have answered already."""
        for solver in self.lab.solvers:
            yield self._read(solver, self.lab.ask(Request(solver, test, Want.MODEL, seconds=self.seconds)))

    def _solution(self, test: str, further: Sequence[str], rng: Random) -> HoleAssignment:
        question = test.removesuffix(_CHECK) + "".join(further) + _CHECK
        is_soft = any(line.startswith("(assert-soft") for line in further)
        random_seed = rng.randrange(self.random_seeds + 1) if rng.random() < self.varied else 0
        without_constants = HoleAssignment(TargetOutcome.UNKNOWN)
        is_late = False
        for solver in rng.sample(self.lab.solvers, len(self.lab.solvers)):
            if is_soft and solver in self._without_soft:
                continue
            answer = self._answer(solver, question, random_seed, rng)
            if is_soft and answer.ending.kind is EndingKind.REJECTED:
                self._without_soft.add(solver)
            solution = self._read(solver, answer)
            if solution.outcome is TargetOutcome.UNSAT or solution.constants:
                return solution
            is_late = is_late or solution.outcome is TargetOutcome.LATE
            if solution.outcome is TargetOutcome.SAT:
                without_constants = solution  # the next solver's model may have values for the holes
        if is_late and without_constants.outcome is TargetOutcome.UNKNOWN:
            return HoleAssignment(TargetOutcome.LATE)
        return without_constants

    def _read(self, solver: str, answer: Answer) -> HoleAssignment:
        """The assignment in an answer; UNKNOWN for a model in a dialect that falsum does not read."""
        if answer.ending.kind is EndingKind.TIMED_OUT:
            return HoleAssignment(TargetOutcome.LATE)
        if answer.verdict is Verdict.UNSAT:
            return HoleAssignment(TargetOutcome.UNSAT, solver)
        if answer.verdict is Verdict.SAT and answer.model is not None:
            try:
                model = read_model(answer.model, self.declared)
            except ScriptError:
                return HoleAssignment(TargetOutcome.UNKNOWN)
            values = self._constants(model), self._values(model)
            return HoleAssignment(TargetOutcome.SAT, solver, *values, model)
        return HoleAssignment(TargetOutcome.UNKNOWN)

    def _answer(self, solver: str, text: str, random_seed: int, rng: Random) -> Answer:
        """The answer with options that change models, drawn from the solver's profile (Appendix B).

        A release that rejects them runs without; with a random seed of 0, all do.
        """
        options = self._drawn_options(solver, random_seed, rng) if random_seed else ""
        if options and solver not in self._without_options:
            # Only a plain check minds soft constraints.
            is_soft = "(assert-soft" in text
            check = "(check-sat)" if is_soft else rng.choice(profile_of(solver).model_checks)
            varied = f"{options}{text.removesuffix(_CHECK)}{check}\n"
            answer = self.lab.ask(Request(solver, varied, Want.MODEL, seconds=self.seconds))
            if answer.ending.kind is not EndingKind.REJECTED:
                return answer
            plain = self.lab.ask(Request(solver, text, Want.MODEL, seconds=self.seconds))
            if plain.ending.kind is not EndingKind.REJECTED:
                self._without_options.add(solver)
            return plain
        return self.lab.ask(Request(solver, text, Want.MODEL, seconds=self.seconds))

    def _drawn_options(self, solver: str, random_seed: int, rng: Random) -> str:
        options = [(name, rng.choice(values)) for name, values in profile_of(solver).model_options]
        return "".join(
            f"(set-option :{name} {random_seed if value == '#' else value})\n"
            for name, value in options
            if value
        )

    def _constants(self, model: Model) -> dict[int, Term]:
        """The constants of a model; a hole without a value keeps the seed's constant."""
        constants = {}
        for hole in self.holes:
            if hole.function in model.definitions:
                term = _constant(hole, model)
                if term is not None:
                    constants[hole.place] = term
        return constants

    def _values(self, model: Model) -> dict[int, bool]:
        values = {}
        for number, monitor in enumerate(self.monitors):
            if monitor.function in model.definitions:
                value = payload_of(monitor.variable, model, _STEPS)
                if isinstance(value, bool):
                    values[number] = value
        return values

    def _blocking_clause(self, constants: Mapping[int, Term]) -> str:
        """A clause that excludes these constants, so that the next model has others."""
        return differs((h, constants[h.place]) for h in self.holes if h.place in constants)


def _constant(hole: Hole, model: Model) -> Term | None:
    """The value of a hole as a constant that every solver reads; None if it cannot be written so."""
    payload = payload_of(hole.variable, model, _STEPS)
    if isinstance(payload, CannotSay | Closure | Algebraic):
        return None
    term = value_term(hole.sort, payload, model.datatypes)
    return None if term is None or has_elements(term) else term
