"""Whether recursive definitions certainly have a solution: whether the recursion ends for all arguments.

A recursive definition is a constraint: if no function satisfies it, the script is unsat, whatever else it
contains. The recursion ends if every call makes one argument smaller: a part of a value of a datatype, or a
smaller number above a bound. Other recursion may end as well, but is not recognised.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Final, NamedTuple

from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import Datatype, DeclareDatatypes, DefineFun, DefineFunsRec, Script
from falsum.smtlib.sorts import INT
from falsum.smtlib.substitution import without_lets
from falsum.smtlib.terms import App, Function, Match, Term, Value, Var
from falsum.smtlib.walk import binders_at, children, free_variables, subterms

# Beyond these bounds nothing is known: choices of arguments that get smaller, and parts of bodies.
_MOST_CHOICES: Final = 64
_MOST_STEPS: Final = 20_000


class _Definition(NamedTuple):
    binders: tuple[Var, ...]
    body: Term


class _Context(NamedTuple):
    """The facts at a place of a body: formulas with their truth, and parts of the argument."""

    facts: frozenset[tuple[Term, bool]]
    smaller: frozenset[Term]


def has_solution(script: Script) -> bool:
    """Whether functions are known to exist that satisfy all recursive definitions of a script."""
    # Values of codatatypes may have parts without end.
    datatypes = {
        datatype.name: datatype
        for command in script.commands
        if isinstance(command, DeclareDatatypes) and "codatatype" not in command.word
        for datatype in command.datatypes
    }
    return all(_ends(group, datatypes) for group in _groups(script))


def _groups(script: Script) -> Iterator[dict[Function, _Definition]]:
    """The functions of each command that call themselves, directly or through others."""
    for command in script.commands:
        if isinstance(command, DefineFunsRec):
            triples = zip(command.functions, command.binders, command.bodies, strict=True)
            group = {function: _Definition(binders, body) for function, binders, body in triples}
        elif isinstance(command, DefineFun) and command.word == "define-fun-rec":
            group = {command.function: _Definition(command.binders, command.body)}
        else:
            continue
        if group := _without_leaves(group):
            yield group


def _without_leaves(group: dict[Function, _Definition]) -> dict[Function, _Definition]:
    """The group without functions that call none of it, and then without those that call only these."""
    calls = {
        function: {part.head.symbol for part in subterms(body) if isinstance(part, App)} & group.keys()
        for function, (_binders, body) in group.items()
    }
    while leaves := [function for function, called in calls.items() if not called & calls.keys()]:
        for function in leaves:
            del calls[function]
    return {function: group[function] for function in calls}


def _is_call(part: Term, group: dict[Function, _Definition]) -> bool:
    return isinstance(part, App) and part.head.symbol in group


def _ends(group: dict[Function, _Definition], datatypes: dict[str, Datatype]) -> bool:
    """Whether each function has a parameter that every call in the group makes smaller."""
    places = [range(len(function.args)) for function in group]
    if prod(map(len, places)) > _MOST_CHOICES:
        return False
    bodies = {
        function: _Definition(binders, without_lets(body)) for function, (binders, body) in group.items()
    }
    return any(
        _Descent(bodies, dict(zip(group, choice, strict=True)), datatypes).holds()
        for choice in product(*places)
    )


class _Descent:
    """Tests whether every call makes the parameter at the position of the called function smaller."""

    def __init__(
        self,
        group: dict[Function, _Definition],
        places: dict[Function, int],
        datatypes: dict[str, Datatype],
    ) -> None:
        self.group = group
        self.places = places
        self.datatypes = datatypes
        self.steps = _MOST_STEPS

    def holds(self) -> bool:
        return all(self._holds_in(function) for function in self.group)

    def _holds_in(self, function: Function) -> bool:
        binders, body = self.group[function]
        parameter = binders[self.places[function]]
        todo = [(body, _Context(frozenset(), frozenset()))]
        seen = set(todo)
        while todo:
            term, context = todo.pop()
            self.steps -= 1
            if self.steps < 0 or (
                _is_call(term, self.group) and not self._descends(term, parameter, context)
            ):
                return False
            for part, known, bound in self._parts(term, parameter, context):
                if parameter in bound:
                    return False
                if (part, known) not in seen:
                    seen.add((part, known))
                    todo.append((part, known))
        return True

    def _descends(self, call: Term, parameter: Var, context: _Context) -> bool:
        assert isinstance(call, App)
        function = call.head.symbol
        assert isinstance(function, Function)
        place = self.places[function]
        if len(call.args) <= place:
            return False
        argument = call.args[place]
        if parameter.sort is INT:
            return _is_less(argument, parameter) and any(
                _is_lower_bound(fact, parameter, holds=holds) for fact, holds in context.facts
            )
        return self._is_part(argument, parameter, context)

    def _is_part(self, term: Term, parameter: Var, context: _Context) -> bool:
        """Whether a term is a proper part of a parameter's value: a variable of a case, or a selection."""
        if term in context.smaller:
            return True
        while isinstance(term, App) and isinstance(term.head.symbol, Function) and len(term.args) == 1:
            selector, term = term.head.symbol, term.args[0]
            if selector.role != "selector" or not self._has_field(selector, term, context):
                return False
            if term is parameter or term in context.smaller:
                return True
        return False

    def _has_field(self, selector: Function, subject: Term, context: _Context) -> bool:
        """Whether the value of a term is known to be of the constructor that a selector belongs to."""
        datatype = self.datatypes.get(subject.sort.name)
        owners = (
            {c.name for c in datatype.constructors if selector.name in dict(c.selectors)} if datatype else ()
        )
        if datatype is None or len(owners) != 1:
            return False
        (owner,) = owners
        excluded: set[str] = set()
        for fact, holds in context.facts:
            if isinstance(fact, App) and isinstance(fact.head.symbol, Function) and fact.args == (subject,):
                tester = fact.head.symbol
                if tester.role == "tester":
                    if holds and tester.subject == owner:
                        return True
                    excluded.update([tester.subject] if not holds else [])
            elif not holds and (name := _nullary_in_equation(fact, subject)):
                excluded.add(name)
        return {constructor.name for constructor in datatype.constructors} - excluded == {owner}

    def _parts(
        self, term: Term, parameter: Var, context: _Context
    ) -> Iterator[tuple[Term, _Context, tuple[Var, ...]]]:
        """The parts of a term, each with the facts there and the variables that it binds."""
        if isinstance(term, Match):
            is_parameter = term.subject is parameter or term.subject in context.smaller
            is_parameter &= term.subject.sort.name in self.datatypes
            yield term.subject, context, ()
            for case in term.cases:
                inner = _without(context, case.binders)
                if is_parameter and case.constructor is not None:
                    inner = inner._replace(smaller=inner.smaller.union(case.binders))
                yield case.body, inner, case.binders
            return
        name = _operator(term)
        if name == "ite":
            assert isinstance(term, App)
            condition, first, second = term.args
            yield condition, context, ()
            yield first, _with(context, condition, holds=True), ()
            yield second, _with(context, condition, holds=False), ()
            return
        for slot, part in enumerate(children(term)):
            bound = binders_at(term, slot)
            yield part, _without(context, bound) if bound else context, bound
            # What follows only matters if the parts before leave it open.
            if name in ("and", "=>", "or"):
                context = _with(context, part, holds=name != "or")


