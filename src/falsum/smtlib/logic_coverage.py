"""Whether a script keeps to its logic, as far as the logic's name tells."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.smtlib.logics import Logic, logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import (
    Assert,
    CheckSatAssuming,
    DeclareDatatypes,
    DeclareFun,
    DeclareSort,
    DefineFun,
    DefineFunsRec,
    Script,
)
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App, Function, Lambda, Quantifier, Term
from falsum.smtlib.theories import THEORY_OF_SORT
from falsum.smtlib.walk import subterms

_CORE = "Core"


def covers_script(logic: Logic, script: Script) -> bool:
    """Whether everything in a script is allowed in a logic; an uninformative name allows nothing new."""
    if logic.is_unknown:
        return False
    theories = logic.theories
    if theories is not None:
        for command in script.commands:
            match command:
                case DeclareSort() if theories.isdisjoint({"uf", "arrays"}):
                    return False
                case DeclareFun(function=function) if function.args and "uf" not in theories:
                    return False
                case DefineFunsRec() | DefineFun(word="define-fun-rec") if "uf" not in theories:
                    return False
                case DeclareDatatypes() if "datatypes" not in theories:
                    return False
                case _:
                    pass
        if not all(_has_sort(logic, sort) for sort in _declared_sorts(script)):
            return False
    return all(_allows(logic, part) for term in _terms(script) for part in subterms(term))


def keeps_to_logic(script: Script) -> bool:
    """Whether a script is legal in the logic that it names; without a logic everything is."""
    return not script.logic or covers_script(logic_of(script.logic), script)


def _terms(script: Script) -> Iterator[Term]:
    for command in script.commands:
        match command:
            case Assert(term=term):
                yield term
            case CheckSatAssuming(terms=terms):
                yield from terms
            case DefineFun(body=body):
                yield body
            case DefineFunsRec(bodies=bodies):
                yield from bodies
            case _:
                pass


def _declared_sorts(script: Script) -> Iterator[Sort]:
    for command in script.commands:
        functions: tuple[Function, ...] = ()
        if isinstance(command, DeclareFun | DefineFun):
            functions = (command.function,)
        elif isinstance(command, DefineFunsRec):
            functions = tuple(command.functions)
        for function in functions:
            yield from (*function.args, function.result)


def _has_sort(logic: Logic, sort: Sort) -> bool:
    """Whether a logic has a sort and all its arguments; the script's own sorts are checked elsewhere."""
    todo = [sort]
    while todo:
        part = todo.pop()
        owner = THEORY_OF_SORT.get(part.name)
        if (
            owner is not None
            and owner.name != _CORE
            and logic.sorts is not None
            and part.name not in logic.sorts
        ):
            return False
        todo.extend(part.args)
    return True


def _allows(logic: Logic, part: Term) -> bool:
    if _is_higher_order(part) and not logic.is_higher_order and logic.theories is not None:
        return False
    if isinstance(part, Quantifier):
        return not logic.is_quantifier_free and all(_has_sort(logic, var.sort) for var in part.binders)
    if not isinstance(part, App) or not isinstance(part.head.symbol, Operator):
        return True
    operator = part.head.symbol
    return operator.is_implicit or (logic.has_theory(operator.theory) and logic.allows(operator, part.args))


def _is_higher_order(part: Term) -> bool:
    """Whether a term is a function, as in `(= f g)`; applied functions are not terms of their own."""
    return isinstance(part, Lambda) or part.sort.name == "->"
