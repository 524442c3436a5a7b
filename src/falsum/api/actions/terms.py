"""The actions that make terms: operators, function applications, quantifiers, definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Final

from falsum.api.actions.action import Action, Call, Purpose, read_number
from falsum.api.actions.inputs import can_comprehend, can_define, can_quantify
from falsum.api.model.mirror import Mirror, TermEntry
from falsum.api.model.random_terms import draw_application, pick_rarely_used
from falsum.api.trace import Line, Reply
from falsum.errors import SortError, UsageError
from falsum.smtlib.scripts import DefineFun
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.terms import Function, Head, Term, Var, app, constant, lambda_, quantifier
from falsum.smtlib.theories import OPERATORS, kind_of

if TYPE_CHECKING:
    from falsum.api.model.capabilities import Capabilities

COMPREHENSION: Final = "set.comprehension"
_MAX_BOUND: Final = 3
_QUANTIFIERS: Final = frozenset(["forall", "exists"])
_INDEXED: Final = re.compile(r"([^\[]+)\[([\d,]+)\]\Z")
# An operator with as many arguments as programs accept: some reject `(and p)`.
_MIN_REDUCIBLE: Final = 4


class TermAction(Action):
    """`t4 = term extract[3,0] t3`, `t5 = term const t1 as s3`, `t6 = term apply f t1`, `t7 = term forall v
    t6`.
    """

    name = word = "term"
    call = Call("term", "application", "term")
    purpose = Purpose.MAKER
    min_args = 1
    result_count = 1
    optional_from = 1

    def is_ready(self, mirror: Mirror) -> bool:
        return bool(mirror.by_sort)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return draw_application(mirror, rng)

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        head, *names = line.args
        qualifier = None
        if len(names) > 1 and names[-2] == "as":
            qualifier = mirror.sort(names[-1])
            names = names[:-2]
        args = [mirror.entry(name) for name in names]
        operator, _, text = head.rstrip("]").partition("[")
        indices = tuple(map(read_number, text.split(","))) if text else ()
        free = frozenset[str]().union(*(arg.free for arg in args))
        if not mirror.can_bind(free):
            raise UsageError("a variable has a binder already, and cannot be used outside of it")
        if operator in _QUANTIFIERS:
            free -= frozenset(names[:-1])
            term: Term = _quantified(operator, args)
            mirror.bind(frozenset(names[:-1]))
        elif operator == COMPREHENSION:
            free -= frozenset(names[:-2])
            term = _comprehended(args)
        else:
            _require_values(operator, args, mirror)
            term = _applied(operator, indices, qualifier, args, mirror)
            if not mirror.has_sort(term.sort) and kind_of(term.sort).is_first_class:
                raise UsageError(f"{mirror.capabilities.product} does not have the sort {term.sort}")
            if free and term.sort.name == "Array" and mirror.has("flat-functions"):
                raise UsageError("arrays must not depend on variables in this library")
        for arg in args:
            arg.uses += 1
        depth = 1 + max((arg.depth for arg in args), default=0)
        nodes = 1 + sum(arg.nodes for arg in args)
        has_symbol = any(arg.has_symbol for arg in args)
        mirror.add(TermEntry(line.results[0], term, "term", free, depth, nodes, has_symbol=has_symbol))

    def is_supported(self, line: Line, capabilities: Capabilities) -> bool:
        operator = line.args[0].partition("[")[0]
        if operator in _QUANTIFIERS:
            return capabilities.has("quantifiers")
        if operator == COMPREHENSION:
            return capabilities.has("set-comprehensions")
        return operator == "apply" or ":" in operator or operator in capabilities.operators

    def shorter(self, line: Line) -> Iterator[Line]:
        if len(line.args) >= _MIN_REDUCIBLE:
            yield from super().shorter(line)

    def simpler(self, line: Line, mirror: Mirror) -> Iterator[Line]:
        """Smaller indices."""
        yield from super().simpler(line, mirror)
        head = _INDEXED.match(line.args[0])
        indices = head[2].split(",") if head is not None else ()
        for at, number in enumerate(indices):
            for small in range(min(int(number), 2)):
                text = ",".join([*indices[:at], str(small), *indices[at + 1 :]])
                yield line._replace(args=(f"{line.args[0].partition('[')[0]}[{text}]", *line.args[1:]))


def _require_values(operator: str, args: list[TermEntry], mirror: Mirror) -> None:
    """Raise UsageError if an argument must be a value in this library and is none."""
    for place in mirror.capabilities.constant_arguments.get(operator, ()):
        if place < len(args) and args[place].role != "value":
            raise UsageError(f"argument {place + 1} of {operator} must be a value in this library")


def _quantified(kind: str, args: list[TermEntry]) -> Term:
    variables = tuple(arg.term for arg in args[:-1] if isinstance(arg.term, Var))
    if not args or len(variables) != len(args) - 1 or not variables or args[-1].sort is not BOOL:
        raise UsageError(f"{kind} needs variables and a formula")
    return quantifier(kind, variables, args[-1].term)


def _comprehended(args: list[TermEntry]) -> Term:
    """The set of the values of the last argument for which the formula before it is true."""
    variables = tuple(arg.term for arg in args[:-2] if isinstance(arg.term, Var))
    if len(args) < 3 or len(variables) != len(args) - 2 or args[-2].sort is not BOOL:
        raise UsageError(f"{COMPREHENSION} needs variables, a formula and a term")
    formula, element = args[-2].term, args[-1].term
    return lambda_(COMPREHENSION, variables, (formula, element), Sort("Set", (), (element.sort,)))


def _applied(
    operator: str, indices: tuple[int, ...], qualifier: object, args: list[TermEntry], mirror: Mirror
) -> Term:
    try:
        if operator.startswith("set:") and not mirror.has("updaters"):
            raise UsageError("this library does not update fields")
        if operator in mirror.members:
            return app(mirror.members[operator], [arg.term for arg in args])
        if operator == "apply":
            if not args or args[0].function is None:
                raise UsageError("the first argument of apply must be a function")
            return app(Head(args[0].function), [arg.term for arg in args[1:]])
        if operator not in OPERATORS:
            raise UsageError(f"unknown operator {operator}")
        return app(Head(OPERATORS[operator], indices, qualifier), [arg.term for arg in args])  # type: ignore[arg-type]
    except SortError as error:
        raise UsageError(str(error)) from error


class QuantifyAction(Action):
    """Quantifies a formula over some of its free variables."""

    name = "quantify"
    word = "term"
    applies = False

    def is_ready(self, mirror: Mirror) -> bool:
        return can_quantify(mirror)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        bodies = [
            entry
            for entry in mirror.by_sort.get(BOOL, ())
            if entry.free and entry.role != "variable" and mirror.can_bind(entry.free)
        ]
        if not bodies:
            return None
        body = min(rng.choices(bodies, k=3), key=lambda entry: entry.uses)
        names = sorted(body.free, key=lambda name: int(name[1:]))
        if len(names) > _MAX_BOUND:
            names = rng.sample(names, _MAX_BOUND)
        kind = rng.choice(("forall", "exists"))
        return Line("term", (kind, *names, body.name), (mirror.next_term(),), rng.randrange(1, 100))


class ComprehendAction(Action):
    """`t9 = term set.comprehension v1 v2 t7 t8`: the set of all t8 with t7."""

    name = "comprehend"
    word = "term"
    applies = False

    def is_ready(self, mirror: Mirror) -> bool:
        return can_comprehend(mirror)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        formulas = [e for e in mirror.by_sort.get(BOOL, ()) if 0 < len(e.free) <= _MAX_BOUND]
        formula = pick_rarely_used(formulas, rng)
        if formula is None or not mirror.can_bind(formula.free):
            return None
        elements = [
            entry
            for entry in mirror.terms.values()
            if entry.role != "function"
            and entry.free
            and entry.free <= formula.free
            and kind_of(entry.sort).may_be_declared
            and mirror.allows(Sort("Set", (), (entry.sort,)))
        ]
        element = pick_rarely_used(elements, rng)
        if element is None:
            return None
        names = sorted(formula.free, key=lambda name: int(name[1:]))
        args = (COMPREHENSION, *names, formula.name, element.name)
        return Line(self.word, args, (mirror.next_term(),), rng.randrange(1, 100))


class DefineAction(Action):
    """`t9 = define g9 v1 v2 t8`: defines a function."""

    name = word = "define"
    call = Call("define", "word variables term", "term")
    feature = "functions"
    purpose = Purpose.DEFINITION
    min_args = 3
    result_count = 1
    optional_from = 1

    def is_ready(self, mirror: Mirror) -> bool:
        return can_define(mirror)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        bodies = [
            entry
            for entry in mirror.terms.values()
            if entry.free
            and entry.role == "term"
            and len(entry.free) <= _MAX_BOUND
            and entry.depth < 8
            and not (entry.sort.name == "Array" and mirror.has("flat-functions"))
            and mirror.can_bind(entry.free)
        ]
        if not bodies:
            return None
        body, result = rng.choice(bodies), mirror.next_term()
        names = sorted(body.free, key=lambda name: int(name[1:]))
        return Line(self.word, (f"g{result[1:]}", *names, body.name), (result,), rng.randrange(1, 100))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        name, *names = line.args
        body = mirror.entry(names[-1])
        variables = [mirror.entry(each).term for each in names[:-1]]
        binders = tuple(each for each in variables if isinstance(each, Var))
        if len(binders) != len(variables) or not body.free <= set(names[:-1]) or not binders:
            raise UsageError("define needs all free variables of the body, and the body")
        if not mirror.can_bind(frozenset(names[:-1])):
            raise UsageError("a variable has a binder already")
        mirror.bind(frozenset(names[:-1]))
        function = Function(name, tuple(each.sort for each in binders), body.sort, role="defined")
        mirror.declarations.append(DefineFun(function, binders, body.term))
        mirror.add(
            TermEntry(
                line.results[0],
                constant(function),
                "function",
                depth=body.depth,
                nodes=body.nodes,
                has_symbol=body.has_symbol,
                function=function,
            )
        )
