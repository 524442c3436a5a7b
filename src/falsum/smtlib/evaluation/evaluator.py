"""The reference evaluator: the value of a term under a model, without a solver.

    evaluate(term, model) -> Value | CannotSay

It never guesses: where a model, a budget or the standard leaves something open, the result is CannotSay with
the reason, unless every choice gives the same value. There is no recursion over terms, and shared terms are
evaluated once.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any, Final

from falsum.smtlib.evaluation.machine import FUELS, OUT_OF_STEPS, Evaluation
from falsum.smtlib.evaluation.programs import UNDECIDED, program_of
from falsum.smtlib.models.model import Model
from falsum.smtlib.printing.values_as_terms import write_value
from falsum.smtlib.scripts import Assert, Script
from falsum.smtlib.terms import Term, Value
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.functions import Closure, OpenPoint

STEPS: Final = 2_000_000
# The most combinations of choices at open points that are tried.
_MOST_COMBINATIONS: Final = 64


def evaluate(term: Term, model: Model, steps: int = STEPS) -> Value | CannotSay:
    """The value of a term under a model, or CannotSay with the reason."""
    result = payload_of(term, model, steps)
    if isinstance(result, CannotSay):
        return result
    if isinstance(result, Closure):
        return CannotSay("a function value cannot be written")
    return write_value(term.sort, result)


def truth(term: Term, model: Model, steps: int = STEPS) -> bool | CannotSay:
    """Whether a formula holds under a model, or CannotSay with the reason."""
    (result,) = truths(Script((Assert(term),)), model, steps)
    return result


def payload_of(term: Term, model: Model, steps: int = STEPS, *, is_cautious: bool = False) -> Any:
    """The payload of a term's value under a model, or CannotSay."""
    evaluation = Evaluation(model, steps, is_cautious=is_cautious)
    result = _with_growing_fuel(evaluation, term, steps)
    if isinstance(result, CannotSay) and evaluation.open_points:
        return _under_every_choice(term, evaluation, steps, result)
    return result


def _with_growing_fuel(evaluation: Evaluation, term: Term, steps: int) -> Any:
    """The payload of a term; recursion may go deeper only if a little of it does not suffice."""
    program = program_of(term)
    if program is not None:
        evaluation.fuel, evaluation.steps, evaluation.is_exhausted = FUELS[0], steps, False
        result = program.run(evaluation)
        if evaluation.is_exhausted:
            evaluation.forget()
        elif result is not UNDECIDED:
            return result
    for fuel in FUELS:
        evaluation.fuel, evaluation.steps, evaluation.is_exhausted = fuel, steps, False
        result = evaluation.run(term)
        if not evaluation.is_exhausted:
            break
        evaluation.forget()
        if result is OUT_OF_STEPS or not isinstance(result, CannotSay):
            break
    return result


def truths(script: Script, model: Model, steps: int = STEPS) -> list[bool | CannotSay]:
    """Whether each assertion of a script holds; shared terms are evaluated once."""
    evaluation = Evaluation(model, steps)
    out: list[bool | CannotSay] = []
    for term in script.assertions:
        result = _with_growing_fuel(evaluation, term, steps)
        if isinstance(result, CannotSay) and evaluation.open_points:
            # On its own, so that only its own open points count.
            result = payload_of(term, model, steps)
        if result is False and (model.listed or evaluation.domains.met_unsized):
            result = _cautiously(term, model, steps)
        if isinstance(result, CannotSay) and evaluation.domains.met_universe:
            result = True if _holds_with_full_universes(term, model, steps) else result
        out.append(result)
    return out


def _cautiously(term: Term, model: Model, steps: int) -> bool | CannotSay:
    """False if a formula is false for every number of elements of the declared sorts."""
    if payload_of(term, _opened(model), steps, is_cautious=True) is False:
        return False
    return CannotSay("the solver may mean elements that it does not list, or fewer than is assumed")


def _holds_with_full_universes(term: Term, model: Model, steps: int) -> bool:
    """Whether a formula holds if `set.universe` has all elements of its sort.

    cvc5 may use any set that contains all others, so a formula that is false with this one may still hold.
    """
    evaluation = Evaluation(model, steps)
    evaluation.domains.has_full_universes = True
    return _with_growing_fuel(evaluation, term, steps) is True


def _opened(model: Model) -> Model:
    """The model with universes that may have more elements than those listed.

    A formula that holds with the listed elements alone is satisfiable, since they are a universe; one that
    fails with them may still hold in the solver's model.
    """
    universes = {sort: universe for sort, universe in model.universes.items() if sort not in model.listed}
    return replace(model, universes=universes)


def _under_every_choice(term: Term, before: Evaluation, steps: int, otherwise: CannotSay) -> Any:
    """The value for all choices at the open points, if it is the same; points with many choices stay open."""
    points: list[OpenPoint] = []
    combinations = 1
    for point in before.open_points:
        if point.choices and combinations * len(point.choices) <= _MOST_COMBINATIONS:
            combinations *= len(point.choices)
            points.append(point)
    if not points:
        return otherwise
    answers = set()
    for choice in product(*(point.choices for point in points)):
        evaluation = Evaluation(before.model, steps, before)
        evaluation.choices = dict(zip(points, choice, strict=True))
        answer = evaluation.run(term)
        if isinstance(answer, CannotSay | Closure):
            return otherwise
        answers.add(answer)
    return answers.pop() if len(answers) == 1 else otherwise
