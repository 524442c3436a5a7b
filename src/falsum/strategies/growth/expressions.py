"""ExpressionPool: the expressions of a seed by sort, and at which places each may stand."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from falsum.smtlib.logics import logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.scripts import DefineFun, DefineFunsRec, Script
from falsum.smtlib.sorts import REAL, Sort
from falsum.smtlib.substitution import symbols_in
from falsum.smtlib.term_names import names_given
from falsum.smtlib.terms import Annotated, App, Function, Term, Value, Var
from falsum.smtlib.text.lexer import symbol_name
from falsum.smtlib.walk import children, free_variables
from falsum.strategies.growth.linearity import Linearity

# Random draws before all expressions of a sort are searched for one that fits.
_BLIND_DRAWS = 4


class PlaceScope(NamedTuple):
    """What is in scope at a place: bound variables by name, and the number of its command."""

    binders: dict[str, Var]
    command: int


class ExpressionPool:
    """The distinct expressions of a seed by sort, in the order they occur."""

    def __init__(self, layout: Layout, script: Script) -> None:
        self._logic = logic_of(script.logic)
        self.linearity = Linearity(layout, self._logic)
        self.by_sort: dict[Sort, list[Term]] = {}
        self.has_binders = any(root.binders for root in layout.roots.values())
        self._defined_in = _definitions(script, layout)
        # By expression: the last command that defines a symbol in it, -1 if there is none.
        self._defined_by: dict[Term, int] = {}
        # By expression: its free variables, and its other symbols.
        self._symbols: dict[Term, tuple[frozenset[Var], frozenset[str]]] = {}
        named_parts = self._inspect(layout)
        seen: set[Term] = set()
        self.replaceable: list[int] = []
        for number, place in enumerate(layout.places):
            if number in named_parts or not self.may_stand(layout, number):
                continue
            if self.may_replace(layout, number):
                self.replaceable.append(number)
            if place.term not in seen and not self._is_lenient(place.term):
                seen.add(place.term)
                self.by_sort.setdefault(place.term.sort, []).append(place.term)
        self.sorts = tuple(self.by_sort)

    def _inspect(self, layout: Layout) -> set[int]:
        """Record the last definition that each term needs; return the places around a `:named` term."""
        labels: set[int] = set()
        for number in range(len(layout.places) - 1, -1, -1):
            term = layout.places[number].term
            if isinstance(term, Var):
                self.has_binders = True
            if number in labels or names_given(term):
                labels.update((number, layout.places[number].parent))
            if term not in self._defined_by:
                last = max((self._defined_by[part] for part in children(term)), default=-1)
                if isinstance(term, App) and isinstance(term.head.symbol, Function):
                    last = max(last, self._defined_in.get(term.head.symbol.name, -1))
                self._defined_by[term] = last
        return labels

    def may_replace(self, layout: Layout, number: int) -> bool:
        """Whether any expression of the sort may stand at a place without leaving the logic."""
        return self.may_stand(layout, number) and not self.linearity.binds(layout, number)

    def may_stand(self, layout: Layout, number: int) -> bool:
        """Whether another expression may stand at a place, judged by the place alone."""
        term = layout.places[number].term
        is_open = layout.is_replaceable(number) and not self._logic.lacks_numbers(term.sort)
        return is_open and not has_attributes(term)

    def _is_lenient(self, term: Term) -> bool:
        """Whether a term has its sort only at its place: an integer that solvers convert to a real."""
        if isinstance(term, Value):
            return term.sort is REAL and term.text.isdecimal() and not self._logic.is_real
        symbol = term.head.symbol if isinstance(term, App) else None
        return isinstance(symbol, Operator) and symbol.is_implicit

    def scope_at(self, layout: Layout, number: int) -> PlaceScope:
        binders = layout.binders(number) if self.has_binders else {}
        return PlaceScope(binders, layout.command(number) if self._defined_in else 0)

    def fits(self, term: Term, scope: PlaceScope) -> bool:
        """Whether all symbols of an expression have the same meaning at a place: none is unknown, none
        captured.
        """
        if self._defined_in and self._defined_by[term] >= scope.command:
            return False
        if not self.has_binders:
            return True
        symbols = self._symbols.get(term)
        if symbols is None:
            free = free_variables(term)
            symbols = self._symbols[term] = free, symbols_in(term) - {v.name for v in free}
        free, names = symbols
        return all(scope.binders.get(v.name) is v for v in free) and names.isdisjoint(scope.binders)

    def knows(self, name: str, scope: PlaceScope) -> bool:
        """Whether a name has its function's meaning at a place: it is defined there, and no variable
        hides it.
        """
        if self._defined_in and self._defined_in.get(name, -1) >= scope.command:
            return False
        return name not in scope.binders

    def pick(self, sort: Sort, scope: PlaceScope, other_than: Term | None, rng: Random) -> Term | None:
        """A random expression of a sort that fits the place, other than the given one; None if there is
        none.
        """
        terms = self.by_sort.get(sort, ())
        if not terms:
            return None
        for _ in range(_BLIND_DRAWS):
            term = terms[rng.randrange(len(terms))]
            if term is not other_than and self.fits(term, scope):
                return term
        fitting = [term for term in terms if term is not other_than and self.fits(term, scope)]
        return fitting[rng.randrange(len(fitting))] if fitting else None


def has_attributes(term: Term) -> bool:
    """Whether a term has attributes that only the body of a quantifier may have, such as patterns."""
    return isinstance(term, Annotated) and not names_given(term)


def _definitions(script: Script, layout: Layout) -> dict[str, int]:
    """The command that defines each defined function and each name of a term."""
    definitions = {}
    for index, command in enumerate(script.commands):
        if isinstance(command, DefineFun):
            definitions[command.function.name] = index
        elif isinstance(command, DefineFunsRec):
            definitions.update({function.name: index for function in command.functions})
    for number, place in enumerate(layout.places):
        for name in names_given(place.term):
            definitions[symbol_name(name)] = layout.command(number)
    return definitions
