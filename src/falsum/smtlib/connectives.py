"""What is more than a function of payloads: connectives, equality, arrays, application, quantifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, product
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib import calls
from falsum.smtlib.equality import equal, tabulated
from falsum.smtlib.sampling import candidates
from falsum.smtlib.terms import App, Quantifier, Term
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue, normal
from falsum.smtlib.values.functions import Closure

if TYPE_CHECKING:
    from falsum.smtlib.evaluation import Evaluation

# How many instances of a quantifier are tried: all of a finite domain, or some of an infinite one.
_MOST_INSTANCES: Final = 20_000
_SOME_INSTANCES: Final = 64


@dataclass(slots=True)
class JunctionFrame:
    """`and`, `or`, `=>`: the arguments in turn until one decides; an unknown one may still be outvoted."""

    term: App
    decisive: bool
    place: int = 0
    stamp: int = 0
    unsure: CannotSay | None = None

    def resume(self, evaluation: Evaluation) -> None:
        args = self.term.args
        while self.place < len(args):
            found = evaluation.known(args[self.place])
            if found is None:
                evaluation.todo.append(args[self.place])
                return
            stamp, payload = found
            self.stamp = max(self.stamp, stamp)
            if isinstance(payload, CannotSay):
                self.unsure = self.unsure or payload
            elif payload is self._deciding(len(args)):
                self._finish(evaluation, self.decisive)
                return
            self.place += 1
        self._finish(evaluation, self.unsure if self.unsure is not None else not self.decisive)

    def _deciding(self, count: int) -> bool:
        """The payload of the current argument that settles the whole."""
        if self.term.head.symbol.name in ("=>", "implies"):
            return self.place == count - 1
        return self.decisive

    def _finish(self, evaluation: Evaluation, payload: Any) -> None:
        evaluation.todo.pop()
        evaluation.finish(self.term, self.stamp, payload)


@dataclass(slots=True)
class ChoiceFrame:
    """`ite`: the condition, then the branch it chooses; both branches if it is unknown."""

    term: App

    def resume(self, evaluation: Evaluation) -> None:
        condition, first, second = self.term.args
        found = evaluation.parts((condition,))
        if found is None:
            return
        stamp, (chosen,) = found
        wanted: Sequence[Term] = (first, second)
        if not isinstance(chosen, CannotSay):
            wanted = (first,) if chosen else (second,)
        branches = evaluation.parts(wanted)
        if branches is None:
            return
        result = branches[1][0]
        if len(wanted) == 2 and equal(evaluation, first.sort, *branches[1]) is not True:
            result = chosen
        evaluation.todo.pop()
        evaluation.finish(self.term, max(stamp, branches[0]), result)


@dataclass(slots=True)
class QuantifierFrame:
    """The instances of a quantifier in turn until one decides."""

    term: Quantifier
    instances: Iterator[tuple[Any, ...]]
    is_complete: bool
    scope: calls.Scope | None = None
    unsure: CannotSay | None = None

    def resume(self, evaluation: Evaluation) -> None:
        decisive = self.term.kind == "exists"
        if self.scope is not None:
            found = evaluation.known(self.term.body)
            assert found is not None
            evaluation.leave(self.scope)
            self.scope = None
            if isinstance(found[1], CannotSay):
                self.unsure = self.unsure or found[1]
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
        evaluation.finish(self.term, evaluation.here, payload)


def quantify(evaluation: Evaluation, term: Quantifier) -> None:
    evaluation.todo.pop()
    domains = [evaluation.domains.of(binder.sort) for binder in term.binders]
    count = 1
    for domain in domains:
        count = count * len(domain) if domain is not None else _MOST_INSTANCES + 1
    if count <= _MOST_INSTANCES:
        every = product(*(domain for domain in domains if domain is not None))
        evaluation.todo.append(QuantifierFrame(term, every, is_complete=True))
        return
    some = product(*(candidates(b.sort, evaluation.model, term.body) for b in term.binders))
    evaluation.todo.append(QuantifierFrame(term, islice(some, _SOME_INSTANCES), is_complete=False))


def _junction(decisive: bool) -> Callable[[Evaluation, App], None]:
    def start(evaluation: Evaluation, term: App) -> None:
        evaluation.todo[-1] = JunctionFrame(term, decisive)

    return start


def _choice(evaluation: Evaluation, term: App) -> None:
    evaluation.todo[-1] = ChoiceFrame(term)


LAZY: Final[dict[str, Callable[[Evaluation, App], None]]] = {
    "and": _junction(decisive=False),
    "or": _junction(decisive=True),
    "=>": _junction(decisive=True),
    "ite": _choice,
}


def _equals(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    """Chainable: every neighbouring pair; one pair that differs decides."""
    return _all(equal(evaluation, term.args[0].sort, left, right) for left, right in pairwise(payloads))


def _distinct(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    sort = term.args[0].sort
    if len(payloads) > _MANY and not any(isinstance(p, CannotSay | Closure) for p in payloads):
        return len(set(payloads)) == len(payloads)
    answers = (
        equal(evaluation, sort, left, right)
        for place, left in enumerate(payloads)
        for right in payloads[:place]
    )
    return _all(answer if isinstance(answer, CannotSay) else not answer for answer in answers)


_MANY: Final = 32


def _all(answers: Iterator[bool | CannotSay] | Any) -> bool | CannotSay:
    unsure = None
    for answer in answers:
        if answer is False:
            return False
        if isinstance(answer, CannotSay):
            unsure = answer
    return True if unsure is None else unsure


def _index(payloads: Sequence[Any]) -> Any:
    return payloads[0] if len(payloads) == 1 else tuple(payloads)


def _blocked(payloads: Sequence[Any]) -> CannotSay | None:
    for payload in payloads:
        if isinstance(payload, CannotSay):
            return payload
        if isinstance(payload, Closure):
            return CannotSay("an array of functions")
    return None


def _select(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    array, *index = payloads
    if isinstance(array, Closure) and not _blocked(index):
        calls.apply_closure(evaluation, term, evaluation.here, array, index)
        return calls.LATER
    blocked = _blocked(payloads)
    if blocked is not None:
        return blocked
    return array.get(_index(index))


def _store(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    array, *index, value = payloads
    if isinstance(array, Closure):
        array = tabulated(evaluation, array, term.sort) or array
    blocked = _blocked([array, *index, value])
    if blocked is not None:
        return blocked
    domain = evaluation.domains.of(term.sort.args[0]) if len(index) == 1 else None
    return normal(array.default, {**array.entries, _index(index): value}, domain)


def _const(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    del evaluation, term
    blocked = _blocked(payloads)
    return ArrayValue(payloads[0], {}) if blocked is None else blocked


def _apply(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    function, *args = payloads
    blocked = next((p for p in payloads if isinstance(p, CannotSay)), None)
    if blocked is not None:
        return blocked
    if isinstance(function, ArrayValue):
        return function.get(_index(args))
    calls.apply_closure(evaluation, term, evaluation.here, function, args)
    return calls.LATER


def _array_of(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    (function,) = payloads
    if isinstance(function, Closure):
        return tabulated(evaluation, function, term.sort) or function
    return function


def _function_of(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    del evaluation, term
    return payloads[0]


def _as_array(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    del payloads
    name = term.head.text.removeprefix("(_ as-array ").removesuffix(")")
    found = evaluation.model.named.get(name.strip("|"))
    if found is None:
        return CannotSay(f"unknown function {name}")
    return tabulated(evaluation, Closure(found[0]), term.sort) or Closure(found[0])


SPECIAL: Final[dict[str, Callable[[Evaluation, App, list[Any]], Any]]] = {
    "=": _equals,
    "distinct": _distinct,
    "select": _select,
    "store": _store,
    "const": _const,
    "@": _apply,
    "array-of": _array_of,
    "function-of": _function_of,
    "arrow-of": _function_of,
    "as-array": _as_array,
}
