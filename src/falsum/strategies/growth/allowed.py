"""Vocabulary: the operators, sorts, laws and constants that a mutation may bring into a seed."""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from random import Random
from typing import Final, NamedTuple

from falsum.smtlib import laws
from falsum.smtlib.laws import Law, LawIndex, LawMatch, Side
from falsum.smtlib.laws.instances import LawInstance, instantiate
from falsum.smtlib.logics import PRODUCTS, logic_of
from falsum.smtlib.models.model import bare_model
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.samples import corners, random_value
from falsum.smtlib.scripts import (
    DeclareDatatypes,
    DeclareSort,
    DefineSort,
    Script,
)
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.terms import App, Function, Term, Value
from falsum.smtlib.text.sexpr import SExpr
from falsum.smtlib.theories import OPERATORS, SORTS
from falsum.smtlib.theories.law import mentions
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.walk import subterms
from falsum.strategies.growth.literals import is_writable
from falsum.strategies.growth.productions import portable_operators

# Constants kept for a sort, and draws to find them; fewer for sorts without corner cases (arrays, datatypes),
# whose values are long.
_CONSTANTS: Final = 10
_DRAWS: Final = 16
_COMPOUND: Final = 3
# A constant may have so many characters.
_LONGEST: Final = 80
# How constants begin that are applications to solvers.
_SIGNED: Final = ("(-", "(/")
_COMMON_FORMATS: Final = ((8, 24), (11, 53))
# A law is used only if matching it has to guess fewer index variables than this.
_MAX_GUESSES: Final = 3


class LawCandidates(NamedTuple):
    """Laws that may match a term: those of its own operator, and those that match any term of its sort."""

    own: tuple[tuple[Law, Side], ...]
    general: tuple[tuple[Law, Side], ...]


@cache
def _is_quick(law: Law, side: Side) -> bool:
    """Whether a match has to guess few index variables: each one in an expression multiplies the work."""
    names: set[str] = set()
    todo: list[SExpr] = [law.side(side)]
    while todo:
        part = todo.pop()
        if isinstance(part, str):
            continue
        if part and part[0] == "_":
            names.update(index for index in part[2:] if isinstance(index, str))
        todo.extend(part)
    for name, sort in law.binders:
        if mentions(law.side(side), name):
            names.update(index for index in sort.indices if isinstance(index, str))
    return sum(name not in names for name in law.indices) < _MAX_GUESSES


def _may_take(law: Law, side: Side, sorts: tuple[Sort, ...]) -> bool:
    """Whether a side that is an application may have arguments of these sorts."""
    pattern = law.side(side)
    if isinstance(pattern, str) or len(pattern) != len(sorts) + 1:
        return False
    holes = dict(law.binders)
    for part, sort in zip(pattern[1:], sorts, strict=True):
        hole = holes.get(part) if isinstance(part, str) else None
        if hole is not None and not hole.is_parameter and hole.name != sort.name:
            return False
    return True


def _may_be(law: Law, side: Side, sort: Sort) -> bool:
    """Whether a side that is a variable may be of this sort."""
    pattern = law.side(side)
    if not isinstance(pattern, str):
        return False
    hole = dict(law.binders).get(pattern)
    return hole is not None and (hole.is_parameter or hole.name == sort.name)


