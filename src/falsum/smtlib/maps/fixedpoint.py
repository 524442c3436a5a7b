"""Scripts of z3's fixedpoint engine (`declare-rel`, `declare-var`, `rule`, `query`) as Horn clauses.

A rule holds for all values of the declared variables. A query asks whether a fact can be derived, so as Horn
clauses the script is unsat exactly if it can.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from falsum.smtlib.fragments.horn import HORN
from falsum.smtlib.scripts import (
    Assert,
    CheckSat,
    Command,
    DeclareFun,
    Pop,
    Push,
    Script,
    SetLogic,
    WithTerms,
)
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.substitution import rename_binders
from falsum.smtlib.terms import App, Function, Head, Term, Var, app, constant, quantifier, var
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.theories.core import FALSE
from falsum.smtlib.walk import subterms, transform

_IMPLIES: Final = Head(OPERATORS["=>"])


def is_fixedpoint(script: Script) -> bool:
    """Whether a script has rules and queries."""
    words = {command.word for command in script.commands if isinstance(command, WithTerms)}
    return {"rule", "query"} <= words


def as_horn(script: Script) -> Script:
    """The script as Horn clauses, in the logic HORN, with a check in the place of each query."""
    variables: dict[Term, Var] = {}
    commands: list[Command] = [SetLogic(HORN)]
    queries = sum(isinstance(c, WithTerms) and c.word == "query" for c in script.commands)
    for command in script.commands:
        match command:
            case DeclareFun(function=function, word="declare-var"):
                variables[constant(function)] = var(function.name, function.result)
            case DeclareFun(word="declare-rel"):
                commands.append(replace(command, word="declare-fun"))
            case WithTerms(word="rule", pieces=(term, *_)) if not isinstance(term, str):
                commands.append(Assert(_closed(term, variables)))
            case WithTerms(word="query", pieces=(term, *_)) if not isinstance(term, str):
                query: list[Command] = [Assert(_denied(term, variables)), CheckSat()]
                commands += query if queries == 1 else [Push(1), *query, Pop(1)]
            case _:
                commands.append(command)
    return Script(tuple(c for n, c in enumerate(commands) if not n or not isinstance(c, SetLogic)))


def _denied(term: Term, variables: dict[Term, Var]) -> Term:
    """That nothing satisfies a query; one that is a relation asks for any of its facts."""
    symbol = term.head.symbol if isinstance(term, App) else None
    if term.sort is BOOL or not isinstance(term, App) or not isinstance(symbol, Function):
        return _closed(app(_IMPLIES, (term, FALSE)), variables)
    binders = tuple(var(f"x!{place}", sort) for place, sort in enumerate(symbol.args))
    return quantifier("forall", binders, app(_IMPLIES, (app(term.head, binders), FALSE)))


def _closed(term: Term, variables: dict[Term, Var]) -> Term:
    """A rule as a formula that binds the variables it has."""
    renamed = rename_binders(term, frozenset(v.name for v in variables.values()))
    own = [variables[part] for part in subterms(renamed) if part in variables]
    body = transform(renamed, lambda part: variables.get(part) if isinstance(part, App) else None)
    return quantifier("forall", tuple(own), body) if own else body
