"""Invariants: models of Horn clauses, as definitions that are put into each clause.

A clause is false under an invariant exactly if its negation is satisfiable: its variables become constants,
and its predicates have the definitions of the model. No quantifier is left but those of the model and of
the constraints.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from falsum.errors import FalsumError
from falsum.smtlib import Script, print_script
from falsum.smtlib.consequences.clauses import Clause
from falsum.smtlib.consequences.consequence import negation
from falsum.smtlib.models.model import Model
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.scripts import (
    Assert,
    CheckSat,
    DeclareDatatypes,
    DeclareFun,
    DeclareSort,
    DefineFun,
    DefineSort,
    SetLogic,
)
from falsum.smtlib.substitution import substitute
from falsum.smtlib.terms import App, Function, Term, Var, constant

_SORTS: Final = (DeclareSort, DefineSort, DeclareDatatypes)


def front_of(flat: Script) -> Script:
    """The sorts and the defined functions of a script, under any logic."""
    kept = (command for command in flat.commands if isinstance(command, (*_SORTS, DefineFun)))
    return Script((SetLogic("ALL"), *kept))


def read_invariant(flat: Script, model: str) -> Model | None:
    """The model, if it can be read; None if it cannot."""
    try:
        return read_model(model, flat)
    except FalsumError:
        return None


def invariant_of(model: Model, atom: App) -> Term | None:
    """What a model says of an atom, as a formula of its arguments; None if the model does not define it."""
    symbol = atom.head.symbol
    definition = model.definitions.get(symbol) if isinstance(symbol, Function) else None
    if definition is None or len(definition.binders) != len(atom.args):
        return None
    return substitute(definition.body, dict(zip(definition.binders, atom.args, strict=True)))


def negated_clauses(flat: Script, clauses: Sequence[Clause], model: Model) -> Iterator[tuple[Clause, str]]:
    """Each clause, with the script that is satisfiable if the model makes it false.

    Left out are clauses with a predicate that the model does not define: it may be anything.
    """
    front = print_script(front_of(flat))
    for clause in clauses:
        atoms = (*clause.atoms, *((clause.head,) if clause.head is not None else ()))
        symbols = dict.fromkeys(atom.head.symbol for atom in atoms)
        functions = [symbol for symbol in symbols if isinstance(symbol, Function)]
        if not all(function in model.definitions for function in functions):
            continue
        try:
            defined = print_model(model, functions) if functions else ""
        except FalsumError:
            continue
        head = (negation(clause.head),) if clause.head is not None else ()
        yield (
            clause,
            front + defined + print_script(ground(clause, (*clause.atoms, *clause.constraints, *head))),
        )


def ground(clause: Clause, formulas: Sequence[Term]) -> Script:
    """Declarations of constants for the variables of a clause, the formulas about them, and a check."""
    constants = {v: constant(Function(v.name, (), v.sort)) for v in clause.variables}
    declared = tuple(DeclareFun(Function(v.name, (), v.sort)) for v in clause.variables)
    by: dict[Var, Term] = dict(constants)
    return Script((*declared, *(Assert(substitute(each, by)) for each in formulas), CheckSat()))
