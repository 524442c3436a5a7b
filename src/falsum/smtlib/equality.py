"""When two payloads are the same value; functions as tables, so that arrays can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from falsum.smtlib.models import Definition
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App, Function, Lambda, Let, Term, Value, Var
from falsum.smtlib.values import derivatives
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue, normal
from falsum.smtlib.values.functions import Closure, OpenPoint
from falsum.smtlib.values.regexes import Regex

if TYPE_CHECKING:
    from falsum.smtlib.evaluation import Evaluation


def equal(evaluation: Evaluation, sort: Sort, left: Any, right: Any) -> bool | CannotSay:
    """Whether two payloads of one sort are the same value."""
    if isinstance(left, OpenPoint) and left == right:
        return True
    if isinstance(left, CannotSay):
        return left
    if isinstance(right, CannotSay):
        return right
    if isinstance(left, Closure) or isinstance(right, Closure):
        return _equal_functions(evaluation, sort, left, right)
    if isinstance(left, Regex) and isinstance(right, Regex):
        return derivatives.equivalent(left, right)
    return bool(left == right)


def _equal_functions(evaluation: Evaluation, sort: Sort, left: Any, right: Any) -> bool | CannotSay:
    if left is right:
        return True
    if (
        isinstance(left, Closure)
        and isinstance(right, Closure)
        and left.function is right.function
        and left.given == right.given
        and left.bindings == right.bindings
    ):
        return True
    tables = [tabulated(evaluation, side, sort) for side in (left, right)]
    if tables[0] is None or tables[1] is None:
        return CannotSay("two functions are compared")
    return tables[0] == tables[1]


def tabulated(evaluation: Evaluation, payload: Any, sort: Sort) -> ArrayValue | None:
    """A function as an array, if its definition is a chain of tests for single points; else None."""
    if isinstance(payload, ArrayValue):
        return payload
    if payload.given or payload.bindings:
        return None
    definition = _definition(evaluation, payload.function)
    if definition is None or len(definition.binders) != len(sort.args) - 1:
        return None
    return _table(evaluation, definition, sort)


def _definition(evaluation: Evaluation, function: Any) -> Definition | None:
    if isinstance(function, Lambda):
        return Definition(function.binders, function.body[0])
    assert isinstance(function, Function)
    found = evaluation.model.definitions.get(function)
    if found is None and function.name in evaluation.model.named:
        found = evaluation.model.named[function.name][1]
    return found


def _table(evaluation: Evaluation, definition: Definition, sort: Sort) -> ArrayValue | None:
    entries: dict[Any, Any] = {}
    body = definition.body
    while isinstance(body, App) and _name(body) == "ite":
        condition, then, body = body.args
        points = _points(evaluation, condition, definition.binders)
        value = _closed(evaluation, then)
        if points is None or isinstance(value, CannotSay | Closure):
            return None
        for point in points:
            entries.setdefault(point, value)
    default = _closed(evaluation, body)
    if isinstance(default, CannotSay | Closure):
        return None
    domain = evaluation.domains.of(sort.args[0]) if len(definition.binders) == 1 else None
    return normal(default, entries, domain)


def _points(evaluation: Evaluation, condition: Term, binders: tuple[Var, ...]) -> list[Any] | None:
    """The points a condition tests for: `(= x 1)`, `(and (= x 1) (= y 2))`, or `or` of such."""
    if isinstance(condition, App) and _name(condition) == "or":
        found: list[Any] = []
        for part in condition.args:
            points = _points_of_one(evaluation, part, binders)
            if points is None:
                return None
            found += points
        return found
    return _points_of_one(evaluation, condition, binders)


def _points_of_one(evaluation: Evaluation, condition: Term, binders: tuple[Var, ...]) -> list[Any] | None:
    tests = condition.args if isinstance(condition, App) and _name(condition) == "and" else (condition,)
    values: dict[Term, Any] = {}
    for test in tests:
        if not (isinstance(test, App) and _name(test) == "=" and len(test.args) == 2):
            return None
        left, right = test.args if test.args[0] in binders else test.args[::-1]
        value = _closed(evaluation, right)
        if left not in binders or left in values or isinstance(value, CannotSay | Closure):
            return None
        values[left] = value
    if len(values) != len(binders):
        return None
    point = tuple(values[binder] for binder in binders)
    return [point[0] if len(point) == 1 else point]


def _closed(evaluation: Evaluation, term: Term) -> Any:
    """The payload of a closed term, evaluated apart so that nothing that is bound here is seen."""
    if isinstance(term, Value):
        return term.payload
    if isinstance(term, Let | Var):
        return CannotSay("not a constant")
    return type(evaluation)(evaluation.model, evaluation.steps).run(term)


def _name(term: App) -> str:
    symbol = term.head.symbol
    return symbol.canonical.name if isinstance(symbol, Operator) else ""
