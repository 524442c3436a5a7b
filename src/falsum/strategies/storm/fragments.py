"""Fragments: the closed Boolean subterms of a seed, from which new formulas are built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.scripts import Assert, CheckSatAssuming, Script
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.term_names import NameResolver
from falsum.smtlib.terms import Annotated, App, Lambda, Let, Match, Quantifier, Term, Value, Var, let
from falsum.smtlib.walk import children, free_variable_table, transform

_CONNECTIVES: Final = frozenset(["and", "or", "not", "=>", "xor", "=", "distinct", "ite"])
# Characters of the shortest let around a term.
_SHORTEST_LET: Final = len("(let ((a b)) )")


class Fragment(NamedTuple):
    """A closed Boolean term, its text, and its depth: how many connectives are nested, 0 for an atom."""

    term: Term
    text: str
    depth: int


@dataclass(frozen=True, slots=True)
class SeedFragments:
    """The fragments of a seed; `too_deep` and `too_long` count those that exceed a bound."""

    usable: tuple[Fragment, ...]
    too_deep: int
    too_long: int


@dataclass(frozen=True, slots=True, eq=False)
class _Scope:
    """A let around a place, and the scope around that let."""

    around: Let
    outer: _Scope | None


@dataclass(slots=True)
class _BooleanDepths:
    """The Boolean depth of terms at their places; a variable is as deep as the value a let gives it."""

    scopes: dict[tuple[Let, _Scope | None], _Scope] = field(default_factory=dict)
    depths: dict[tuple[Term, _Scope | None], int] = field(default_factory=dict)

    def scope(self, around: Let, outer: _Scope | None) -> _Scope:
        return self.scopes.setdefault((around, outer), _Scope(around, outer))

    def of(self, term: Term, scope: _Scope | None) -> int:
        todo = [(term, scope)]
        while todo:
            place = todo[-1]
            parts = self._parts(*place)
            below = [part for part in parts if part not in self.depths]
            if below:
                todo.extend(below)
                continue
            todo.pop()
            deepest = max((self.depths[part] for part in parts), default=0)
            self.depths[place] = deepest + is_connective(place[0])
        return self.depths[term, scope]

    def _parts(self, term: Term, scope: _Scope | None) -> list[tuple[Term, _Scope | None]]:
        """The Boolean terms that a Boolean term consists of; none of an atom."""
        if isinstance(term, Let):
            return [(term.body, self.scope(term, scope))]
        if isinstance(term, Annotated):
            return [(term.body, scope)]
        if isinstance(term, Var):
            while scope is not None and term not in scope.around.binders:
                scope = scope.outer
            if scope is None:
                return []
            return [(scope.around.values[scope.around.binders.index(term)], scope.outer)]
        return [(part, scope) for part in children(term)] if is_connective(term) else []


def is_connective(term: Term) -> bool:
    """Whether a term is a connective applied to formulas; `=` between numbers is an atom."""
    return (
        isinstance(term, App)
        and isinstance(term.head.symbol, Operator)
        and term.head.symbol.canonical.name in _CONNECTIVES
        and all(arg.sort is BOOL for arg in term.args)
    )


def fragments(script: Script, depth: int, longest: int = 0) -> SeedFragments:
    """The closed Boolean subterms of all assertions and assumptions, each once, in the order they occur.

    At most `depth` connectives deep and `longest` characters long (0: any length). Lets around a subterm that
    it depends on are put around it again. Names of terms are resolved, since an instance may use a fragment
    twice.
    """
    collection = _Collection(depth, longest)
    resolver = NameResolver()
    for command in script.commands:
        roots = command.terms if isinstance(command, CheckSatAssuming) else ()
        if isinstance(command, Assert):
            roots = (command.term,)
        for root in roots:
            collection.add(transform(root, resolver.change))
    return SeedFragments(tuple(collection.usable), collection.too_deep, collection.too_long)


@dataclass(slots=True)
class _Collection:
    """Fragments within the bounds, and the numbers of those that exceed them."""

    depth: int
    longest: int
    usable: list[Fragment] = field(default_factory=list)
    too_deep: int = 0
    too_long: int = 0
    _seen: set[Term] = field(default_factory=set)
    _depths: _BooleanDepths = field(default_factory=_BooleanDepths)

    def add(self, root: Term) -> None:
        """Adds the fragments of an assertion, outermost first; none from inside a quantifier or lambda."""
        free = free_variable_table(root)
        todo: list[tuple[Term, _Scope | None]] = [(root, None)]
        visited: set[tuple[Term, _Scope | None]] = set()
        while todo:
            term, scope = todo.pop()
            if (term, scope) in visited:
                continue
            visited.add((term, scope))
            if term.sort is BOOL and not isinstance(term, Value):
                self._add(term, scope, free)
            if isinstance(term, Quantifier | Lambda | Match):
                continue
            if isinstance(term, Let):
                todo.append((term.body, self._depths.scope(term, scope)))
                todo.extend((value, scope) for value in reversed(term.values))
            else:
                parts = (term.body,) if isinstance(term, Annotated) else children(term)
                todo.extend((part, scope) for part in reversed(parts))

    def _add(self, term: Term, scope: _Scope | None, free: Mapping[Term, frozenset[Var]]) -> None:
        # Others are another writing of a formula that is counted itself.
        is_itself = not isinstance(term, Let | Annotated | Var)
        depth = self._depths.of(term, scope)
        if depth > self.depth:
            self.too_deep += is_itself
            return
        lets = _lets(free[term], scope, free)
        if lets is None:
            return
        if self.longest and _SHORTEST_LET * len(lets) > self.longest:
            self.too_long += is_itself
            return
        for around in lets:
            term = let(around.binders, around.values, term)
        if term in self._seen:
            return
        self._seen.add(term)
        text = print_term(term)
        if self.longest and len(text) > self.longest:
            self.too_long += is_itself
        else:
            self.usable.append(Fragment(term, text, depth))


def _lets(
    left: frozenset[Var], scope: _Scope | None, free: Mapping[Term, frozenset[Var]]
) -> list[Let] | None:
    """The lets that free variables depend on, innermost first; None if a variable is bound by none."""
    lets = []
    while scope is not None and left:
        if not left.isdisjoint(scope.around.binders):
            lets.append(scope.around)
            left = left.difference(scope.around.binders)
            left = left.union(*(free[value] for value in scope.around.values))
        scope = scope.outer
    return None if left else lets
