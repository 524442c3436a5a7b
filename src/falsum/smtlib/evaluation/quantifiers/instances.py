"""Evaluates quantifiers by instances: all of them over a finite domain, otherwise some."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.evaluation import functions
from falsum.smtlib.evaluation.quantifiers.elimination import decided
from falsum.smtlib.evaluation.settled import settled
from falsum.smtlib.samples import instantiation_values
from falsum.smtlib.sorts import INT, Sort
from falsum.smtlib.terms import App, Function, Quantifier, Term, Value
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.walk import free_variable_table, subterms

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation

# The most instances of a quantifier that are tried, over a finite domain and over an infinite one.
_MOST_INSTANCES: Final = 20_000
_SOME_INSTANCES: Final = 128
# The most ground terms of a body, and values of a model, that variables of a sort are instantiated with.
_MOST_TERMS: Final = 12
# The cost of a step inside a quantifier.
_PRICE: Final = 4


@dataclass(slots=True, eq=False)
class QuantifierFrame:
    """Evaluates the instances of a quantifier in turn until one decides."""

    term: Quantifier
    instances: Iterator[tuple[Any, ...]]
    is_complete: bool
    price: int
    scope: functions.EnteredScope | None = None
    unsure: CannotSay | None = None

    def resume(self, evaluation: Evaluation) -> None:
        decisive = self.term.kind == "exists"
        if self.scope is not None:
            entry = evaluation.known(self.term.body)
            assert entry is not None
            evaluation.leave(self.scope)
            self.scope = None
            if isinstance(entry[1], CannotSay):
                # Not the open point itself, which depends on the instance.
                self.unsure = self.unsure or CannotSay(entry[1].reason)
            elif entry[1] is decisive:
                self._finish(evaluation, decisive)
                return
        instance = next(self.instances, None)
        if instance is not None:
            self.scope = evaluation.enter(self.term.binders, instance)
            evaluation.todo.append(self.term.body)
        elif self.unsure is not None:
            self._finish(evaluation, self.unsure)
        elif self.is_complete:
            self._finish(evaluation, not decisive)
        else:
            self._finish(evaluation, CannotSay(f"{self.term.kind} over an infinite or large domain"))

    def _finish(self, evaluation: Evaluation, payload: Any) -> None:
        evaluation.todo.pop()
        evaluation.price = self.price
        evaluation.finish(self.term, evaluation.here, payload)


def quantify(evaluation: Evaluation, term: Quantifier) -> None:
    evaluation.todo.pop()
    price, evaluation.price = evaluation.price, _PRICE
    domains = [evaluation.domains.of(binder.sort) for binder in term.binders]
    count = 1
    for domain in domains:
        count = count * len(domain) if domain is not None else _MOST_INSTANCES + 1
    if count <= _MOST_INSTANCES:
        every = product(*(domain for domain in domains if domain is not None))
        evaluation.todo.append(QuantifierFrame(term, every, True, price))
        return
    if term not in evaluation.not_linear:
        holds = decided(evaluation, term)
        if holds is not None:
            evaluation.price = price
            evaluation.finish(term, evaluation.here, holds)
            return
        evaluation.not_linear.add(term)
    candidates = evaluation.candidates.get(term)
    if candidates is None:
        candidates = evaluation.candidates[term] = _candidates(evaluation, term)
    some = _near_first(candidates)
    evaluation.todo.append(QuantifierFrame(term, islice(some, _SOME_INSTANCES), False, price))


def _candidates(evaluation: Evaluation, term: Quantifier) -> list[list[Any]]:
    """For each variable the values that may decide: values of ground terms of the body, points at which
    functions of the model are defined, and constants.
    """
    parts = list(subterms(term.body))
    # A look at a part costs a fraction of a step; without that, quantifiers in quantifiers cost nothing and
    # take long.
    evaluation.steps -= len(parts) >> 1
    free = free_variable_table(term.body)
    ground = [part for part in parts if not free[part]]
    return [
        list(
            dict.fromkeys(
                [
                    *_values_of_terms(evaluation, binder.sort, ground),
                    *_values_in_model(evaluation, binder.sort, parts),
                    *instantiation_values(binder.sort, evaluation.model, parts),
                ]
            )
        )
        for binder in term.binders
    ]


def _values_of_terms(evaluation: Evaluation, sort: Sort, ground: list[Term]) -> list[Any]:
    """The values of ground terms; for integers also their neighbours, at which comparisons change."""
    values: list[Any] = []
    for part in ground:
        if part.sort is sort and isinstance(part, App) and len(values) < _MOST_TERMS:
            value = settled(evaluation, sort, evaluation.apart(part))
            if not isinstance(value, CannotSay):
                values += [value, value + 1, value - 1] if sort is INT else [value]
    return values


def _values_in_model(evaluation: Evaluation, sort: Sort, parts: list[Term]) -> list[Any]:
    """Constants in the definitions of functions that the body applies."""
    symbols = {part.head.symbol: None for part in parts if isinstance(part, App) and part.args}
    values: dict[Any, None] = {}
    for symbol in symbols:
        definition = evaluation.model.definition_of(symbol) if isinstance(symbol, Function) else None
        for part in () if definition is None else subterms(definition.body):
            evaluation.steps -= 1
            if isinstance(part, Value) and part.sort is sort and not isinstance(part.payload, CannotSay):
                values[part.payload] = None
            if len(values) >= _MOST_TERMS:
                return list(values)
    return list(values)


def _near_first(candidates: list[list[Any]]) -> Iterator[tuple[Any, ...]]:
    """Combinations of values, first those near the beginning of their lists."""
    longest = max(map(len, candidates))
    for furthest in range(longest):
        for place in range(len(candidates)):
            if furthest >= len(candidates[place]):
                continue
            # Variables before this one stay nearer, so that every combination comes once.
            before = [values[:furthest] for values in candidates[:place]]
            after = [values[: furthest + 1] for values in candidates[place + 1 :]]
            yield from product(*before, [candidates[place][furthest]], *after)