def _operator(term: Term) -> str:
    is_operator = isinstance(term, App) and isinstance(term.head.symbol, Operator)
    return term.head.symbol.canonical.name if is_operator else ""  # type: ignore[union-attr]  # checked


def _with(context: _Context, formula: Term, *, holds: bool) -> _Context:
    facts = set(context.facts)
    todo = [(formula, holds)]
    while todo:
        term, value = todo.pop()
        name = _operator(term)
        if name == "not":
            todo += [(part, not value) for part in children(term)]
        elif (name, value) in (("and", True), ("or", False)):
            todo += [(part, value) for part in children(term)]
        else:
            facts.add((term, value))
    return context._replace(facts=frozenset(facts))


def _without(context: _Context, binders: Sequence[Var]) -> _Context:
    """The facts that remain when variables are bound again."""
    hidden = frozenset(binders)
    return _Context(
        frozenset((term, holds) for term, holds in context.facts if not free_variables(term) & hidden),
        context.smaller - hidden,
    )


def _nullary_in_equation(fact: Term, subject: Term) -> str:
    """The constructor without fields that a term is compared with; "" if a fact is no such comparison."""
    if _operator(fact) != "=" or len(children(fact)) != 2 or subject not in children(fact):
        return ""
    first, second = children(fact)
    other = second if first is subject else first
    if isinstance(other, App) and not other.args and isinstance(other.head.symbol, Function):
        return other.head.symbol.name if other.head.symbol.role == "constructor" else ""
    return ""


def _is_less(term: Term, parameter: Var) -> bool:
    """Whether a term is `(- n 2)` or `(+ n (- 2))`, in any order."""
    name, parts = _operator(term), children(term)
    numbers = [_number(part) for part in parts if part is not parameter]
    if len(parts) != 2 or len(numbers) != 1 or numbers[0] is None:
        return False
    if name == "-":
        return parts[0] is parameter and numbers[0] > 0
    return name == "+" and numbers[0] < 0


def _is_lower_bound(fact: Term, parameter: Var, *, holds: bool) -> bool:
    """Whether a fact, which holds or does not, says that a parameter is greater than some number."""
    name, parts = _operator(fact), children(fact)
    if len(parts) != 2:
        return False
    greater = (name in (">", ">=")) == holds
    if name not in (">", ">=", "<", "<="):
        return False
    high, low = parts if greater else (parts[1], parts[0])
    return high is parameter and _number(low) is not None


def _number(term: Term) -> int | None:
    """The number that a term denotes."""
    if _operator(term) == "-" and len(children(term)) == 1:
        inner = _number(children(term)[0]) if isinstance(children(term)[0], Value) else None
        return None if inner is None else -inner
    return term.payload if isinstance(term, Value) and isinstance(term.payload, int) else None
