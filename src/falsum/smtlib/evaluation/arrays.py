"""Evaluates operators on arrays and functions: select, store, constant arrays, application, conversions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.evaluation import functions
from falsum.smtlib.evaluation.function_tables import tabulated
from falsum.smtlib.terms import App
from falsum.smtlib.text.lexer import symbol_name
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue, normal
from falsum.smtlib.values.functions import Closure

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation


def _index(payloads: Sequence[Any]) -> Any:
    return payloads[0] if len(payloads) == 1 else tuple(payloads)


def _is_blocked(payloads: Sequence[Any]) -> bool:
    return any(isinstance(payload, CannotSay | Closure) for payload in payloads)


def _select(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    array, *index = payloads
    if isinstance(array, Closure) and not _is_blocked(index):
        functions.apply_closure(evaluation, term, evaluation.here, array, index)
        return functions.LATER
    if isinstance(array, ArrayValue) and not array.entries:
        return array.default  # for any index
    if _is_blocked(payloads):
        return evaluation.unsure(term, payloads)
    return array.get(_index(index))


def _store(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    array, *index, value = payloads
    if isinstance(array, Closure):
        array = tabulated(evaluation, array, term.sort) or array
    if isinstance(value, Closure) and term.sort.args[-1].name == "Array":
        value = tabulated(evaluation, value, term.sort.args[-1]) or value
    if _is_blocked([array, *index, value]):
        return evaluation.unsure(term, [array, *index, value])
    domain = evaluation.domains.of(term.sort.args[0]) if len(index) == 1 else None
    result = array.stored(_index(index), value, domain)
    # Copying the entries takes time and memory.
    evaluation.steps -= len(result.entries) >> 6
    return result


def _const(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    (value,) = payloads
    if isinstance(value, Closure) and term.sort.args[-1].name == "Array":
        value = tabulated(evaluation, value, term.sort.args[-1]) or value
    return evaluation.unsure(term, [value]) if _is_blocked([value]) else ArrayValue(value, {})


def _apply(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    function, *args = payloads
    if any(isinstance(payload, CannotSay) for payload in payloads):
        return evaluation.unsure(term, [p for p in payloads if not isinstance(p, Closure)])
    if isinstance(function, ArrayValue):
        return function.get(_index(args))
    functions.apply_closure(evaluation, term, evaluation.here, function, args)
    return functions.LATER


def _array_of(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    (function,) = payloads
    if isinstance(function, frozenset):
        return normal(False, dict.fromkeys(function, True), evaluation.domains.of(term.sort.args[0]))
    if isinstance(function, Closure):
        return tabulated(evaluation, function, term.sort) or function
    return function


def _function_of(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    del evaluation, term
    return payloads[0]


def _int_of(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    """z3's implicit conversion of a Boolean to an integer."""
    return evaluation.unsure(term, payloads) if _is_blocked(payloads) else int(payloads[0])


def _as_array(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    del payloads
    name = symbol_name(term.head.text.removeprefix("(_ as-array ").removesuffix(")"))
    found = evaluation.model.named.get(name)
    if found is not None:
        return tabulated(evaluation, Closure(found[0]), term.sort) or Closure(found[0])
    for symbol in evaluation.model.definitions:
        if symbol.name == name and (*symbol.args, symbol.result) == term.sort.args:
            return tabulated(evaluation, Closure(symbol), term.sort) or Closure(symbol)
    return CannotSay(f"unknown function {name}")


ARRAY_OPERATORS: Final[dict[str, Callable[[Evaluation, App, list[Any]], Any]]] = {
    "select": _select,
    "store": _store,
    "const": _const,
    "@": _apply,
    "array-of": _array_of,
    "function-of": _function_of,
    "int-of": _int_of,
    "as-array": _as_array,
}
