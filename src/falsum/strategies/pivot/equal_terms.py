"""Complication: terms that are worth the same under a model, and whether a changed assertion still holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any, Final

from falsum.smtlib.evaluation.evaluator import payload_of
from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.models.model import Model
from falsum.smtlib.sorts import BOOL, REGLAN, Sort
from falsum.smtlib.terms import Head, Term, Value, app
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.functions import OpenPoint
from falsum.smtlib.walk import free_variables
from falsum.strategies.growth.candidates import Pool, Spot
from falsum.strategies.growth.literals import UNKNOWN, literal

# What one evaluation may cost, and how many values are remembered before all are forgotten.
_STEPS: Final = 20_000
_MOST_REMEMBERED: Final = 50_000
# Terms of a seed whose values are looked up.
_MOST_TERMS: Final = 1000
# Behind all commands, outside all binders.
_OUTSIDE: Final = Spot({}, 1 << 60)


class Values:
    """What terms are worth under one model; `pool` has the terms of the seed."""

    def __init__(self, model: Model, pool: Pool) -> None:
        self._model = model
        self._pool = pool
        self._evaluation = Evaluation(model, _STEPS)
        self._twins: dict[tuple[Sort, Any], list[Term]] = {}
        self._conditions: list[tuple[Term, bool]] = []
        listed = [term for terms in pool.by_sort.values() for term in terms][:_MOST_TERMS]
        for term in listed:
            # What uses a bound variable has no value of its own.
            payload = self._run(term) if pool.fits(term, _OUTSIDE) else None
            if payload is not None and not isinstance(payload, UNKNOWN):
                self._twins.setdefault((term.sort, payload), []).append(term)
                if term.sort is BOOL and not isinstance(term, Value):
                    self._conditions.append((term, payload))

    def payload(self, term: Term, spot: Spot) -> Any:
        """The value of a term at a spot; CannotSay if it has free variables, or if it cannot be found."""
        if spot.binders and free_variables(term):
            return CannotSay("a variable is free")
        return self._run(term)

    def _run(self, term: Term) -> Any:
        if len(self._evaluation.closed) > _MOST_REMEMBERED:
            self._evaluation = Evaluation(self._model, _STEPS)
        self._evaluation.steps = _STEPS
        return self._evaluation.run(term)

    def holds(self, assertion: Term) -> bool:
        """Whether an assertion is certainly true. What is known of its parts is not found out again."""
        result = self._run(assertion)
        if isinstance(result, CannotSay | OpenPoint) and self._evaluation.open_points:
            result = payload_of(assertion, self._model, _STEPS)
        return result is True

    def complicated(self, term: Term, spot: Spot, rng: Random) -> Term | None:
        """Another term of the same value that may stand at the spot, or None if the draw gives none."""
        payload = self.payload(term, spot)
        if isinstance(payload, UNKNOWN):
            return None
        made = rng.choice(_WAYS)(self, term, payload, spot, rng)
        return None if made is term else made

    # -- ways ----------------------------------------------------------------------------------------

    def _twin(self, term: Term, payload: Any, spot: Spot, rng: Random) -> Term | None:
        """An expression of the seed that happens to have the value."""
        twins = self._twins.get((term.sort, payload), ())
        chosen = rng.choice(twins) if twins else None
        return chosen if chosen is not None and self._pool.fits(chosen, spot) else None

    def _written(self, term: Term, payload: Any, _spot: Spot, _rng: Random) -> Term | None:
        """The value itself."""
        return literal(term.sort, payload, self._model)

    def _guarded(self, term: Term, _payload: Any, spot: Spot, rng: Random) -> Term | None:
        """The term in the branch that is taken, anything in the other."""
        # Solvers do not choose between languages.
        if not self._conditions or term.sort is REGLAN:
            return None
        condition, holds = rng.choice(self._conditions)
        other = self._pool.pick(term.sort, spot, term, rng)
        if other is None or not self._pool.fits(condition, spot):
            return None
        return app(_ITE, (condition, term, other) if holds else (condition, other, term))

    def _shifted(self, term: Term, payload: Any, spot: Spot, rng: Random) -> Term | None:
        """Another expression of the seed, with what is missing added to it."""
        other = self._pool.pick(term.sort, spot, term, rng)
        worth = CannotSay("nothing") if other is None else self.payload(other, spot)
        if other is None or isinstance(worth, UNKNOWN) or term.sort.name not in _SHIFTS:
            return None
        operator, difference = _SHIFTS[term.sort.name](payload, worth, term.sort, rng)
        missing = None if difference is None else literal(term.sort, difference, self._model)
        if missing is None:
            return None
        return app(Head(OPERATORS[operator]), (other, missing))


_ITE: Final = Head(OPERATORS["ite"])
_Way = Callable[[Values, Term, Any, Spot, Random], Term | None]
_WAYS: Final[tuple[_Way, ...]] = (
    Values._twin,  # noqa: SLF001 - this module's own
    Values._twin,  # noqa: SLF001
    Values._written,  # noqa: SLF001
    Values._guarded,  # noqa: SLF001
    Values._shifted,  # noqa: SLF001
    Values._shifted,  # noqa: SLF001
)


# -- what is missing between two values: an operator, and the payload of its second argument -----------


def _number_shift(want: Any, have: Any, _sort: Sort, _rng: Random) -> tuple[str, Any]:
    exact = isinstance(want, int | Fraction) and isinstance(have, int | Fraction)
    return "+", want - have if exact else None


def _bits_shift(want: int, have: int, sort: Sort, rng: Random) -> tuple[str, Any]:
    width = sort.indices[0]
    assert isinstance(width, int)
    operator = rng.choice(("bvadd", "bvxor", "bvsub"))
    if operator == "bvxor":
        return operator, want ^ have
    return operator, (want - have if operator == "bvadd" else have - want) % (1 << width)


def _truth_shift(want: bool, have: bool, _sort: Sort, rng: Random) -> tuple[str, Any]:
    operator = rng.choice(("xor", "="))
    return operator, (want is not have) if operator == "xor" else want is have


def _word_shift(want: str, have: str, _sort: Sort, _rng: Random) -> tuple[str, Any]:
    return "str.++", want[len(have) :] if want.startswith(have) else None


_SHIFTS: Final[dict[str, Callable[[Any, Any, Sort, Random], tuple[str, Any]]]] = {
    "Int": _number_shift,
    "Real": _number_shift,
    "BitVec": _bits_shift,
    "Bool": _truth_shift,
    "String": _word_shift,
}
