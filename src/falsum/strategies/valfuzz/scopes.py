"""Scopes: the local variables at each place of a seed, and closed versions of terms that use them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.substitution import substitute
from falsum.smtlib.terms import Annotated, Function, Let, Quantifier, Term, Var, constant, quantifier
from falsum.smtlib.theories import kind_of
from falsum.smtlib.walk import binders_at, free_variables, rebuild
from falsum.strategies.valfuzz.holes import FreshNames, Hole


@dataclass(frozen=True, slots=True, eq=False)
class BinderScope:
    """The variables bound at a place; `kind` is forall, exists, or another word if it is no quantifier.

    `around` is the number of the place that binds them, -1 if it is a definition.
    """

    kind: str
    binders: tuple[Var, ...]
    outer: BinderScope | None
    around: int = -1

    def find(self, name: str) -> tuple[BinderScope, Var] | None:
        """The scope that binds a name, and the variable."""
        scope: BinderScope | None = self
        while scope is not None:
            for binder in scope.binders:
                if binder.name == name:
                    return scope, binder
            scope = scope.outer
        return None


@dataclass(slots=True)
class PlaceScopes:
    """The scopes of all places of a layout, and the global variables that replace local ones.

    Quantifiers of the `skolemised` kinds are removed, and their variables become global; quantifiers of other
    kinds are copied around a term. Variables of lets, matches, lambdas and definitions become global, except
    those of sorts without constants (RegLan) in a let, which are replaced by their values.
    """

    layout: Layout
    names: FreshNames
    skolemised: frozenset[str]
    at: list[BinderScope | None] = field(default_factory=list)
    globals: dict[tuple[BinderScope, Var], Function] = field(default_factory=dict)

    def __post_init__(self) -> None:
        scopes: dict[tuple[int, int], BinderScope] = {}
        for number, place in enumerate(self.layout.places):
            if place.parent < 0:
                binders = self.layout.roots[number].binders
                self.at.append(BinderScope("parameters", binders, None) if binders else None)
                continue
            around = self.layout.places[place.parent].term
            bound, outer = binders_at(around, place.slot), self.at[place.parent]
            if not bound:
                self.at.append(outer)
                continue
            key = (place.parent, -1 if isinstance(around, Quantifier) else place.slot)
            if key not in scopes:
                kind = around.kind if isinstance(around, Quantifier) else "let"
                scopes[key] = BinderScope(kind, bound, outer, place.parent)
            self.at.append(scopes[key])

    def terms(self, holes: tuple[Hole, ...], *, as_written: bool = False) -> list[Term]:
        """The term at every place, with variables for the holes and without annotations.

        Skolemised quantifiers are removed, unless `as_written`.
        """
        variables = {hole.place: hole.variable for hole in holes}
        parts: list[list[Term]] = [[] for _ in self.layout.places]
        out: list[Term] = [place.term for place in self.layout.places]
        for number in range(len(out) - 1, -1, -1):
            place = self.layout.places[number]
            if number in variables:
                term = variables[number]
            else:
                term = self._made(number, place.term, parts[number][::-1], as_written=as_written)
            out[number] = term
            parts[number] = []
            if place.parent >= 0:
                parts[place.parent].append(term)
        return out

    def _made(self, number: int, term: Term, parts: list[Term], *, as_written: bool) -> Term:
        if isinstance(term, Annotated):
            return parts[0]
        if isinstance(term, Var) and not as_written:
            scope = self.at[number]
            binder = scope.find(term.name) if scope is not None else None
            if binder is not None and binder[0].kind in self.skolemised:
                return constant(self._global(*binder))
            return term
        if isinstance(term, Quantifier) and term.kind in self.skolemised and not as_written:
            return parts[0]
        return rebuild(term, parts)

    def closed(self, number: int, term: Term, terms: Sequence[Term]) -> Term | None:
        """A closed version of a term at a place: local variables made global, or quantifiers around it.

        `terms` are those at all places. None if a local variable can neither be global nor be replaced.
        """
        for scope in self._around(number):
            free = free_variables(term)
            if not free:
                break
            binders = tuple(binder for binder in scope.binders if binder in free)
            if not binders:
                continue
            if scope.kind in ("forall", "exists") and scope.kind not in self.skolemised:
                term = quantifier(scope.kind, binders, term)
            else:
                by = {binder: self._replacement(scope, binder, terms) for binder in binders}
                if None in by.values():
                    return None
                term = substitute(term, {binder: new for binder, new in by.items() if new is not None})
        return term

    def _replacement(self, scope: BinderScope, binder: Var, terms: Sequence[Term]) -> Term | None:
        """The replacement of a local variable: a global one, or its value if no constant of its sort
        exists.
        """
        if kind_of(binder.sort).is_first_class:
            return constant(self._global(scope, binder))
        around_term = self.layout.places[scope.around].term if scope.around >= 0 else None
        return terms[self.value_place(scope, binder)] if isinstance(around_term, Let) else None

    def value_place(self, scope: BinderScope, binder: Var) -> int:
        """The place of the value that a let binds a variable to."""
        slot = next(number for number, one in enumerate(scope.binders) if one is binder)
        return next(
            place
            for place in range(scope.around + 1, len(self.layout.places))
            if self.layout.places[place].parent == scope.around and self.layout.places[place].slot == slot
        )

    def copies_quantifiers(self, number: int) -> bool:
        """Whether a quantifier around a place is copied around formulas, which is not possible for terms."""
        return any(
            scope.kind in ("forall", "exists") and scope.kind not in self.skolemised
            for scope in self._around(number)
        )

    def _around(self, number: int) -> Iterator[BinderScope]:
        scope = self.at[number]
        while scope is not None:
            yield scope
            scope = scope.outer

    def _global(self, scope: BinderScope, binder: Var) -> Function:
        if (scope, binder) not in self.globals:
            letter = "q" if scope.kind in ("forall", "exists") else "l"
            self.globals[scope, binder] = Function(self.names.fresh(letter), (), binder.sort)
        return self.globals[scope, binder]
