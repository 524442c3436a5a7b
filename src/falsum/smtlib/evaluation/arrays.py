"""Evaluates operators on arrays and functions: select, store, constant arrays, application, conversions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.evaluation import functions
from falsum.smtlib.evaluation.function_tables import as_array, as_function, tabulated
from falsum.smtlib.evaluation.settled import UNSETTLED, settled
from falsum.smtlib.sorts import Sort, flat
from falsum.smtlib.terms import App, Term
from falsum.smtlib.text.lexer import quote, symbol_name
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue, Element, normal
from falsum.smtlib.values.functions import Closure

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation


def _index(payloads: Sequence[Any]) -> Any:
    return payloads[0] if len(payloads) == 1 else tuple(payloads)


def _is_blocked(payloads: Sequence[Any]) -> bool:
    return any(isinstance(payload, CannotSay | Closure) for payload in payloads)


def _keys(evaluation: Evaluation, terms: Sequence[Term], payloads: list[Any]) -> list[Any]:
    """The payloads of indices, settled so that a table can be searched for them."""
    for payload in payloads:
        if payload.__class__ in UNSETTLED:
            return [settled(evaluation, t.sort, p) for t, p in zip(terms, payloads, strict=True)]
    return payloads


def _element(evaluation: Evaluation, sort: Sort, payload: Any) -> Any:
    """The payload of an element that is stored in a table: arrays and functions as tables."""
    if isinstance(payload, ArrayValue):
        return payload
    return settled(evaluation, sort, payload)


def _domain(evaluation: Evaluation, sort: Sort) -> tuple[Any, ...] | None:
    """All indices of an array sort, if they are few."""
    domains = evaluation.domains
    return domains.of(sort.args[0]) if len(sort.args) == 2 else domains.product(sort.args[:-1])


# Indices and values that need no further look, as most are.
_PLAIN: Final = frozenset((int, bool, str, Fraction, Element))


def _select(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    if len(payloads) == 2 and payloads[0].__class__ is ArrayValue and payloads[1].__class__ in _PLAIN:
        return payloads[0].get(payloads[1])
    if term.args[0].sort.name == "->":
        return _apply(evaluation, term, payloads)
    array, *index = payloads
    if isinstance(array, Closure) and not any(isinstance(payload, CannotSay) for payload in index):
        functions.apply_closure(evaluation, term, evaluation.here, array, index)
        return functions.LATER
    if isinstance(array, ArrayValue) and not array.entries:
        return array.default  # for any index
    index = _keys(evaluation, term.args[1:], index)
    if _is_blocked((array, *index)):
        return evaluation.unsure(term, (array, *index))
    return array.get(_index(index))


def _store(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    if len(payloads) == len(term.sort.args) + 1 == 3 and payloads[0].__class__ is ArrayValue:
        array, key, value = payloads
        if key.__class__ in _PLAIN and value.__class__ in _PLAIN:
            return _stored(evaluation, array, key, value, evaluation.domains.of(term.sort.args[0]))
    array, *index, value = payloads
    if isinstance(array, Closure):
        array = tabulated(evaluation, array, term.sort) or array
    if value.__class__ in UNSETTLED:
        value = _element(evaluation, term.sort.args[-1], value)
    index = _keys(evaluation, term.args[1:-1], index)
    if _is_blocked((array, *index, value)):
        return evaluation.unsure(term, (array, *index, value))
    if term.sort.name == "->" and len(index) > 1:
        return _stored_function(evaluation, flat(term.sort), array, index, value)
    return _stored(evaluation, array, _index(index), value, _domain(evaluation, term.sort))


def _stored(
    evaluation: Evaluation, array: ArrayValue, key: Any, value: Any, domain: tuple[Any, ...] | None
) -> ArrayValue:
    result = array.stored(key, value, domain)
    # Copying the entries takes time and memory.
    evaluation.steps -= len(result.entries) >> 6
    return result


def _stored_function(evaluation: Evaluation, sort: Sort, table: Any, index: list[Any], value: Any) -> Any:
    """The table of a function of several parameters with another value at one point."""
    levels = [table]
    for key in index[:-1]:
        if not isinstance(levels[-1], ArrayValue):
            return CannotSay("store of a function")
        levels.append(levels[-1].get(key))
    for place in reversed(range(len(index))):
        if not isinstance(levels[place], ArrayValue):
            return CannotSay("store of a function")
        value = levels[place].stored(index[place], value, evaluation.domains.of(sort.args[place]))
    return value


def _const(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    value = payloads[0]
    if value.__class__ in UNSETTLED:
        value = _element(evaluation, term.sort.args[-1], value)
    return evaluation.unsure(term, [value]) if _is_blocked([value]) else ArrayValue(value, {})


def _apply(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    function, *args = payloads
    if isinstance(function, ArrayValue):
        args = _keys(evaluation, term.args[1:], args)
    unknown = [payload for payload in (function, *args) if isinstance(payload, CannotSay)]
    if unknown:
        return evaluation.unsure(term, [p for p in (function, *args) if not isinstance(p, Closure)])
    functions.apply_closure(evaluation, term, evaluation.here, function, args)
    return functions.LATER


def _table_or(evaluation: Evaluation, function: Closure, sort: Sort) -> Any:
    """The table of a function, or the function itself if some of its values are not known."""
    table = tabulated(evaluation, function, sort)
    return table if isinstance(table, ArrayValue) else function


def _array_of(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    (function,) = payloads
    if isinstance(function, frozenset):
        return normal(False, dict.fromkeys(function, True), evaluation.domains.of(term.sort.args[0]))
    if isinstance(function, Closure):
        return _table_or(evaluation, function, term.sort)
    return as_array(evaluation, function, term.sort) if isinstance(function, ArrayValue) else function


def _function_of(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    (array,) = payloads
    return as_function(evaluation, array, term.sort) if isinstance(array, ArrayValue) else array


def _arrow_of(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    """The same function with its sort spelled otherwise; tables are the same in both."""
    del evaluation, term
    return payloads[0]


def _int_of(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    """z3's implicit conversion of a Boolean to an integer."""
    return evaluation.unsure(term, payloads) if _is_blocked(payloads) else int(payloads[0])


