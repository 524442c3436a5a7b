"""CNF by Tseitin's transformation: an equisatisfiable script whose assertions are clauses, in linear size.

Every connective outside quantifiers gets a variable and the clauses that define it; a term bound by a `let`
around connectives becomes a definition. Atoms are left as they are, and quantified formulas are atoms.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import (
    Assert,
    Command,
    DeclareFun,
    DefineFun,
    Script,
)
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.substitution import substitute
from falsum.smtlib.term_names import is_name, names_given
from falsum.smtlib.terms import Annotated, App, Function, Head, Let, Term, Value, Var, app, constant
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.walk import free_variables, size, subterms, transform
from falsum.strategies.seeds import FRONT, declared_names

_NOT, _OR = Head(OPERATORS["not"]), Head(OPERATORS["or"])
_CONNECTIVES: Final = frozenset(["not", "and", "or", "=>", "xor", "=", "distinct", "ite"])
# A Boolean bound by a `let` is inlined if it has at most so many subterms.
_MAX_INLINED: Final = 12


def cnf(script: Script) -> Script | None:
    """A prepared script in CNF, declarations first; None if the script uses names of terms."""
    terms = [command.term for command in script.commands if isinstance(command, Assert)]
    if any(
        is_name(part) for command in script.commands for term in _terms(command) for part in subterms(term)
    ):
        return None
    taken = {part.name for term in terms for part in subterms(term) if isinstance(part, Var)}
    taken |= declared_names(script)
    maker = _Clauses(taken)
    rest: list[Command] = []
    front = [command for command in script.commands if isinstance(command, FRONT)]
    for command in script.commands:
        if isinstance(command, Assert):
            rest += maker.commands(transform(command.term, _without_name))
        elif not isinstance(command, FRONT):
            rest.append(command)
    return Script((*front, *map(DeclareFun, maker.variables), *rest))


def _terms(command: Command) -> tuple[Term, ...]:
    if isinstance(command, Assert):
        return (command.term,)
    return (command.body,) if isinstance(command, DefineFun) else getattr(command, "terms", ())


def _without_name(term: Term) -> Term | None:
    """Drops an unused name: a named atom may occur in several clauses."""
    if isinstance(term, Annotated) and names_given(term):
        return term.body
    return None


class _Join(NamedTuple):
    """A connective whose arguments have been transformed."""

    term: App


class _Bind(NamedTuple):
    """A `let` whose values have been transformed; its body comes next."""

    term: Let


class _Leave(NamedTuple):
    """The end of a scope: the values that its variables have outside it."""

    before: list[tuple[Var, Term | None]]


class _Clauses:
    """Makes the clauses of one assertion after another; `variables` stand for connectives."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.variables: list[Function] = []
        self.out: list[Command] = []
        self.scope: dict[Var, Term] = {}
        self.number = 0

    def commands(self, root: Term) -> list[Command]:
        self.out = []
        self._clause(self._literal(root))
        return self.out

    def _literal(self, root: Term) -> Term:
        """A literal that is true exactly where the root is, given the clauses made for it."""
        literals: list[Term] = []
        todo: list[Term | _Join | _Bind | _Leave] = [root]
        while todo:
            step = todo.pop()
            if isinstance(step, _Join):
                args = _popped(literals, len(step.term.args))
                literals.append(self._connected(step.term, args))
            elif isinstance(step, _Bind):
                values = map(self._short, _popped(literals, len(step.term.values)))
                before = [(binder, self.scope.get(binder)) for binder in step.term.binders]
                self.scope.update(zip(step.term.binders, values, strict=True))
                todo += (_Leave(before), step.term.body)
            elif isinstance(step, _Leave):
                for binder, old in step.before:
                    self.scope.pop(binder)
                    if old is not None:
                        self.scope[binder] = old
            elif isinstance(step, Let):
                todo.append(_Bind(step))
                todo.extend(reversed(step.values))
            elif isinstance(step, App) and _is_connective(step):
                todo.append(_Join(step))
                todo.extend(reversed(step.args))
            else:
                literals.append(self._closed(step))
        return literals[0]

    def _closed(self, atom: Term) -> Term:
        """The atom with the `let` variables around it substituted."""
        by = {v: self.scope[v] for v in free_variables(atom) if v in self.scope}
        return substitute(atom, by) if by else atom

    def _short(self, value: Term) -> Term:
        """The term that replaces a `let` variable: its value if that is small, else a defined constant."""
        if value.sort is BOOL and size(value) <= _MAX_INLINED:
            return value
        if isinstance(value, Value) or (isinstance(value, App) and not value.args):
            return value
        symbol = self._symbol("let", value.sort)
        self.out.append(DefineFun(symbol, (), value))
        return constant(symbol)

    def _symbol(self, word: str, sort: Sort) -> Function:
        self.number += 1
        name = f"{word}!{self.number}"
        while name in self.taken:
            self.number += 1
            name = f"{word}!{self.number}"
        return Function(name, (), sort)

    def _connected(self, term: App, args: list[Term]) -> Term:
        name = _name(term)
        if name == "not":
            return _negated(args[0])
        if name == "=>":
            return self._variable_for("or", [*map(_negated, args[:-1]), args[-1]])
        if name in ("and", "or"):
            return self._variable_for(name, args)
        if name == "ite":
            return self._choice(*args)
        if name == "=":
            links = [self._equal(left, right) for left, right in pairwise(args)]
            return links[0] if len(links) == 1 else self._variable_for("and", links)
        result = args[0]
        for arg in args[1:]:
            result = _negated(self._equal(result, arg))
        return result

    def _variable(self) -> Term:
        symbol = self._symbol("cnf", BOOL)
        self.variables.append(symbol)
        return constant(symbol)

    def _variable_for(self, name: str, args: Sequence[Term]) -> Term:
        """A variable equal to a conjunction or disjunction."""
        variable = self._variable()
        # A conjunction is the negation of a disjunction of negations.
        whole, parts = (
            (variable, list(args)) if name == "or" else (_negated(variable), [_negated(a) for a in args])
        )
        for part in parts:
            self._clause(whole, _negated(part))
        self._clause(_negated(whole), *parts)
        return variable

    def _equal(self, left: Term, right: Term) -> Term:
        variable = self._variable()
        self._clause(_negated(variable), _negated(left), right)
        self._clause(_negated(variable), left, _negated(right))
        self._clause(variable, left, right)
        self._clause(variable, _negated(left), _negated(right))
        return variable

    def _choice(self, condition: Term, then: Term, other: Term) -> Term:
        variable = self._variable()
        self._clause(_negated(variable), _negated(condition), then)
        self._clause(_negated(variable), condition, other)
        self._clause(variable, _negated(condition), _negated(then))
        self._clause(variable, condition, _negated(other))
        return variable

    def _clause(self, *literals: Term) -> None:
        self.out.append(Assert(literals[0] if len(literals) == 1 else app(_OR, literals)))


def _popped(literals: list[Term], count: int) -> list[Term]:
    start = len(literals) - count
    last = literals[start:]
    del literals[start:]
    return last


def _negated(literal: Term) -> Term:
    if isinstance(literal, App) and _name(literal) == "not":
        return literal.args[0]
    return app(_NOT, (literal,))


def _name(term: App) -> str:
    symbol = term.head.symbol
    return symbol.canonical.name if isinstance(symbol, Operator) else ""


def _is_connective(term: App) -> bool:
    name = _name(term)
    if name == "distinct" and len(term.args) != 2:
        return False
    return name in _CONNECTIVES and len(term.args) > 0 and all(arg.sort is BOOL for arg in term.args)
