"""Prints models as standard definitions that solvers and falsum can read.

Arrays are stores into a constant array and functions are chains of `ite`. Elements of declared sorts are
declared constants, as in z3, and listed in comments, as in cvc5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any, Final

from falsum.smtlib.evaluation.evaluator import payload_of
from falsum.smtlib.evaluation.function_tables import points_of
from falsum.smtlib.evaluation.functions import ELSEWHERE
from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.models.model import Definition, Model
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.samples import simplest
from falsum.smtlib.sorts import Sort, function
from falsum.smtlib.terms import (
    App,
    Function,
    Head,
    Lambda,
    Let,
    Term,
    Value,
    Var,
    app,
    constant,
    sort_text,
    var,
)
from falsum.smtlib.terms import value as make_value
from falsum.smtlib.text.lexer import quote
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import Element
from falsum.smtlib.values.functions import Closure
from falsum.smtlib.walk import free_variable_table, subterms, transform

_STEPS: Final = 200_000
_ITE, _EQUALS = Head(OPERATORS["ite"]), Head(OPERATORS["="])


def print_model(model: Model, functions: Iterable[Function]) -> str:
    """The definitions of the functions, one command per line; those that cannot be written are left out.

    Auxiliary functions of the solver are defined before what calls them, once; functions that call
    themselves, directly or through others, are defined together.
    """
    group: dict[Function, Definition] = {}
    todo: list[Function] = []
    for symbol in functions:
        definition = _definition(model, symbol)
        if definition is not None:
            group[symbol] = Definition(*definition)
            todo.extend(_callees(model, definition[1]))
    while todo:
        other = todo.pop()
        callee = _defined(model, other) if other not in group else None
        if callee is not None:
            group[other] = Definition(callee.binders, _with_values(model, callee.body))
            todo.extend(_callees(model, group[other].body))
    elements = _Elements(model)
    lines = [_line(part, elements) for part in _in_order(model, group)]
    return "".join([*elements.lines(), *lines])


def _in_order(model: Model, group: dict[Function, Definition]) -> Iterator[dict[Function, Definition]]:
    """The definitions one by one, each after those that it calls; last, together, those that call each
    other.
    """
    callees = {
        symbol: group.keys() & _callees(model, definition.body) for symbol, definition in group.items()
    }
    while ready := [symbol for symbol, called in callees.items() if not called & callees.keys()]:
        for symbol in ready:
            del callees[symbol]
            yield {symbol: group[symbol]}
    if callees:
        yield {symbol: group[symbol] for symbol in callees}


def _line(group: dict[Function, Definition], elements: _Elements) -> str:
    heads = [_head(symbol, definition.binders) for symbol, definition in group.items()]
    bodies = [print_term(elements.named(definition.body)) for definition in group.values()]
    ((symbol, definition), *others) = group.items()
    if not others and symbol not in _symbols(definition.body):
        return f"(define-fun {heads[0]} {bodies[0]})\n"
    return f"(define-funs-rec ({' '.join(f'({head})' for head in heads)}) ({' '.join(bodies)}))\n"


def _head(symbol: Function, binders: tuple[Var, ...]) -> str:
    params = " ".join(f"({quote(b.name)} {sort_text(b.sort)})" for b in binders)
    rest = symbol.args[len(binders) :]
    result = function(rest, symbol.result) if rest else symbol.result
    return f"{quote(symbol.name)} ({params}) {sort_text(result)}"


def _callees(model: Model, body: Term) -> list[Function]:
    """The functions of the model that a body calls."""
    return [s for s in _symbols(body) if s in model.definitions or s.name in model.named]


def _symbols(body: Term) -> list[Function]:
    symbols = dict.fromkeys(part.head.symbol for part in subterms(body) if isinstance(part, App))
    return [symbol for symbol in symbols if isinstance(symbol, Function)]


def _defined(model: Model, symbol: Function) -> Definition | None:
    return model.definition_of(symbol)


def _definition(model: Model, symbol: Function) -> tuple[tuple[Var, ...], Term] | None:
    if not symbol.args:
        body = _constant(model, constant(symbol))
        return None if body is None else ((), body)
    definition = _defined(model, symbol)
    if definition is None and symbol.name in model.unreadable:
        return None
    if definition is None:
        payload = simplest(symbol.result, model)
        binders = tuple(var(f"x!{place}", sort) for place, sort in enumerate(symbol.args))
        term = None if isinstance(payload, CannotSay) else value_term(symbol.result, payload, model.datatypes)
        return None if term is None else (binders, term)
    chain = _chain(model, symbol, definition)
    return definition.binders, chain if chain is not None else _with_values(model, definition.body)


def _constant(model: Model, term: Term) -> Term | None:
    payload = payload_of(term, model, _STEPS)
    if isinstance(payload, Closure):
        return _lambda(model, payload)
    return None if isinstance(payload, CannotSay) else value_term(term.sort, payload, model.datatypes)


def _lambda(model: Model, closure: Closure) -> Term | None:
    """A function value that is a lambda, with closed parts replaced by their values."""
    if isinstance(closure.function, Lambda) and not closure.given and not closure.bindings:
        return _with_values(model, closure.function)
    return None


def _chain(model: Model, symbol: Function, definition: Definition) -> Term | None:
    """`(ite (= x 1) 2 …)` for a function that is constant except at some points."""
    evaluation = Evaluation(model, _STEPS)
    closure = Closure(symbol)
    points = points_of(evaluation, closure, function(symbol.args, symbol.result))
    if points is None or len(points) != 1 or len(definition.binders) != 1:
        return None
    (binder,) = definition.binders
    rows: dict[Any, Term] = {}
    for point in points[0]:
        payload = evaluation.applied(closure, (point,))
        text = None
        if not isinstance(payload, CannotSay | Closure):
            text = value_term(symbol.result, payload, model.datatypes)
        if text is None:
            return None
        rows[point] = text
    # Without an elsewhere the points are all there are, and the most frequent value needs no condition.
    default = rows.pop(ELSEWHERE) if ELSEWHERE in rows else Counter(rows.values()).most_common(1)[0][0]
    body = default
    for point, then in reversed(rows.items()):
        key = value_term(binder.sort, point, model.datatypes)
        if key is None:
            return None
        if then is not default:
            body = app(_ITE, (app(_EQUALS, (binder, key)), then, body))
    return body


def _with_values(model: Model, body: Term) -> Term:
    """The body with every closed part replaced by its value."""
    table = free_variable_table(body)
    closed = {part for part in subterms(body) if not table[part] and not isinstance(part, Lambda | Let)}

    def written(term: Term) -> Term | None:
        if term not in closed:
            return None
        payload = payload_of(term, model, _STEPS)
        if isinstance(payload, CannotSay | Closure):
            return None
        return value_term(term.sort, payload, model.datatypes)

    return transform(body, written)


class _Elements:
    """Names for the elements of declared sorts that every solver accepts."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.names: dict[tuple[Sort, Element], str] = {}
        for sort, elements in model.universes.items():
            for element in elements:
                if isinstance(element, Element):
                    self.name(sort, element)

    def name(self, sort: Sort, element: Element) -> str:
        name = self.names.get((sort, element))
        if name is None:
            name = element.name
            if name.startswith("@"):
                used_names = set(self.names.values())
                name = next(n for i in count() if (n := f"{sort.name}!val!{i}") not in used_names)
            self.names[sort, element] = name
        return name

    def named(self, body: Term) -> Term:
        """The body with elements written as their names."""

        def change(term: Term) -> Term | None:
            if isinstance(term, Value) and isinstance(term.payload, Element):
                name = self.name(term.sort, term.payload)
                return make_value(term.sort, Element(name), quote(name))
            return None

        return transform(body, change)

    def lines(self) -> list[str]:
        """Declarations of the elements, to be printed before the definitions."""
        out: list[str] = []
        for sort, elements in self.model.universes.items():
            names = [self.name(sort, e) for e in elements if isinstance(e, Element)]
            out.append(f"; cardinality of {sort_text(sort)} is {len(names)}\n")
            out.extend(f"; rep: {quote(name)}\n" for name in names)
        for (sort, _), name in self.names.items():
            out.append(f"(declare-fun {quote(name)} () {sort_text(sort)})\n")
        return out