def _as_array(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    del payloads
    name = symbol_name(term.head.text.removeprefix("(_ as-array ").removesuffix(")"))
    *args, result = term.sort.args
    printed = evaluation.model.named.get(name)
    candidates = ([printed[0]] if printed is not None else []) + [
        symbol for symbol in evaluation.model.definitions if symbol.name == name
    ]
    for symbol in candidates:
        if symbol.args == tuple(args) and symbol.result is result:
            return _table_or(evaluation, Closure(symbol), term.sort)
    return CannotSay(f"unknown function {name}")


def _equal_range(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    """cvc5's `(eqrange a b i j)`: whether two arrays agree from index i to index j."""
    left, right, low, high = payloads
    sort = term.args[0].sort
    if _is_blocked(payloads) or not isinstance(left, ArrayValue) or not isinstance(low, int):
        return (
            evaluation.unsure(term, payloads) if _is_blocked(payloads) else CannotSay("eqrange of a function")
        )
    if sort.args[0].name not in ("Int", "BitVec"):
        return CannotSay(f"eqrange over {sort.args[0]}")
    inside = [index for index in dict.fromkeys((*left.entries, *right.entries)) if low <= index <= high]
    pairs = [(left.get(index), right.get(index)) for index in inside]
    if high - low + 1 > len(inside):
        pairs.append((left.default, right.default))
    answers = [evaluation.equal(sort.args[1], *pair) for pair in pairs]
    unsure = next((answer for answer in answers if isinstance(answer, CannotSay)), True)
    return False if any(answer is False for answer in answers) else unsure


def _cardinality(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    """cvc5's `(_ fmf.card S n)`: whether a declared sort has at most n elements."""
    del payloads
    name, most = term.head.indices
    universe = next(
        (members for sort, members in evaluation.model.universes.items() if quote(sort.name) == name), None
    )
    if universe is None or not isinstance(most, int):
        return CannotSay(f"the number of elements of {name} is not known")
    return len(universe) <= most


ARRAY_OPERATORS: Final[dict[str, Callable[[Evaluation, App, list[Any]], Any]]] = {
    "select": _select,
    "store": _store,
    "const": _const,
    "@": _apply,
    "array-of": _array_of,
    "function-of": _function_of,
    "arrow-of": _arrow_of,
    "int-of": _int_of,
    "as-array": _as_array,
    "eqrange": _equal_range,
    "fmf.card": _cardinality,
}
