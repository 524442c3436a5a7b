"""Solving: a model of φ^test from one of several solvers, and the constants it has for the holes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple

from falsum.errors import ScriptError
from falsum.smtlib import Script
from falsum.smtlib.evaluation.evaluator import payload_of
from falsum.smtlib.models.model import Model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.sampling import corners
from falsum.smtlib.terms import Term
from falsum.smtlib.values.algebraic import Algebraic
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.functions import Closure
from falsum.smtlib.verdict import Verdict
from falsum.smtlib.walk import subterms
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.strategies.valfuzz.coverage import Outcome
from falsum.strategies.valfuzz.holes import Hole
from falsum.strategies.valfuzz.monitors import Monitor
from falsum.strategies.valfuzz.random_constants import has_elements

# The thesis's randomisation flags (Appendix B) as options of a script, in the dialects there are. A solver is
# asked in the first one it does not reject, in the last one without any.
DIALECTS: Final = (
    (
        ":smt.random_seed {number}",
        ":sat.random_seed {number}",
        ":smt.phase_selection 5",
        ":smt.arith.random_initial_value true",
    ),
    (":seed {number}", ":sat-random-seed {number}"),
    (":random-seed {number}",),
    (),
)
_STEPS: Final = 100_000


class Solution(NamedTuple):
    """What a φ^test came to: constants by the place of their hole, values of monitors by number."""

    outcome: Outcome
    solver: str = ""
    constants: Mapping[int, Term] = MappingProxyType({})
    monitors: Mapping[int, bool] = MappingProxyType({})


@dataclass(slots=True)
class Solving:
    """Asks the solvers of a lab in random order until one decides; remembers which dialect each takes."""

    lab: Lab
    declared: Script  # what models are read against
    holes: tuple[Hole, ...]
    monitors: tuple[Monitor, ...]
    seconds: float
    numbers: int  # random numbers for solvers, 0 meaning none
    _dialects: dict[str, int] = field(default_factory=dict)
    _without_soft: set[str] = field(default_factory=set)

    def solutions(self, test: str, most: int, rng: Random, extra: Sequence[str] = ()) -> Iterator[Solution]:
        """Solutions with different constants, at most so many; the last one may be a failure.

        What is `extra` on the choice of constants is dropped if there is no solution with it.
        """
        blocking: list[str] = []
        for _ in range(most):
            solution = self._solution(test, (*blocking, *extra), rng)
            if solution.outcome is not Outcome.SAT and extra:
                extra = ()
                solution = self._solution(test, tuple(blocking), rng)
            yield solution
            if solution.outcome is not Outcome.SAT or not solution.constants:
                return
            blocking.append(self._blocked(solution.constants))

    def _solution(self, test: str, further: Sequence[str], rng: Random) -> Solution:
        asked = test.removesuffix("(check-sat)\n") + "".join(further) + "(check-sat)\n"
        is_soft = any(line.startswith("(assert-soft") for line in further)
        number = rng.randrange(self.numbers + 1)
        bare = Solution(Outcome.UNKNOWN)
        for solver in rng.sample(self.lab.solvers, len(self.lab.solvers)):
            if is_soft and solver in self._without_soft:
                continue
            answer = self._answer(solver, asked, number)
            if is_soft and answer.ending.kind is EndingKind.REJECTED:
                self._without_soft.add(solver)
            if answer.verdict is Verdict.UNSAT:
                return Solution(Outcome.UNSAT, solver)
            if answer.verdict is Verdict.SAT and answer.model is not None:
                try:
                    model = read_model(answer.model, self.declared)
                except ScriptError:
                    continue  # a dialect we do not read: the next solver may do
                found = Solution(Outcome.SAT, solver, self._constants(model), self._values(model))
                if found.constants:
                    return found
                bare = found  # it says nothing of the holes: another solver may
        return bare

    def _answer(self, solver: str, text: str, number: int) -> Answer:
        last = len(DIALECTS) - 1
        place = self._dialects.get(solver, 0) if number else last
        while True:
            options = "".join(f"(set-option {line.format(number=number)})\n" for line in DIALECTS[place])
            answer = self.lab.ask(Request(solver, options + text, Want.MODEL, seconds=self.seconds))
            is_rejected = answer.ending.kind is EndingKind.REJECTED
            if number and not is_rejected:
                self._dialects[solver] = place
            if place == last or not is_rejected:
                return answer
            place += 1

    def _constants(self, model: Model) -> dict[int, Term]:
        """The constants a model has; a hole it says nothing of keeps the seed's."""
        found = {}
        for hole in self.holes:
            if hole.function in model.definitions:
                term = _written(hole, model)
                if term is not None:
                    found[hole.place] = term
        return found

    def _values(self, model: Model) -> dict[int, bool]:
        found = {}
        for number, monitor in enumerate(self.monitors):
            if monitor.function in model.definitions:
                value = payload_of(monitor.variable, model, _STEPS)
                if isinstance(value, bool):
                    found[number] = value
        return found

    def _blocked(self, constants: Mapping[int, Term]) -> str:
        """A clause that excludes these constants: the next model has others."""
        return _different((h, constants[h.place]) for h in self.holes if h.place in constants)


def wishes(holes: Iterable[Hole], rng: Random) -> Iterator[str]:
    """Soft constraints: a corner case for every hole, and another constant than the seed's."""
    for hole in holes:
        basic = corners(hole.sort)
        if basic:
            term = value_term(hole.sort, rng.choice(basic), {})
            if term is not None:
                yield f"(assert-soft (= {hole.name} {print_term(term)}) :weight 2)\n"
        yield f"(assert-soft (not (= {hole.name} {print_term(hole.constant)})) :weight 1)\n"


def keeping(holes: Sequence[Hole], around: Term, rng: Random) -> Iterator[str]:
    """Constraints that keep all constants but one to three, those in the term `around` first."""
    parts = dict.fromkeys(subterms(around))
    near = [hole for hole in holes if hole.variable in parts] or list(holes)
    free = rng.sample(near, min(rng.randint(1, 2), len(near)))
    if rng.random() < 0.25:
        free.append(rng.choice(holes))
    for hole in holes:
        if hole not in free:
            yield f"(assert (= {hole.name} {print_term(hole.constant)}))\n"
    yield _different((hole, hole.constant) for hole in dict.fromkeys(free))


def _different(pairs: Iterable[tuple[Hole, Term]]) -> str:
    """One of the holes has another constant than the given one."""
    differ = [f"(not (= {hole.name} {print_term(term)}))" for hole, term in pairs]
    return f"(assert (or {' '.join(differ)}))\n" if len(differ) > 1 else f"(assert {differ[0]})\n"


def _written(hole: Hole, model: Model) -> Term | None:
    """A hole's value as a constant that every solver reads; None if there is no such thing."""
    payload = payload_of(hole.variable, model, _STEPS)
    if isinstance(payload, CannotSay | Closure | Algebraic):
        return None
    term = value_term(hole.sort, payload, model.datatypes)
    return None if term is None or has_elements(term) else term
