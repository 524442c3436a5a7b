"""Formula snippets (Sparrow's Algorithm 1) for every theory of a seed, made as text.

A snippet is an atom, or a connective of atoms; an atom is a predicate of terms; a term is an operator of
variables and constants, or one of these alone. Variables, constants and functions are the seed's own, random
values, and fresh ones, which whoever uses the snippet declares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple, TypeVar

from falsum.smtlib.lexer import quote
from falsum.smtlib.logics import PRODUCTS
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.scripts import DeclareFun, Script
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.terms import Head, Value, sort_text
from falsum.strategies.growth.allowed import Vocabulary, names_of
from falsum.strategies.growth.candidates import Pool, Production, Spot, productions

_CONNECTIVES: Final = ("", "", "not", "and", "or", "=>", "xor")
_BINARY: Final = frozenset(["and", "or", "=>", "xor"])
# Sorts nobody may declare a constant of.
_NO_CONSTANTS: Final = frozenset(["RegLan", "->"])
_FRESH: Final = 2
# How often a term is an operator's, not a variable or constant alone.
_OPERATOR: Final = 0.6
_MOST_WAYS: Final = 24
_MOST_SORTS: Final = 6
_T = TypeVar("_T")


class Snippet(NamedTuple):
    """A formula as text, and the fresh constants it uses."""

    text: str
    fresh: tuple[str, ...]


class _Shape(NamedTuple):
    """An operator or function as text, and the sorts it takes; `heads` are the same with other indices."""

    heads: tuple[str, ...]
    args: tuple[Sort, ...]
    name: str


class _Draft(NamedTuple):
    """One snippet in the making: where it will stand, and the fresh constants it has used so far."""

    spot: Spot
    hidden: frozenset[str]
    fresh: dict[str, None]
    rng: Random

    def one_of(self, some: Sequence[_T]) -> _T:
        return some[self.rng.randrange(len(some))]


class Snippets:
    """Makes snippets for one seed."""

    def __init__(self, script: Script, pool: Pool, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._functions = [
            c.function for c in script.commands if isinstance(c, DeclareFun) and not c.function.params
        ]
        declared = [sort for f in self._functions for sort in (*f.args, f.result)]
        self._sorts = tuple(dict.fromkeys((*pool.sorts, *declared)))
        self._operators = tuple(o for o in vocabulary.operators if vocabulary.logic.allows(o, ()))
        self._variables = {
            sort: [quote(f.name) for f in self._functions if not f.args and f.result is sort]
            for sort in self._sorts
        }
        self._values = {
            sort: [t.text for t in pool.by_sort.get(sort, ()) if isinstance(t, Value)] for sort in self._sorts
        }
        self._taken = names_of(script)
        self._fresh = self._fresh_names()
        self._random: dict[Sort, list[str]] = {}
        self._factors: dict[Sort, list[str]] = {}
        self._terms: dict[Sort, list[_Shape]] = {}
        self._atoms = {sort: shapes for sort in self._sorts if (shapes := self._predicates(sort))}
        # Booleans count as a theory only where the seed has variables of that sort, or nothing else.
        others = tuple(sort for sort in self._atoms if sort is not BOOL or self._variables[sort])
        self._subjects = others or tuple(self._atoms)

    def _fresh_names(self) -> dict[Sort, list[str]]:
        taken = self._taken
        found: dict[Sort, list[str]] = {}
        number = 0
        for sort in self._sorts:
            if sort.name in _NO_CONSTANTS:
                continue
            for _ in range(_FRESH):
                while f"new!{number}" in taken:
                    number += 1
                found.setdefault(sort, []).append(f"new!{number}")
                number += 1
        return found

    def declaration(self, name: str) -> str:
        """The command that declares a fresh constant."""
        sort = next(sort for sort, names in self._fresh.items() if name in names)
        return f"(declare-fun {name} () {sort_text(sort)})\n"

    def make(self, spot: Spot, rng: Random) -> Snippet | None:
        """A snippet that may stand at the spot, or None if this draw came to nothing."""
        if not self._subjects:
            return None
        draft = _Draft(spot, frozenset(map(quote, spot.binders)), {}, rng)
        connective = draft.one_of(_CONNECTIVES)
        atoms = [self._atom(draft) for _ in range(2 if connective in _BINARY else 1)]
        if None in atoms:
            return None
        text = " ".join(atom for atom in atoms if atom is not None)
        return Snippet(f"({connective} {text})" if connective else text, tuple(draft.fresh))

    def _atom(self, draft: _Draft) -> str | None:
        """Line 11 of the algorithm: a predicate of terms; every sort of the seed has the same chance."""
        return self._built(draft.one_of(self._atoms[draft.one_of(self._subjects)]), draft, self._term)

    def _term(self, sort: Sort, draft: _Draft) -> str | None:
        """Line 15: an operator of variables and constants, or one of them alone."""
        shapes = self._shapes_of(sort)
        if shapes and draft.rng.random() < _OPERATOR:
            made = self._built(draft.one_of(shapes), draft, self._leaf)
            if made is not None:
                return made
        return self._leaf(sort, draft)

    def _built(self, shape: _Shape, draft: _Draft, part: Callable[[Sort, _Draft], str | None]) -> str | None:
        if shape.name in draft.hidden:
            return None
        constant = -1
        if self._vocabulary.logic.is_linear and shape.name in PRODUCTS:
            # Line 18: a product stays linear if all factors but one are constants.
            constant = 0 if shape.name == "*" else 1
        args = []
        for place, sort in enumerate(shape.args):
            arg = self._factor(sort, draft) if place == constant else part(sort, draft)
            if arg is None:
                return None
            args.append(arg)
        return f"({draft.one_of(shape.heads)} {' '.join(args)})"

    def _leaf(self, sort: Sort, draft: _Draft) -> str | None:
        kind = draft.rng.random()
        if kind < 0.55:
            variables = self._variables.get(sort, [])
            if draft.hidden:
                bound = [quote(v.name) for v in draft.spot.binders.values() if v.sort is sort]
                variables = [*bound, *(name for name in variables if name not in draft.hidden)]
            if variables:
                return draft.one_of(variables)
        if kind < 0.8 and (values := self._values.get(sort)):
            return draft.one_of(values)
        if kind < 0.9 and (names := self._fresh.get(sort)):
            name = draft.one_of(names)
            if name not in draft.hidden:
                draft.fresh[name] = None
                return name
        constants = self._constants(sort, draft.rng)
        if constants:
            return draft.one_of(constants)
        # Sorts without known values: what is declared, or fresh.
        names = [n for n in self._fresh.get(sort, ()) if n not in draft.hidden]
        if not names:
            return None
        draft.fresh[names[0]] = None
        return names[0]

    def _factor(self, sort: Sort, draft: _Draft) -> str | None:
        """A constant other than zero."""
        known = self._factors.get(sort)
        if known is None:
            some = self._vocabulary.constants(sort, draft.rng)
            known = self._factors[sort] = [
                t.text for t in some if isinstance(t, Value) and t.payload != 0 and "/" not in t.text
            ]
        return draft.one_of(known) if known else None

    def _constants(self, sort: Sort, rng: Random) -> list[str]:
        known = self._random.get(sort)
        if known is None:
            known = self._random[sort] = [print_term(t) for t in self._vocabulary.constants(sort, rng)]
        return known

    # -- what can be made ----------------------------------------------------------------------------

    def _predicates(self, sort: Sort) -> list[_Shape]:
        """The predicates with an argument of a sort; of Booleans only equality."""
        others = tuple(s for s in self._sorts if s is not sort and self._goes_with(s, sort))[:_MOST_SORTS]
        shapes = _shapes(productions(BOOL, (sort, *others), self._operators))
        shapes += self._declared(BOOL)
        if sort is BOOL:
            shapes = [shape for shape in shapes if shape.name in ("=", "distinct", "xor")]
        return [s for s in shapes if sort in s.args and s.name != "ite" and self._can(s.args)]

    def _goes_with(self, other: Sort, sort: Sort) -> bool:
        """Sorts a predicate may take beside this one: its elements, regular expressions, sets of it."""
        return other in sort.args or sort in other.args or other.name in ("RegLan", "Int")

    def _shapes_of(self, sort: Sort) -> list[_Shape]:
        """The operators and functions that give a sort."""
        known = self._terms.get(sort)
        if known is None:
            # More sorts would only cost time.
            sorts = tuple(dict.fromkeys((sort, *sort.args, *self._sorts)))[:_MOST_SORTS]
            made = [*_shapes(productions(sort, sorts, self._operators)), *self._declared(sort)]
            known = self._terms[sort] = [shape for shape in made if self._can(shape.args)]
        return known

    def _declared(self, sort: Sort) -> list[_Shape]:
        return [
            _Shape((quote(f.name),), f.args, quote(f.name))
            for f in self._functions
            if f.args and f.result is sort
        ]

    def _can(self, sorts: Sequence[Sort]) -> bool:
        """Whether there is anything of each sort to begin with."""
        return all(s in self._fresh or self._values.get(s) or s.name == "RegLan" for s in sorts)


def _shapes(made: Sequence[Production]) -> list[_Shape]:
    """The productions one by one; an operator with many ways has as many chances."""
    return [
        _Shape(tuple(Head(p.operator, i).text for i in indices), sorts, p.operator.name)
        for p in made
        for sorts, indices in p.ways[:_MOST_WAYS]
    ]
