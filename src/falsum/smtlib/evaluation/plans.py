"""Plans: the ways to evaluate applications of a head."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from falsum.smtlib.evaluation.connectives import LAZY, SPECIAL
from falsum.smtlib.evaluation.heaps import SPATIAL_ATOMS, SPATIAL_CONNECTIVES
from falsum.smtlib.evaluation.settled import UNSETTLED, settled
from falsum.smtlib.operators import Meaning, Operator
from falsum.smtlib.terms import App, Function, Head
from falsum.smtlib.values.cannot_say import CannotSay

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation

# Lazily, argument by argument; by the operator's meaning, if all payloads are plain; or specially, with None
# where the standard leaves the value open.
Lazy: TypeAlias = "Callable[[Evaluation, App], None]"
Careful: TypeAlias = "Callable[[Evaluation, App, list[Any]], Any]"
Plan: TypeAlias = "tuple[Lazy | None, Meaning | None, Careful | None]"

_MOST_HEADS: Final = 4096


@lru_cache(maxsize=_MOST_HEADS)
def plan_of(head: Head) -> Plan:
    symbol = head.symbol
    if isinstance(symbol, Function):
        return None, None, None
    operator = symbol.canonical
    if operator.theory == "Core" and operator.name in LAZY:
        return LAZY[operator.name], None, None
    if operator.theory == "Separation":
        return SPATIAL_CONNECTIVES.get(operator.name), None, SPATIAL_ATOMS.get(operator.name)
    if operator.name in SPECIAL:
        return None, None, SPECIAL[operator.name]
    if operator.meaning is None:
        return None, None, _not_evaluated
    if operator.theory != "Strings" and _has_elements(operator):
        return None, None, settled_first(operator.meaning)
    return None, operator.meaning, None


def _has_elements(operator: Operator) -> bool:
    """Whether an argument may be of any sort, as the elements of collections are."""
    return operator.rule is not None or any(
        arg.is_parameter for signature in operator.signatures for arg in signature.args
    )


def settled_first(meaning: Meaning) -> Careful:
    """Settles the arguments of an application; an unknown one makes it unknown."""

    def careful(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
        for payload in payloads:
            if payload.__class__ in UNSETTLED:
                payloads[:] = [
                    settled(evaluation, arg.sort, p) for arg, p in zip(term.args, payloads, strict=True)
                ]
                break
        if any(isinstance(payload, CannotSay) for payload in payloads):
            return evaluation.unsure(term, payloads)
        return meaning(term, payloads)

    return careful


def _not_evaluated(evaluation: Evaluation, term: App, payloads: list[Any]) -> CannotSay:
    del evaluation, payloads
    return CannotSay(f"{term.head.name} is not evaluated")
