"""Values of a sort: the simplest, the corner cases, random ones, as the kind of the sort defines them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.domains import Domains
from falsum.smtlib.sort_kinds import Domain
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import Term, Value
from falsum.smtlib.theories import kind_of, theory_cache
from falsum.smtlib.theories.declared import DECLARED
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import Element
from falsum.smtlib.walk import subterms

if TYPE_CHECKING:
    from random import Random

    from falsum.smtlib.models.model import Model

# Values nested more deeply have no optional components.
_MOST_NESTED: Final = 8
_MOST_CANDIDATES: Final = 8
# Values of datatypes can be huge, and if all are infinite, the search for one takes for ever. After the first
# number of components no others are drawn at random, after the second the value is given up.
_MOST_RANDOM_PARTS: Final = 4_096
_MOST_PARTS: Final = 16_384


@theory_cache(maxsize=4096)
def _basic(sort: Sort) -> tuple[Domain, Callable[[Sort, Random], Any] | None]:
    """The corner cases of a sort and how other values are drawn; cached, since most values are basic."""
    kind = kind_of(sort)
    return kind.corners(sort), kind.random


def corners(sort: Sort) -> Domain:
    """Values of a basic sort that are prone to reveal bugs, the simplest first; none for other sorts."""
    return _basic(sort)[0]


def simplest(sort: Sort, model: Model) -> Any:
    """The simplest payload of a sort; CannotSay if none is known."""
    values, _ = _basic(sort)
    if values and sort.name not in model.datatypes:
        return values[0]
    return _Sampler(model, None).composed(sort)


def random_value(sort: Sort, model: Model, rng: Random) -> Any:
    """A random payload with a bias to corner cases; CannotSay if none is known."""
    values, draw = _basic(sort)
    if values and draw is not None and sort.name not in model.datatypes:
        return rng.choice(values) if rng.random() < 0.5 else draw(sort, rng)
    return _Sampler(model, rng).composed(sort)


class _Sampler:
    """Makes one composite value: the simplest if `rng` is None, otherwise a random one."""

    __slots__ = ("_domains", "_parts", "datatypes", "depth", "levels", "model", "rng")

    def __init__(self, model: Model, rng: Random | None) -> None:
        self.model = model
        self.datatypes = model.datatypes
        self.rng = rng
        self.depth = 0
        self.levels: Mapping[str, int] | None = None
        self._parts = 0
        self._domains: Domains | None = None

    @property
    def is_large(self) -> bool:
        return self._parts > _MOST_RANDOM_PARTS

    def composed(self, sort: Sort) -> Any:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            return CannotSay(f"the values of sort {sort} are too large")
        universe = self.model.universes.get(sort)
        if universe:
            return universe[0] if self.rng is None else self.rng.choice(universe)
        kind = kind_of(sort, self.datatypes)
        if kind.compose is None:
            return CannotSay(f"no value of sort {sort} is known")
        return kind.compose(sort, self)

    # -- see `sort_kinds.Parts` ---------------------------------------------------

    def value(self, sort: Sort) -> Any:
        values, draw = _basic(sort)
        if values and sort.name not in self.datatypes:
            if self.rng is None or draw is None:
                return values[0]
            return self.rng.choice(values) if self.rng.random() < 0.5 else draw(sort, self.rng)
        self.depth += 1
        value = self.composed(sort)
        self.depth -= 1
        return value

    def count(self, bound: int) -> int:
        if self.rng is None or self.depth >= _MOST_NESTED or self.is_large:
            return 0
        return self.rng.randrange(bound)

    def domain(self, sort: Sort) -> Domain | None:
        if self._domains is None:
            self._domains = Domains(self.datatypes, self.model.universes)
        return self._domains.of(sort)

    def elements(self, sort: Sort) -> tuple[Hashable, ...]:
        return elements_of(sort, self.model)


def is_uninterpreted(sort: Sort, model: Model) -> bool:
    """Whether it is a declared sort, whose values are elements."""
    return kind_of(sort, model.datatypes) is DECLARED


def elements_of(sort: Sort, model: Model) -> tuple[Hashable, ...]:
    """The elements of a declared sort that the model lists or uses in a definition."""
    if sort in model.universes:
        return model.universes[sort]
    elements: dict[Hashable, None] = {}
    definitions = [*model.definitions.values(), *(text[1] for text in model.named.values())]
    for definition in definitions:
        for term in subterms(definition.body):
            if isinstance(term, Value) and term.sort is sort and isinstance(term.payload, Element):
                elements[term.payload] = None
    return tuple(elements)


def instantiation_values(sort: Sort, model: Model, parts: Iterable[Term]) -> list[Any]:
    """Values to instantiate a bound variable with: constants of the body's parts, elements, corner cases."""
    values: dict[Any, None] = {}
    if is_uninterpreted(sort, model):
        # Only elements that exist: the model may have no others.
        return list(elements_of(sort, model)) or [simplest(sort, model)]
    for term in parts:
        if isinstance(term, Value) and term.sort is sort and not isinstance(term.payload, CannotSay):
            values[term.payload] = None
            if len(values) > _MOST_CANDIDATES:
                break
    values.update(dict.fromkeys(corners(sort)[:_MOST_CANDIDATES]))
    first = simplest(sort, model)
    if not isinstance(first, CannotSay):
        values[first] = None
    return list(values)
