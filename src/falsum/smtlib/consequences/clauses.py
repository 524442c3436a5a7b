"""Clause: Horn clauses in a normal form, in which predicates stand side by side.

The premises of a clause are a conjunction of predicates and constraints without predicates. An assertion with
alternatives among its premises becomes a clause for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from falsum.smtlib import Script
from falsum.smtlib.consequences.consequence import negation
from falsum.smtlib.fragments.horn import is_horn, is_predicate, operator_name, with_predicates
from falsum.smtlib.scripts import DeclareFun, DefineFun
from falsum.smtlib.substitution import fresh, substitute, without_lets
from falsum.smtlib.terms import Annotated, App, Head, Quantifier, Term, Var, app, quantifier, var
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.theories.core import FALSE, TRUE, conjunction, equation
from falsum.smtlib.walk import children

# Scripts with more clauses, or with formulas that take more steps to take apart, have no normal form here.
MOST_CLAUSES: Final = 400
_MOST_STEPS: Final = 20_000
_IMPLIES: Final = Head(OPERATORS["=>"])


class Clause(NamedTuple):
    """For all `variables`, the atoms and the constraints imply the head; a head of None is *false*.

    `place` is the number of the assertion that it is part of.
    """

    variables: tuple[Var, ...]
    atoms: tuple[App, ...]
    constraints: tuple[Term, ...]
    head: App | None
    place: int = 0

    @property
    def formula(self) -> Term:
        """The clause as an assertion."""
        premises = (*self.atoms, *self.constraints)
        conclusion: Term = self.head if self.head is not None else FALSE
        formula = app(_IMPLIES, (together(premises), conclusion)) if premises else conclusion
        return quantifier("forall", self.variables, formula) if self.variables else formula


def together(formulas: Sequence[Term]) -> Term:
    """The conjunction of any number of formulas."""
    return conjunction(*formulas) if len(formulas) > 1 else formulas[0] if formulas else TRUE


def resolvents(
    clause: Clause, number: int, others: Sequence[Clause], taken: Iterable[str]
) -> Iterator[Clause]:
    """The clause with an atom of its premises replaced by the premises of each clause that concludes it."""
    atom = clause.atoms[number]
    names = frozenset((*taken, *(v.name for v in clause.variables)))
    for other in others:
        if other.head is None or other.head.head is not atom.head:
            continue
        by: dict[Var, Term] = {}
        own = set(names)
        for variable in other.variables:
            by[variable] = var(fresh(variable.name, own), variable.sort)
            own.add(fresh(variable.name, own))
        renamed = [substitute(each, by) for each in (other.head, *other.atoms, *other.constraints)]
        head, premises = renamed[0], renamed[1:]
        atoms = [each for each in premises if isinstance(each, App) and is_predicate(each)]
        equations = [equation(left, right) for left, right in zip(children(head), atom.args, strict=True)]
        yield Clause(
            (*clause.variables, *(v for v in by.values() if isinstance(v, Var))),
            tuple(dict.fromkeys((*clause.atoms[:number], *clause.atoms[number + 1 :], *atoms))),
            (*clause.constraints, *equations, *(each for each in premises if each not in atoms)),
            clause.head,
            clause.place,
        )


class _State(NamedTuple):
    """A clause under way: formulas of its disjunction that are yet to be taken apart, each with its sign."""

    todo: tuple[tuple[Term, bool], ...]
    clause: Clause


def clauses_of(flat: Script) -> tuple[Clause, ...] | None:
    """The clauses of a flat script; None if it is not Horn, or takes too many."""
    if not is_horn(flat):
        return None
    taken = frozenset(c.function.name for c in flat.commands if isinstance(c, DeclareFun | DefineFun))
    clauses: list[Clause] = []
    steps = 0
    for place, assertion in enumerate(flat.assertions):
        term = without_lets(assertion)
        states = [_State(((term, True),), Clause((), (), (), None, place))]
        occurrences = with_predicates(term)
        while states:
            state = states.pop()
            steps += 1
            if len(clauses) > MOST_CLAUSES or steps > _MOST_STEPS:
                return None
            if state.todo:
                states.extend(reversed(list(_steps(state, occurrences, taken))))
            else:
                clauses.append(state.clause)
    return tuple(clauses)


def _steps(state: _State, occurrences: set[Term], taken: frozenset[str]) -> Iterator[_State]:
    """The clauses under way after the first formula is taken apart: one, or one for each alternative.

    `occurrences` are the parts of the assertion in which predicates occur.
    """
    ((term, is_positive), *others), clause = state
    rest = tuple(others)
    name = operator_name(term)
    has_predicates = term in occurrences
    if isinstance(term, Annotated):
        yield _State(((term.body, is_positive), *rest), clause)
    elif isinstance(term, Quantifier) and (term.kind == "forall") is is_positive:
        names = {v.name for v in clause.variables} | taken
        variables = list(clause.variables)
        by: dict[Var, Term] = {}
        for binder in term.binders:
            variables.append(var(fresh(binder.name, names), binder.sort))
            names.add(variables[-1].name)
            by[binder] = variables[-1]
        body = substitute(term.body, by)
        occurrences |= with_predicates(body)
        yield _State(((body, is_positive), *rest), clause._replace(variables=tuple(variables)))
    elif is_predicate(term):
        assert isinstance(term, App)
        atom = {"head": term} if is_positive else {"atoms": tuple(dict.fromkeys((*clause.atoms, term)))}
        yield _State(rest, clause._replace(**atom))
    elif name == "not":
        yield _State(((children(term)[0], not is_positive), *rest), clause)
    elif name == "=>" and is_positive:
        *premises, conclusion = children(term)
        yield _State((*((premise, False) for premise in premises), (conclusion, True), *rest), clause)
    elif has_predicates and (name == "or") is is_positive:
        yield _State((*((part, is_positive) for part in children(term)), *rest), clause)
    elif has_predicates:
        yield from (_State(((part, is_positive), *rest), clause) for part in children(term))
    elif term is FALSE and is_positive:
        yield _State(rest, clause)
    else:
        constraint = negation(term) if is_positive else term
        constraints = tuple(dict.fromkeys((*clause.constraints, constraint)))
        yield _State(rest, clause._replace(constraints=constraints))
