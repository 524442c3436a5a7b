"""Evaluates quantifiers by instances: all of them over a finite domain, otherwise some."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.evaluation import functions
from falsum.smtlib.evaluation.quantifiers.elimination import decided
from falsum.smtlib.samples import instantiation_values
from falsum.smtlib.terms import Quantifier
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.walk import subterms

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation

# The most instances of a quantifier that are tried, over a finite domain and over an infinite one.
_MOST_INSTANCES: Final = 20_000
_SOME_INSTANCES: Final = 64
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
            found = evaluation.known(self.term.body)
            assert found is not None
            evaluation.leave(self.scope)
            self.scope = None
            if isinstance(found[1], CannotSay):
                # Not the open point itself, which depends on the instance.
                self.unsure = self.unsure or CannotSay(found[1].reason)
            elif found[1] is decisive:
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
    listed = evaluation.candidates.get(term)
    if listed is None:
        parts = list(subterms(term.body))
        # A look at a part costs a fraction of a step; without that, quantifiers in quantifiers cost nothing
        # and take long.
        evaluation.steps -= len(parts) >> 1
        listed = [instantiation_values(b.sort, evaluation.model, parts) for b in term.binders]
        evaluation.candidates[term] = listed
    some = product(*listed)
    evaluation.todo.append(QuantifierFrame(term, islice(some, _SOME_INSTANCES), False, price))
