"""Random models: a value for every declared symbol of a script, with a bias to corner cases."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Final

from falsum.smtlib.models.model import Definition, Model, bare_model, declared_functions
from falsum.smtlib.printing.values_as_terms import write_value
from falsum.smtlib.samples import is_uninterpreted, random_value
from falsum.smtlib.scripts import Script
from falsum.smtlib.sorts import Sort, function
from falsum.smtlib.terms import Function, Head, Term, Var, app, lambda_, var
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import Element

_MOST_ELEMENTS: Final = 4
_MOST_ENTRIES: Final = 3
_ITE, _AND, _EQUALS = (Head(OPERATORS[name]) for name in ("ite", "and", "="))


def random_model(script: Script, rng: Random) -> Model:
    """A random interpretation of the script's declarations; the same for the same random numbers.

    Functions are small tables with a default. Symbols of sorts for which no value is known are left out.
    """
    functions = declared_functions(script)
    model = bare_model(script)
    universes: dict[Sort, tuple[Element, ...]] = {}
    for sort in _sorts(functions, model):
        count = rng.randint(1, _MOST_ELEMENTS)
        universes[sort] = tuple(Element(f"{sort.name}!val!{number}") for number in range(count))
    model = replace(model, universes=universes)
    definitions = dict(model.definitions)
    for symbol in functions:
        definition = random_definition(symbol, model, rng)
        if definition is not None:
            definitions[symbol] = definition
    return replace(model, definitions=definitions)


def random_definition(symbol: Function, model: Model, rng: Random) -> Definition | None:
    """A random definition of one symbol, or None if no value of its sorts is known."""
    binders = tuple(var(f"x!{place}", sort) for place, sort in enumerate(symbol.args))
    body = _table(binders, symbol.result, model, rng)
    return None if body is None else Definition(binders, body)


def _table(binders: tuple[Var, ...], result: Sort, model: Model, rng: Random) -> Term | None:
    body = _value(result, model, rng)
    for _ in range(rng.randint(0, _MOST_ENTRIES) if binders else 0):
        then = _value(result, model, rng)
        points = [_value(binder.sort, model, rng) for binder in binders]
        if body is None or then is None or any(point is None for point in points):
            return body
        pairs = zip(binders, points, strict=True)
        tests: list[Term] = [app(_EQUALS, (binder, point)) for binder, point in pairs if point is not None]
        test = tests[0] if len(tests) == 1 else app(_AND, tests)
        body = app(_ITE, (test, then, body))
    return body


def _value(sort: Sort, model: Model, rng: Random) -> Term | None:
    if sort.name == "->":
        params = tuple(var(f"y!{place}", param) for place, param in enumerate(sort.args[:-1]))
        body = _table(params, sort.args[-1], model, rng)
        if body is None:
            return None
        return lambda_("lambda", params, (body,), function(sort.args[:-1], body.sort))
    payload: Any = random_value(sort, model, rng)
    return None if isinstance(payload, CannotSay) else write_value(sort, payload)


def _sorts(functions: tuple[Function, ...], model: Model) -> list[Sort]:
    """The declared sorts that occur, in their order."""
    sorts: dict[Sort, None] = {}
    todo: list[Sort] = [sort for symbol in functions for sort in (*symbol.args, symbol.result)]
    for datatype in model.datatypes.values():
        todo.extend(sort for constructor in datatype.constructors for _, sort in constructor.selectors)
    seen: set[Sort] = set()
    while todo:
        sort = todo.pop(0)
        if sort in seen:
            continue
        seen.add(sort)
        if is_uninterpreted(sort, model) and not sort.is_pattern:
            sorts[sort] = None
        todo.extend(sort.args)
    return list(sorts)
