"""Formula snippets (Algorithm 1 of the Sparrow paper) over all theories of a seed, made as text.

A snippet is an atom or a connective of atoms; an atom is a predicate of terms; a term is an operator applied
to variables and constants, or one of these alone. Variables, constants and functions are those of the seed,
random values, and fresh constants, which the user of the snippet has to declare.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple, TypeVar

from falsum.smtlib.logics import PRODUCTS
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.scripts import DeclareDatatypes, DeclareFun, Script
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.terms import Head, Value, sort_text
from falsum.smtlib.text.lexer import quote
from falsum.smtlib.theories import kind_of
from falsum.strategies.growth import (
    ExpressionPool,
    PlaceScope,
    Production,
    Vocabulary,
    productions_of,
)
from falsum.strategies.seeds import declared_names

_CONNECTIVES: Final = ("", "", "not", "and", "or", "=>", "xor")
_BINARY: Final = frozenset(["and", "or", "=>", "xor"])
# Fresh constants of each sort.
_FRESH: Final = 2
# The probability that a term is an application, not a variable or constant alone.
_APPLICATION: Final = 0.6
# Ranks of an operator, and argument sorts of a predicate or term, that are considered.
_MAX_RANKS: Final = 24
# Draws of an atom before a snippet is given up.
_TRIES: Final = 6
_MAX_SORTS: Final = 6
_T = TypeVar("_T")


class Snippet(NamedTuple):
    """A formula as text, and the fresh constants in it."""

    text: str
    fresh: tuple[str, ...]


class _Shape(NamedTuple):
    """An operator or function with its argument sorts; `heads` are its texts with different indices.

    `decides_equal` if it is trivial where its last two arguments are equal: a predicate, or `ite`.
    """

    heads: tuple[str, ...]
    args: tuple[Sort, ...]
    name: str
    decides_equal: bool = False


class _Draft(NamedTuple):
    """A snippet under construction: the scope of its place, and the fresh constants used so far."""

    scope: PlaceScope
    hidden: frozenset[str]
    fresh: dict[str, None]
    symbols: list[str]  # variables and constants that stand for a value, in the order they were used
    rng: Random

    def one_of(self, some: Sequence[_T]) -> _T:
        return some[self.rng.randrange(len(some))]

    def used_fresh(self, name: str) -> str:
        self.fresh[name] = None
        self.symbols.append(name)
        return name


class SnippetGenerator:
    """Makes random snippets for one seed."""

    def __init__(self, script: Script, pool: ExpressionPool, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._functions = [
            c.function for c in script.commands if isinstance(c, DeclareFun) and not c.function.params
        ]
        sorts = [sort for f in self._functions for sort in (*f.args, f.result)]
        # z3 takes constructors for ambiguous once a script has a term of another instance of their datatype.
        parametric = _parametric(script)
        pool_sorts = (sort for sort in pool.sorts if sort.name not in parametric or sort in sorts)
        self._sorts = tuple(dict.fromkeys((*pool_sorts, *sorts)))
        self._operators = tuple(o for o in vocabulary.operators if vocabulary.logic.allows(o, ()))
        self._variables = {
            sort: [quote(f.name) for f in self._functions if not f.args and f.result is sort]
            for sort in self._sorts
        }
        self._values = {
            sort: [t.text for t in pool.by_sort.get(sort, ()) if isinstance(t, Value)] for sort in self._sorts
        }
        self._taken = declared_names(script)
        self._fresh = self._fresh_names()
        self._random: dict[Sort, list[str]] = {}
        self._factors: dict[Sort, list[str]] = {}
        self._terms: dict[Sort, list[_Shape]] = {}
        self._atoms = {sort: shapes for sort in self._sorts if (shapes := self._predicates(sort))}
        # Atoms over Booleans are made only if the seed has Boolean variables, or nothing else.
        others = tuple(sort for sort in self._atoms if sort is not BOOL or self._variables[sort])
        self._subjects = others or tuple(self._atoms)

    def _fresh_names(self) -> dict[Sort, list[str]]:
        taken = self._taken
        names: dict[Sort, list[str]] = {}
        number = 0
        for sort in self._sorts:
            if not kind_of(sort).may_be_declared or not self._vocabulary.logic.may_declare(sort):
                continue
            for _ in range(_FRESH):
                while f"new!{number}" in taken:
                    number += 1
                names.setdefault(sort, []).append(f"new!{number}")
                number += 1
        return names

    def declaration(self, name: str) -> str:
        """The command that declares a fresh constant."""
        sort = next(sort for sort, names in self._fresh.items() if name in names)
        return f"(declare-fun {name} () {sort_text(sort)})\n"

    def make(self, scope: PlaceScope, rng: Random) -> Snippet | None:
        """A snippet for a place with this scope; None if the draw gives none."""
        if not self._subjects:
            return None
        draft = _Draft(scope, frozenset(map(quote, scope.binders)), {}, [], rng)
        connective = draft.one_of(_CONNECTIVES)
        atoms = [self._atom(draft) for _ in range(2 if connective in _BINARY else 1)]
        if None in atoms:
            return None
        text = " ".join(atom for atom in atoms if atom is not None)
        return Snippet(f"({connective} {text})" if connective else text, tuple(draft.fresh))

    def _atom(self, draft: _Draft) -> str | None:
        """Line 11 of the algorithm: a predicate of terms; all sorts of the seed are equally likely.

        Atoms without symbols, and those about a single symbol, are drawn again, because a simplifier decides
        them.
        """
        for _ in range(_TRIES):
            before = len(draft.symbols)
            atom = self._built(draft.one_of(self._atoms[draft.one_of(self._subjects)]), draft, self._term)
            symbols = draft.symbols[before:]
            if atom is not None and symbols and (len(symbols) == 1 or len(set(symbols)) > 1):
                return atom
        return None

    def _term(self, sort: Sort, draft: _Draft) -> str | None:
        """Line 15: an operator applied to variables and constants, or one of them alone."""
        shapes = self._shapes_of(sort)
        if shapes and draft.rng.random() < _APPLICATION:
            before = len(draft.symbols)
            text = self._built(draft.one_of(shapes), draft, self._leaf)
            if text is not None and (sort is not BOOL or len(draft.symbols) > before):
                return text
            del draft.symbols[before:]
        return self._leaf(sort, draft)

    def _built(self, shape: _Shape, draft: _Draft, part: Callable[[Sort, _Draft], str | None]) -> str | None:
        if shape.name in draft.hidden:
            return None
        constant = -1
        if self._vocabulary.logic.is_linear and shape.name in PRODUCTS:
            # Line 18: a product is linear if all its factors but one are constants.
            constant = 0 if shape.name == "*" else 1
        args = []
        for place, sort in enumerate(shape.args):
            arg = self._factor(sort, draft) if place == constant else part(sort, draft)
            if arg is None:
                return None
            args.append(arg)
        if shape.decides_equal and len(args) > 1 and args[-1] == args[-2]:
            return None
        return f"({draft.one_of(shape.heads)} {' '.join(args)})"

    def _leaf(self, sort: Sort, draft: _Draft) -> str | None:
        kind = draft.rng.random()
        if kind < 0.55:
            variables = self._variables.get(sort, [])
            if draft.hidden:
                binder_names = [quote(v.name) for v in draft.scope.binders.values() if v.sort is sort]
                variables = [*binder_names, *(name for name in variables if name not in draft.hidden)]
            if variables:
                draft.symbols.append(draft.one_of(variables))
                return draft.symbols[-1]
        if sort is BOOL:
            # `true` and `false` would decide what they stand in.
            kind = 0.85
        if kind < 0.8 and (values := self._values.get(sort)):
            return draft.one_of(values)
        if kind < 0.9 and (names := self._fresh.get(sort)):
            name = draft.one_of(names)
            if name not in draft.hidden:
                return draft.used_fresh(name)
        constants = self._constants(sort, draft.rng)
        if constants:
            return draft.one_of(constants)
        # A sort without known values.
        names = [n for n in self._fresh.get(sort, ()) if n not in draft.hidden]
        if not names:
            return None
        return draft.used_fresh(names[0])

    def _factor(self, sort: Sort, draft: _Draft) -> str | None:
        """A constant other than zero."""
        factor = self._factors.get(sort)
        if factor is None:
            some = self._vocabulary.constants(sort, draft.rng)
            factor = self._factors[sort] = [
                t.text for t in some if isinstance(t, Value) and t.payload != 0 and "/" not in t.text
            ]
        return draft.one_of(factor) if factor else None

    def _constants(self, sort: Sort, rng: Random) -> list[str]:
        constants = self._random.get(sort)
        if constants is None:
            constants = self._random[sort] = [print_term(t) for t in self._vocabulary.constants(sort, rng)]
        return constants

    def _predicates(self, sort: Sort) -> list[_Shape]:
        """The predicates that take an argument of a sort; for Booleans only equality, distinct and xor."""
        others = tuple(s for s in self._sorts if s is not sort and self._goes_with(s, sort))[:_MAX_SORTS]
        shapes = _shapes(BOOL, productions_of(BOOL, (sort, *others), self._operators))
        shapes += self._declared(BOOL)
        if sort is BOOL:
            shapes = [shape for shape in shapes if shape.name in ("=", "distinct", "xor")]
        return [s for s in shapes if sort in s.args and s.name != "ite" and self._has_leaves(s.args)]

    def _goes_with(self, other: Sort, sort: Sort) -> bool:
        """Whether a predicate may take both sorts: element and container, regular expressions, integers."""
        return other in sort.args or sort in other.args or other.name in ("RegLan", "Int")

    def _shapes_of(self, sort: Sort) -> list[_Shape]:
        """The operators and functions that give a sort."""
        shapes = self._terms.get(sort)
        if shapes is None:
            sorts = tuple(dict.fromkeys((sort, *sort.args, *self._sorts)))[:_MAX_SORTS]
            all_shapes = [*_shapes(sort, productions_of(sort, sorts, self._operators)), *self._declared(sort)]
            shapes = self._terms[sort] = [shape for shape in all_shapes if self._has_leaves(shape.args)]
        return shapes

    def _declared(self, sort: Sort) -> list[_Shape]:
        return [
            _Shape((quote(f.name),), f.args, quote(f.name))
            for f in self._functions
            if f.args and f.result is sort
        ]

    def _has_leaves(self, sorts: Sequence[Sort]) -> bool:
        """Whether a leaf of each sort can be made."""
        return all(s in self._fresh or self._values.get(s) or not kind_of(s).is_first_class for s in sorts)


def _parametric(script: Script) -> frozenset[str]:
    groups = [c.datatypes for c in script.commands if isinstance(c, DeclareDatatypes)]
    return frozenset(one.name for datatypes in groups for one in datatypes if one.params)


def _shapes(result: Sort, productions: Sequence[Production]) -> list[_Shape]:
    """One shape for each rank, so an operator with many ranks is more likely."""
    return [
        _Shape(
            tuple(Head(p.operator, i).text for i in indices),
            sorts,
            p.operator.name,
            result is BOOL or p.operator.name == "ite",
        )
        for p in productions
        for sorts, indices in p.ranks[:_MAX_RANKS]
    ]
