"""Evaluates what is not a function of payloads: connectives, ite, equality."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.evaluation.arrays import ARRAY_OPERATORS
from falsum.smtlib.evaluation.equality import equal
from falsum.smtlib.evaluation.higher_order import HIGHER_ORDER
from falsum.smtlib.evaluation.pointwise import POINTWISE
from falsum.smtlib.sorts import REAL
from falsum.smtlib.terms import App
from falsum.smtlib.theories import kind_of
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.computable import Computable
from falsum.smtlib.values.elements import ArrayValue, Constructed, Element
from falsum.smtlib.values.functions import Closure, OpenPoint

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation


class JunctionFrame:
    """`and`, `or`, `=>`: evaluates arguments in turn until one decides, also if an earlier one is unknown."""

    __slots__ = ("decisive", "is_implication", "place", "stamp", "term", "unsure")

    def __init__(self, term: App, decisive: bool, is_implication: bool) -> None:
        self.term = term
        self.decisive = decisive
        self.is_implication = is_implication
        self.place = 0
        self.stamp = 0
        self.unsure: list[CannotSay] | None = None

    def resume(self, evaluation: Evaluation) -> None:
        args = self.term.args
        last, place, closed = len(args) - 1, self.place, evaluation.closed
        while place <= last:
            arg = args[place]
            if arg in closed:
                payload = closed[arg]
            else:
                entry = evaluation.known(arg)
                if entry is None:
                    self.place = place
                    evaluation.todo.append(arg)
                    return
                stamp, payload = entry
                self.stamp = max(self.stamp, stamp)
            if isinstance(payload, CannotSay):
                self.unsure = [payload] if self.unsure is None else [*self.unsure, payload]
            elif payload is (place == last if self.is_implication else self.decisive):
                self._finish(evaluation, self.decisive)
                return
            place += 1
        undecided = None if self.unsure is None else self._undecided(evaluation, self.unsure)
        self._finish(evaluation, not self.decisive if undecided is None else undecided)

    def _undecided(self, evaluation: Evaluation, unsure: list[CannotSay]) -> CannotSay:
        if self.is_implication:
            return CannotSay(unsure[0].reason)
        # All other arguments are neutral, so the unknown one is the value.
        return unsure[0] if len(unsure) == 1 else evaluation.unsure(self.term, unsure)

    def _finish(self, evaluation: Evaluation, payload: Any) -> None:
        evaluation.todo.pop()
        evaluation.finish(self.term, self.stamp, payload)


class ChoiceFrame:
    """`ite`: evaluates the condition, then one branch, or both if the condition is unknown."""

    __slots__ = ("term",)

    def __init__(self, term: App) -> None:
        self.term = term

    def resume(self, evaluation: Evaluation) -> None:
        condition, first, second = self.term.args
        entry = evaluation.known(condition)
        if entry is None:
            evaluation.todo.append(condition)
            return
        stamp, chosen = entry
        if isinstance(chosen, CannotSay):
            self._both(evaluation, stamp, chosen)
            return
        branch = first if chosen else second
        entry = evaluation.known(branch)
        if entry is None:
            evaluation.todo.append(branch)
            return
        evaluation.todo.pop()
        evaluation.finish(self.term, max(stamp, entry[0]), entry[1])

    def _both(self, evaluation: Evaluation, stamp: int, chosen: CannotSay) -> None:
        """The value if both branches have the same one."""
        branches = evaluation.parts(self.term.args[1:])
        if branches is None:
            return
        result = branches[1][0]
        if equal(evaluation, self.term.sort, *branches[1]) is not True:
            result = evaluation.unsure(self.term, [chosen, *branches[1]])
        evaluation.todo.pop()
        evaluation.finish(self.term, max(stamp, branches[0]), result)


def _junction(decisive: bool, is_implication: bool = False) -> Callable[[Evaluation, App], None]:
    def start(evaluation: Evaluation, term: App) -> None:
        evaluation.todo[-1] = frame = JunctionFrame(term, decisive, is_implication)
        frame.resume(evaluation)

    return start


def _choice(evaluation: Evaluation, term: App) -> None:
    evaluation.todo[-1] = frame = ChoiceFrame(term)
    frame.resume(evaluation)


LAZY: Final[dict[str, Callable[[Evaluation, App], None]]] = {
    "and": _junction(decisive=False),
    "or": _junction(decisive=True),
    "=>": _junction(decisive=True, is_implication=True),
    "ite": _choice,
}


def _equals(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    """Compares neighbouring pairs; the first different pair decides."""
    args = term.args
    if len(payloads) == 2 and payloads[0].__class__ in _SIMPLE and payloads[1].__class__ in _SIMPLE:
        left, right = payloads
        if left.__class__ is ArrayValue and evaluation.domains.is_cautious:
            answer = equal(evaluation, args[0].sort, left, right)
            return CannotSay(answer.reason) if isinstance(answer, CannotSay) else answer
        return left == right
    answers = (
        args[place] is args[place + 1] or equal(evaluation, args[0].sort, left, right)
        for place, (left, right) in enumerate(pairwise(payloads))
    )
    answer = _all(answers)
    return _undecided(evaluation, term, payloads, answer) if isinstance(answer, CannotSay) else answer


def _undecided(evaluation: Evaluation, term: App, payloads: list[Any], answer: CannotSay) -> CannotSay:
    """Equality of open points is an open point itself; anything else is unknown."""
    unknown = [p for p in payloads if isinstance(p, CannotSay | Closure)]
    if unknown and all(isinstance(p, OpenPoint) for p in unknown):
        # Equality is symmetric: the same arguments in another order are the same point.
        return evaluation.unsure(term, sorted(payloads, key=_order) if len(payloads) == 2 else payloads)
    return CannotSay(answer.reason)


def _order(payload: Any) -> int:
    return payload.number if isinstance(payload, OpenPoint) else 0


def _xor(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    """Two occurrences of an open point cancel out."""
    parity = False
    odd: dict[Any, None] = {}
    for payload in payloads:
        if isinstance(payload, OpenPoint):
            if payload in odd:
                del odd[payload]
            else:
                odd[payload] = None
        elif isinstance(payload, CannotSay):
            return CannotSay(payload.reason)
        else:
            parity ^= payload
    return evaluation.unsure(term, [parity, *sorted(odd, key=_order)]) if odd else parity


# Payloads whose equality is Python's.
_SIMPLE: Final = frozenset((int, bool, str, Fraction, ArrayValue, Constructed, Element))


def _distinct(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    sort = term.args[0].sort
    unclear = _CAUTIOUSLY_COMPARED if evaluation.domains.is_cautious else _COMPARED
    has_own = kind_of(sort).equal is not None and sort is not REAL  # approximations aside, as Python's
    if not has_own and not any(isinstance(p, unclear) for p in payloads):
        return len(set(payloads)) == len(payloads)
    if len(payloads) > _MANY:
        return CannotSay("distinct of too many unknown values")
    answers = (
        equal(evaluation, sort, left, right)
        for place, left in enumerate(payloads)
        for right in payloads[:place]
    )
    answer = _all(answer if isinstance(answer, CannotSay) else not answer for answer in answers)
    return _undecided(evaluation, term, payloads, answer) if isinstance(answer, CannotSay) else answer


_MANY: Final = 64
# Payloads whose equality is not Python's.
_COMPARED: Final = (CannotSay, Closure, Computable)
_CAUTIOUSLY_COMPARED: Final = (*_COMPARED, ArrayValue)


def _all(answers: Iterable[bool | CannotSay]) -> bool | CannotSay:
    unsure = None
    for answer in answers:
        if answer is False:
            return False
        if isinstance(answer, CannotSay):
            unsure = answer
    return True if unsure is None else unsure


SPECIAL: Final[dict[str, Callable[[Evaluation, App, list[Any]], Any]]] = {
    "=": _equals,
    "distinct": _distinct,
    "xor": _xor,
    **ARRAY_OPERATORS,
    **POINTWISE,
    **HIGHER_ORDER,
}
