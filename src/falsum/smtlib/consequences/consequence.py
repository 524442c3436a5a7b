"""Consequence: what must hold if a core, an interpolant, an abduct or an optimum is right.

They are the definitions, as terms that any solver can decide; answers to scripts and library calls are both
checked with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from falsum.smtlib.scripts import Command, DefineFun, DefineFunsRec
from falsum.smtlib.terms import App, Function, Head, Term, app
from falsum.smtlib.theories import OPERATORS, kind_of
from falsum.smtlib.verdict import Verdict
from falsum.smtlib.walk import subterms

_NOT: Final = Head(OPERATORS["not"])
_EQUAL: Final = Head(OPERATORS["="])
_DISTINCT: Final = Head(OPERATORS["distinct"])


@dataclass(frozen=True, slots=True)
class Consequence:
    """Terms that must not have the verdict `wrong` together; otherwise `why` is the fault."""

    terms: tuple[Term, ...]
    wrong: Verdict
    why: str


def negation(formula: Term) -> Term:
    return app(_NOT, (formula,))


def of_interpolant(
    first: Sequence[Term], second: Sequence[Term], interpolant: Term
) -> tuple[Consequence, ...]:
    """An interpolant is implied by the first part, and contradicts the second; see `foreign_symbols` for
    the rest.
    """
    negated = negation(interpolant)
    return (
        Consequence((*first, negated), Verdict.SAT, "the first part does not imply it"),
        Consequence((interpolant, *second), Verdict.SAT, "it is satisfiable with the second part"),
    )


def foreign_symbols(
    interpolant: Term, first: Iterable[Term], second: Iterable[Term], bodies: Mapping[Function, Term]
) -> list[str]:
    """The declared functions of an interpolant that the two parts do not have in common."""
    common = functions_in(first, bodies) & functions_in(second, bodies)
    foreign = functions_in((interpolant,), bodies) - common
    return sorted(function.name for function in foreign if function.role == "declared")


def of_abduct(assertions: Sequence[Term], abduct: Term, goal: Term) -> tuple[Consequence, ...]:
    """An abduct does not contradict the assertions, and together with them implies the goal."""
    together = (*assertions, abduct)
    negated = negation(goal)
    return (
        Consequence(together, Verdict.UNSAT, "it contradicts what is asserted"),
        Consequence((*together, negated), Verdict.SAT, "the goal does not follow"),
    )


def of_optimum(
    assertions: Sequence[Term], goal: Term, value: Term, *, is_maximum: bool
) -> tuple[Consequence, ...]:
    """An optimum is attained, and no value is better; no consequences for sorts without an order."""
    order = kind_of(goal.sort).order
    if value.sort is not goal.sort or order is None:
        return ()
    compare = OPERATORS[order.greater if is_maximum else order.less]
    better, equal = app(Head(compare), (goal, value)), app(_EQUAL, (goal, value))
    return (
        Consequence((*assertions, better), Verdict.SAT, "there is a better value"),
        Consequence((*assertions, equal), Verdict.UNSAT, "the value is not possible"),
    )


def of_implied(assertions: Sequence[Term], formula: Term) -> tuple[Consequence, ...]:
    """The formula follows from the assertions."""
    negated = negation(formula)
    return (Consequence((*assertions, negated), Verdict.SAT, "it does not follow from the assertions"),)


def of_equal(assertions: Sequence[Term], one: Term, other: Term) -> tuple[Consequence, ...]:
    """Under the assertions, two terms have equal values."""
    unequal = app(_DISTINCT, (one, other))
    return (Consequence((*assertions, unequal), Verdict.SAT, "they differ"),)


def functions_in(terms: Iterable[Term], bodies: Mapping[Function, Term]) -> frozenset[Function]:
    """The functions in terms, and in the bodies of the definitions that they use."""
    functions: set[Function] = set()
    todo = list(terms)
    while todo:
        for part in subterms(todo.pop()):
            symbol = part.head.symbol if isinstance(part, App) else None
            if isinstance(symbol, Function) and symbol not in functions:
                functions.add(symbol)
                todo += [bodies[symbol]] if symbol in bodies else []
    return frozenset(functions)


def bodies_of(commands: Iterable[Command]) -> dict[Function, Term]:
    """The bodies of defined functions."""
    bodies: dict[Function, Term] = {}
    for command in commands:
        if isinstance(command, DefineFun):
            bodies[command.function] = command.body
        elif isinstance(command, DefineFunsRec):
            bodies.update(zip(command.functions, command.bodies, strict=True))
    return bodies
