"""HoleSearch: constants for the holes by local search with falsum's own evaluator, without a solver.

Holes, symbols of the seed and further variables of the meta-formula get values, first mostly those of the
seed and random ones. Then one value at a time is changed so that the branch distance of what is to hold
becomes less, or stays the same, until all of it holds. A failed search proves nothing about a target.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any, Final, NamedTuple

from falsum.smtlib import Script, read_script
from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.models.model import Definition, Model, bare_model, declared_functions, undefined_symbols
from falsum.smtlib.models.random_models import random_definition, random_model
from falsum.smtlib.printing.values_as_terms import value_term, write_value
from falsum.smtlib.samples import corners, random_value
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import Function, Term, Value, constant
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.functions import Closure
from falsum.strategies.valfuzz.branch_distance import branch_distance, sides_of
from falsum.strategies.valfuzz.coercion import HoleAssignment
from falsum.strategies.valfuzz.coverage import TargetOutcome
from falsum.strategies.valfuzz.holes import Hole
from falsum.strategies.valfuzz.meta_formula import MetaFormula
from falsum.strategies.valfuzz.monitors import Monitor
from falsum.strategies.valfuzz.random_constants import has_elements

EVALUATOR: Final = "the evaluator"
# Evaluation steps for all that is to hold under one model.
_STEPS: Final = 20_000
_CANDIDATES: Final = 6
# The share of moves that are made although they lead away from what is to hold.
_ASTRAY: Final = 0.1


class Wish(NamedTuple):
    """A formula that should be true or false; one that is not needed is optional."""

    term: Term
    wanted: bool
    is_needed: bool = True


class Goal(NamedTuple):
    """A wish, and the symbols that its value depends on."""

    wish: Wish
    symbols: tuple[Function, ...]


@dataclass(slots=True)
class _State:
    """A model, and the distance of each goal under it."""

    model: Model
    distances: list[float]

    @property
    def total(self) -> float:
        return sum(self.distances)

    def has_reached(self, goals: Sequence[Goal]) -> bool:
        """Whether all necessary goals are reached."""
        pairs = zip(goals, self.distances, strict=True)
        return not any(distance and goal.wish.is_needed for goal, distance in pairs)


@dataclass(frozen=True, slots=True)
class HoleSearch:
    """Searches values for the symbols of `declared`, at most `evaluations` models for one solution."""

    declared: Script
    bare: Model
    holes: tuple[Hole, ...]
    monitors: tuple[Monitor, ...]
    evaluations: int

    @classmethod
    def of(cls, meta: MetaFormula, evaluations: int) -> HoleSearch:
        declarations = read_script(meta.declared(()))
        return cls(declarations, bare_model(declarations), meta.skeleton.holes, meta.monitors, evaluations)

    def solutions(self, wishes: Sequence[Wish], count: int, rng: Random) -> Iterator[HoleAssignment]:
        """At most `count` assignments that fulfil the wishes; fewer if a search fails."""
        tied = (Wish(term, wanted=True) for term in self.declared.assertions)
        goals = [Goal(wish, undefined_symbols(self.bare, wish.term)) for wish in (*wishes, *tied)]
        for _ in range(count):
            free = self._free(goals[0], rng)
            model = self._model(goals, free, rng)
            if model is None:
                return
            yield HoleAssignment(
                TargetOutcome.SAT, EVALUATOR, self._constants(model), self._values(model), model
            )

    def _free(self, target: Goal, rng: Random) -> list[Hole]:
        """The holes that may change: one to three, preferably in the target; or all of them."""
        if rng.random() < 0.3:
            return list(self.holes)
        near = [hole for hole in self.holes if hole.function in target.symbols] or list(self.holes)
        choice = rng.sample(near, min(rng.randint(1, 2), len(near)))
        if rng.random() < 0.3:
            choice.append(rng.choice(self.holes))
        return list(dict.fromkeys(choice))

    def _start(self, free: Sequence[Hole], rng: Random) -> Model:
        """Constants of the seed, except for one hole, and random values for everything else."""
        start = random_model(self.declared, rng)
        definitions = {**start.definitions}
        definitions |= {hole.function: Definition((), hole.constant) for hole in self.holes}
        model = replace(start, definitions=definitions)
        other = rng.choice(free)
        candidates = self._candidates(other.function, [], model, rng)
        if candidates:
            definitions[other.function] = rng.choice(candidates)
        return replace(start, definitions=definitions)

    def _model(self, goals: Sequence[Goal], free: Sequence[Hole], rng: Random) -> Model | None:
        movable = set(declared_functions(self.declared))
        movable -= {hole.function for hole in self.holes if hole not in free}
        model = self._start(free, rng)
        evaluation = Evaluation(model, _STEPS)
        state = _State(model, [_distance(goal, evaluation) for goal in goals])
        reached: Model | None = None
        evaluations = self.evaluations
        while evaluations > 0:
            if state.has_reached(goals):
                reached = state.model
            missed = [goal for goal, distance in zip(goals, state.distances, strict=True) if distance]
            if not missed:
                return state.model
            symbols = [symbol for symbol in rng.choice(missed).symbols if symbol in movable]
            if not symbols:
                return reached
            symbol = rng.choice(symbols)
            moves = self._candidates(symbol, missed, state.model, rng)
            if not moves:
                movable.discard(symbol)
                continue
            evaluations -= len(moves)
            best = min((_moved(state, goals, symbol, move) for move in moves), key=lambda one: one.total)
            if best.total <= state.total or rng.random() < _ASTRAY:
                state = best
        return state.model if state.has_reached(goals) else reached

    def _candidates(
        self, symbol: Function, missed: Sequence[Goal], model: Model, rng: Random
    ) -> list[Definition]:
        """Other definitions for a symbol: near its value, beside it in a formula, of the seed, random."""
        if symbol.args:
            definition = random_definition(symbol, model, rng)
            return [definition] if definition is not None else []
        sort = symbol.result
        before = _payload(symbol, model)
        payloads = [*_near(sort, before, rng), *self._beside(symbol, missed, model)]
        payloads = rng.sample(payloads, min(_CANDIDATES - 2, len(payloads)))
        payloads += [random_value(sort, model, rng)]
        cases = corners(sort)
        payloads += [rng.choice(cases)] if cases else []
        definitions = {
            one: Definition((), write_value(sort, one))
            for one in payloads
            if not isinstance(one, CannotSay | Closure) and one != before
        }
        alike = [hole.constant for hole in self.holes if hole.sort is sort]
        literal = [Definition((), rng.choice(alike))] if alike else []
        return [*definitions.values(), *literal]

    def _beside(self, symbol: Function, missed: Sequence[Goal], model: Model) -> Iterator[Any]:
        """The values of terms that formulas compare with a symbol."""
        variable = constant(symbol)
        evaluation = Evaluation(model, _STEPS)
        for goal in missed:
            if symbol in goal.symbols:
                for pair in sides_of(goal.wish.term):
                    if variable in pair:
                        payload = evaluation.run(pair[pair[0] is variable])
                        yield payload
                        if type(payload) is int or isinstance(payload, Fraction):
                            yield from _near(symbol.result, payload, None)

    def _constants(self, model: Model) -> dict[int, Term]:
        constants = {}
        for hole in self.holes:
            body = model.definitions[hole.function].body
            # Constants of the seed are terms of its own writing, others are plain values.
            term = value_term(hole.sort, body.payload, model.datatypes) if isinstance(body, Value) else body
            if term is not None and not has_elements(term):
                constants[hole.place] = term
        return constants

    def _values(self, model: Model) -> Mapping[int, bool]:
        evaluation = Evaluation(model, _STEPS)
        values = {number: evaluation.run(monitor.term) for number, monitor in enumerate(self.monitors)}
        return {number: value for number, value in values.items() if isinstance(value, bool)}


def _distance(goal: Goal, evaluation: Evaluation) -> float:
    distance = branch_distance(goal.wish.term, evaluation).to(value=goal.wish.wanted)
    return 2 * distance if goal.wish.is_needed else distance


def _moved(state: _State, goals: Sequence[Goal], symbol: Function, to: Definition) -> _State:
    """The state with another definition of a symbol; only goals that depend on it are evaluated again."""
    model = replace(state.model, definitions={**state.model.definitions, symbol: to})
    evaluation = Evaluation(model, _STEPS)
    pairs = zip(goals, state.distances, strict=True)
    return _State(
        model,
        [_distance(goal, evaluation) if symbol in goal.symbols else before for goal, before in pairs],
    )


def _payload(symbol: Function, model: Model) -> Any:
    definition = model.definitions.get(symbol)
    return Evaluation(model, _STEPS).run(definition.body) if definition is not None else None


def _near(sort: Sort, payload: Any, rng: Random | None) -> Iterator[Any]:
    """Values that differ slightly; with random numbers, also some that differ more."""
    if isinstance(payload, bool):
        yield not payload
    elif sort.name == "BitVec" and isinstance(payload, int):
        width = sort.indices[0]
        assert isinstance(width, int)
        yield from ((payload + step) % (1 << width) for step in (1, -1))
        if rng is not None:
            yield payload ^ (1 << rng.randrange(width))
            yield ~payload % (1 << width)
    elif sort.name in ("Int", "Real") and isinstance(payload, int | Fraction):
        yield from (payload + 1, payload - 1)
        if rng is not None:
            step = rng.randint(2, 1000)
            yield from (payload + step, payload - step, -payload, payload * 2)
    elif isinstance(payload, str) and rng is not None:
        yield payload[:-1]
        yield payload + rng.choice("abc019")
        yield payload * 2
