"""ModelValues: the values of terms under a model, and terms that have the same value as a given one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from falsum.smtlib.evaluation.evaluator import payload_of
from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.models.model import Model
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.terms import Head, Term, Value, app
from falsum.smtlib.theories import OPERATORS, kind_of
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.functions import OpenPoint
from falsum.smtlib.walk import free_variables
from falsum.strategies.growth import NO_VALUE, ExpressionPool, PlaceScope, literal

# Steps of one evaluation, and cached values after which the cache is cleared.
_STEPS: Final = 20_000
_MAX_CACHED: Final = 50_000
# Expressions of a seed that are evaluated in advance.
_MAX_TERMS: Final = 1000
# After all commands, outside all binders.
_OUTERMOST: Final = PlaceScope({}, 1 << 60)


class ModelValues:
    """The values of terms under one model; `pool` holds the expressions of the seed."""

    def __init__(self, model: Model, pool: ExpressionPool) -> None:
        self._model = model
        self._pool = pool
        self._evaluation = Evaluation(model, _STEPS)
        self._by_value: dict[tuple[Sort, Any], list[Term]] = {}
        self._conditions: list[tuple[Term, bool]] = []
        candidates = [term for terms in pool.by_sort.values() for term in terms][:_MAX_TERMS]
        for term in candidates:
            # A term with a free bound variable has no value of its own.
            payload = self._run(term) if pool.fits(term, _OUTERMOST) else None
            if payload is not None and not isinstance(payload, NO_VALUE):
                self._by_value.setdefault((term.sort, payload), []).append(term)
                if term.sort is BOOL and not isinstance(term, Value):
                    self._conditions.append((term, payload))

    def payload(self, term: Term, scope: PlaceScope) -> Any:
        """The value of a term at a place; CannotSay if it has free variables or cannot be evaluated."""
        if scope.binders and free_variables(term):
            return CannotSay("a variable is free")
        return self._run(term)

    def _run(self, term: Term) -> Any:
        if len(self._evaluation.closed) > _MAX_CACHED:
            self._evaluation = Evaluation(self._model, _STEPS)
        self._evaluation.steps = _STEPS
        return self._evaluation.run(term)

    def holds(self, assertion: Term) -> bool:
        """Whether an assertion is certainly true; values of its subterms are cached."""
        result = self._run(assertion)
        if isinstance(result, CannotSay | OpenPoint) and self._evaluation.open_points:
            result = payload_of(assertion, self._model, _STEPS)
        return result is True

    def equal_term(self, term: Term, scope: PlaceScope, rng: Random) -> Term | None:
        """Another term with the same value that may stand at the place; None if the draw gives none."""
        payload = self.payload(term, scope)
        if isinstance(payload, NO_VALUE):
            return None
        term_made = rng.choice(_METHODS)(self, term, payload, scope, rng)
        return None if term_made is term else term_made

    def _same_value(self, term: Term, payload: Any, scope: PlaceScope, rng: Random) -> Term | None:
        """An expression of the seed that happens to have the value."""
        terms = self._by_value.get((term.sort, payload), ())
        chosen = rng.choice(terms) if terms else None
        return chosen if chosen is not None and self._pool.fits(chosen, scope) else None

    def _literal(self, term: Term, payload: Any, _scope: PlaceScope, _rng: Random) -> Term | None:
        """The value itself."""
        return literal(term.sort, payload, self._model)

    def _conditional(self, term: Term, _payload: Any, scope: PlaceScope, rng: Random) -> Term | None:
        """An `ite` with the term in the branch that is taken, and any expression in the other."""
        if not self._conditions or not kind_of(term.sort).is_first_class:
            return None
        condition, holds = rng.choice(self._conditions)
        other = self._pool.pick(term.sort, scope, term, rng)
        if other is None or not self._pool.fits(condition, scope):
            return None
        return app(_ITE, (condition, term, other) if holds else (condition, other, term))

    def _shifted(self, term: Term, payload: Any, scope: PlaceScope, rng: Random) -> Term | None:
        """Another expression of the seed with the difference of the two values added."""
        other = self._pool.pick(term.sort, scope, term, rng)
        other_payload = CannotSay("no other expression") if other is None else self.payload(other, scope)
        difference = kind_of(term.sort).difference
        if other is None or isinstance(other_payload, NO_VALUE) or difference is None:
            return None
        step = difference(term.sort, payload, other_payload, rng)
        literal_text = None if step is None else literal(term.sort, step.payload, self._model)
        if step is None or literal_text is None:
            return None
        return app(Head(OPERATORS[step.operator]), (other, literal_text))


_ITE: Final = Head(OPERATORS["ite"])
_Method = Callable[[ModelValues, Term, Any, PlaceScope, Random], Term | None]
# A method listed twice is drawn twice as often.
_METHODS: Final[tuple[_Method, ...]] = (
    ModelValues._same_value,  # noqa: SLF001 - this module's own
    ModelValues._same_value,  # noqa: SLF001
    ModelValues._literal,  # noqa: SLF001
    ModelValues._conditional,  # noqa: SLF001
    ModelValues._shifted,  # noqa: SLF001
    ModelValues._shifted,  # noqa: SLF001
)
