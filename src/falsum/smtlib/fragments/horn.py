"""Whether a script is in the fragment HORN: every assertion is a Horn clause over its declared predicates.

Naming the logic is not enough: solvers run another engine for it and may give up on anything else.
"""

from __future__ import annotations

from typing import Final

from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import DeclareFun, DefineFun, DefineFunsRec, Script
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.substitution import without_lets
from falsum.smtlib.terms import Annotated, App, Function, Quantifier, Term
from falsum.smtlib.walk import children, subterms

HORN: Final = "HORN"


def is_horn(script: Script) -> bool:
    """Whether all declared functions are predicates, and each clause has at most one positive predicate."""
    bodies: list[Term] = []
    for command in script.commands:
        match command:
            case DeclareFun(function=function) if function.result is not BOOL:
                return False
            case DefineFunsRec():
                return False
            case DefineFun(body=body):
                bodies.append(body)
            case _:
                pass
    return not any(map(with_predicates, bodies)) and all(map(_are_clauses, script.assertions))


def _are_clauses(assertion: Term) -> bool:
    """Whether a formula is a Horn clause, or a conjunction of some."""
    todo = [without_lets(assertion)]
    while todo:
        term = todo.pop()
        if operator_name(term) == "and" or isinstance(term, Annotated) or _is_binder(term, "forall"):
            todo += _formulas(term)
        elif not _is_clause(term):
            return False
    return True


def _is_clause(clause: Term) -> bool:
    occurrences = with_predicates(clause)
    conclusions = 0
    todo = [(clause, True)]
    while todo:
        term, is_positive = todo.pop()
        name = operator_name(term)
        if term not in occurrences:
            continue
        if is_predicate(term):
            conclusions += is_positive
            if not occurrences.isdisjoint(children(term)):
                return False
        elif name == "not":
            todo += [(part, not is_positive) for part in children(term)]
        elif name == "=>" and is_positive:
            *premises, conclusion = children(term)
            todo += [(conclusion, True), *((premise, False) for premise in premises)]
        elif (
            isinstance(term, Annotated)
            or (name == "or")
            or (name == "and" and not is_positive)
            or _is_binder(term, "forall" if is_positive else "exists")
        ):
            todo += [(part, is_positive) for part in _formulas(term)]
        else:
            return False
    return conclusions <= 1


def _formulas(term: Term) -> tuple[Term, ...]:
    """The subformulas of a term, without patterns."""
    return (term.body,) if isinstance(term, Annotated | Quantifier) else children(term)


def _is_binder(term: Term, kind: str) -> bool:
    return isinstance(term, Quantifier) and term.kind == kind


def operator_name(term: Term) -> str:
    """The name of the operator that a term applies; "" if it applies none."""
    symbol = term.head.symbol if isinstance(term, App) else None
    return symbol.canonical.name if isinstance(symbol, Operator) else ""


def is_predicate(term: Term) -> bool:
    """Whether a term applies a declared predicate."""
    symbol = term.head.symbol if isinstance(term, App) else None
    return isinstance(symbol, Function) and symbol.role == "declared" and symbol.result is BOOL


def with_predicates(term: Term) -> set[Term]:
    """The parts of a term in which predicates occur."""
    parents: dict[Term, list[Term]] = {}
    todo: list[Term] = []
    for part in subterms(term):
        todo += [part] if is_predicate(part) else []
        for child in children(part):
            parents.setdefault(child, []).append(part)
    atoms: set[Term] = set()
    while todo:
        part = todo.pop()
        if part not in atoms:
            atoms.add(part)
            todo += parents.get(part, ())
    return atoms
