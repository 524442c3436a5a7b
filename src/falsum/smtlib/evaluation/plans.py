"""Plans: how applications of a head are evaluated."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from falsum.smtlib.evaluation.connectives import LAZY, SPECIAL
from falsum.smtlib.operators import Meaning
from falsum.smtlib.terms import App, Function, Head
from falsum.smtlib.values.cannot_say import CannotSay

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation

# Lazily, argument by argument; by the operator's meaning, if all payloads are plain; or specially.
Lazy: TypeAlias = "Callable[[Evaluation, App], None]"
Careful: TypeAlias = "Callable[[Evaluation, App, list[Any]], Any]"
Plan: TypeAlias = "tuple[Lazy | None, Meaning | None, Careful | None]"


def plan_of(head: Head) -> Plan:
    symbol = head.symbol
    if isinstance(symbol, Function):
        return None, None, None
    operator = symbol.canonical
    if operator.theory == "Core" and operator.name in LAZY:
        return LAZY[operator.name], None, None
    if operator.name in SPECIAL:
        return None, None, SPECIAL[operator.name]
    if operator.meaning is None:
        return None, None, _not_evaluated
    return None, operator.meaning, None


def _not_evaluated(evaluation: Evaluation, term: App, payloads: list[Any]) -> CannotSay:
    del evaluation, payloads
    return CannotSay(f"{term.head.name} is not evaluated")