class Vocabulary:
    """The vocabulary of one seed: what its logic allows, and what it uses itself."""

    def __init__(self, layout: Layout, script: Script) -> None:
        terms = list(dict.fromkeys(place.term for place in layout.places))
        self.logic = logic_of(script.logic)
        self.has_quantifiers = not self.logic.is_quantifier_free
        self.operators = portable_operators(terms, logic=self.logic)
        self._names = frozenset(o.name for o in self.operators) | _CORE
        if self.logic.is_real or self.logic.is_unknown:
            self._names -= {"is_int", "to_int", "to_real"}
        self._used_sorts = _sorts_of(terms)
        sorts = self.logic.sorts
        self._sorts = None if sorts is None else sorts | {sort.name for sort in self._used_sorts}
        self._overloaded = _overloaded(script)
        self._has_constant_arrays = any(isinstance(t, App) and t.head.name == "const" for t in terms)
        self._model = bare_model(script)
        self._constants: dict[Sort, tuple[Term, ...]] = {}
        kinds = (DeclareSort, DefineSort, DeclareDatatypes)
        own = tuple(c for c in script.commands if isinstance(c, kinds))
        self._own = _own_laws(own, self._overloaded)
        self._at: dict[tuple[str, tuple[Sort, ...], str, Side | None], LawCandidates] = {}
        self._fit: dict[tuple[Law, Side, tuple[tuple[str, Sort | int], ...]], bool] = {}

    def laws_at(self, term: Term, kind: str, side: Side | None = None) -> LawCandidates:
        """The laws of a kind that may match the term, including those of the script's datatypes."""
        name = ""
        sorts: tuple[Sort, ...] = (term.sort,)
        if isinstance(term, App) and term.args:
            symbol = term.head.symbol
            name = symbol.canonical.name if isinstance(symbol, Operator) else symbol.name
            sorts = tuple([arg.sort for arg in term.args])
        key = (name, sorts, kind, side)
        candidates = self._at.get(key)
        if candidates is None:
            at = laws.law_index().laws_at(term)
            if self._own is not None:
                at = (*at, *self._own.laws_at(term))
            matching = [
                (law, s) for law, s in at if law.kind == kind and side in (None, s) and _is_quick(law, s)
            ]
            own = tuple((law, s) for law, s in matching if _may_take(law, s, sorts))
            general = tuple((law, s) for law, s in matching if _may_be(law, s, term.sort))
            candidates = self._at[key] = LawCandidates(own, general)
        return candidates

    def constants(self, sort: Sort, rng: Random) -> tuple[Term, ...]:
        """Some values of a sort, with corner cases; drawn once and cached."""
        constants = self._constants.get(sort)
        if constants is None:
            terms: dict[Term, None] = {}
            most = _CONSTANTS if corners(sort) else _COMPOUND
            for _ in range(_DRAWS if corners(sort) else _COMPOUND):
                payload = random_value(sort, self._model, rng)
                if isinstance(payload, CannotSay):
                    break
                term = value_term(sort, payload, self._model.datatypes)
                if term is not None and len(print_term(term)) <= _LONGEST and self._may_write(term):
                    terms[term] = None
                if len(terms) == most:
                    break
            constants = self._constants[sort] = tuple(terms)
        return constants

    def _may_write(self, term: Term) -> bool:
        """Whether a script may contain a constant: without constant arrays, unless the seed has some.

        Overloaded constructors would need their sort. If a term makes another instance of a parametric
        datatype, z3 considers its constructors and testers ambiguous. cvc5 takes constant arrays of values
        only, and negative numbers are applications to it.
        """
        if not is_writable(term):
            return False
        if any(part.sort.args and part.sort.name in self._model.datatypes for part in subterms(term)):
            return False
        if "-" not in self._names and any(
            isinstance(part, Value) and part.text.startswith(_SIGNED) for part in subterms(term)
        ):
            return False
        heads = [part.head.name for part in subterms(term) if isinstance(part, App)]
        if not self._overloaded.isdisjoint(heads):
            return False
        arrays = [part for part in subterms(term) if isinstance(part, App) and part.head.name == "const"]
        return not arrays or (
            self._has_constant_arrays
            and not any(print_term(part.args[0]).startswith(_SIGNED) for part in arrays)
        )

    def allows(self, law_match: LawMatch, indices: dict[str, Sort | int]) -> bool:
        """Whether the other side of a law, at these sorts, stays within the vocabulary."""
        law, side = law_match.law, law_match.side
        bindings = {**law_match.bindings, **indices}
        key = (law, side, tuple(bindings.items()))
        fits = self._fit.get(key)
        if fits is None:
            instance = instantiate(law, bindings)
            fits = self._fit[key] = instance is not None and self._fits(instance, side)
        return fits

    def _fits(self, instance: LawInstance, side: Side) -> bool:
        other: Side = "right" if side == "left" else "left"
        there = {part.head.symbol for part in subterms(instance.side(side)) if isinstance(part, App)}
        parts = list(subterms(instance.side(other)))
        if instance.condition is not None:
            parts += subterms(instance.condition)
        return all(
            self.knows(part.sort) and (not isinstance(part, App) or self._takes(part, there))
            for part in parts
        )

    def _takes(self, part: App, there: set[Operator | Function]) -> bool:
        symbol = part.head.symbol
        if not isinstance(symbol, Operator) or symbol in there:
            return True
        return symbol.canonical.name in self._names

    def knows(self, sort: Sort) -> bool:
        """Whether the logic has the sort, or the seed uses it.

        For declared sorts with parameters, and for uncommon floating-point formats, only those of the seed
        count: z3 and cvc5 refuse some others.
        """
        if self._sorts is not None and sort.name not in self._sorts:
            return False
        is_special = sort.name == "FloatingPoint" or (sort.args and sort.name not in SORTS)
        return not is_special or sort in self._used_sorts or sort.indices in _COMMON_FORMATS

    def stays_linear(self, new: Term, old: Term) -> bool:
        """Whether a term may replace another in a linear logic: it has no new product of variables."""
        if not self.logic.is_linear:
            return True
        before: set[Term] | None = None
        for part in subterms(new):
            if not isinstance(part, App) or part.head.name not in PRODUCTS:
                continue
            symbol = part.head.symbol
            if isinstance(symbol, Operator) and not self.logic.allows(symbol, part.args):
                before = before if before is not None else set(subterms(old))
                if part not in before:
                    return False
        return True


_CORE: Final = frozenset(o.name for o in OPERATORS.values() if o.theory == "Core")


def _sorts_of(terms: list[Term]) -> set[Sort]:
    """The sorts of terms, and those they are made of."""
    sorts = {BOOL}
    todo = list(dict.fromkeys(term.sort for term in terms))
    while todo:
        sort = todo.pop()
        sorts.add(sort)
        todo.extend(sort.args)
    return sorts


def _overloaded(script: Script) -> frozenset[str]:
    """The names of constructors that several datatypes have."""
    counts = Counter(
        constructor.name
        for command in script.commands
        if isinstance(command, DeclareDatatypes)
        for datatype in command.datatypes
        for constructor in datatype.constructors
    )
    return frozenset(name for name, count in counts.items() if count > 1)


@lru_cache(maxsize=256)
def _own_laws(
    commands: tuple[DeclareSort | DefineSort | DeclareDatatypes, ...], overloaded: frozenset[str]
) -> LawIndex | None:
    """The laws of the datatypes, without those about overloaded constructors, which would need their sort."""
    laws_ = [
        law
        for law in laws.datatype_laws(Script(commands))
        if not any(mentions(side, name) for name in overloaded for side in (law.left, law.right))
    ]
    return LawIndex(laws_) if laws_ else None
