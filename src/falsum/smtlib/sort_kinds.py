"""SortKind: one record holds all that is known about a sort; theories define one for each of their sorts.

The reader, the printer, the sampler, the strategies, the reducer and the library fuzzer ask the record and do
not look at the sort's name. Every field but the name has a default, so a sort defines only what is special
about it: usually how its values are written, its corner cases and a random value.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from falsum.errors import UsageError
from falsum.smtlib.sorts import Sort

if TYPE_CHECKING:
    from random import Random

    from falsum.smtlib.scripts import Datatype
    from falsum.smtlib.terms import Term, Value
    from falsum.smtlib.values.cannot_say import CannotSay

# The Python object that represents a value: an int, a str, a Fraction, a tuple, …
Payload: TypeAlias = Any
# All payloads of a finite sort, or some payloads, in a fixed order.
Domain: TypeAlias = tuple[Hashable, ...]


class Parts(Protocol):
    """Makes the components of a composite value: the simplest if `rng` is None, otherwise random ones."""

    rng: Random | None
    datatypes: Mapping[str, Datatype]
    # The nesting depth of the value being made; `compose` must stop at some depth.
    depth: int
    # The least number of levels that values of each datatype have, once it is known.
    levels: Mapping[str, int] | None

    @property
    def is_large(self) -> bool:
        """Whether the value has so many components that the rest should be as simple as possible."""

    def value(self, sort: Sort) -> Payload:
        """A component of this sort; CannotSay if there is none."""

    def count(self, bound: int) -> int:
        """A number of components below the bound; 0 for the simplest value and for deeply nested ones."""

    def domain(self, sort: Sort) -> Domain | None:
        """All values of a sort with few values."""

    def elements(self, sort: Sort) -> Sequence[Hashable]:
        """The elements of a declared sort that the model names."""


class FiniteDomains(Protocol):
    """Computes the domains of the sorts that a composite sort is made of."""

    datatypes: Mapping[str, Datatype]
    # Sorts with more values count as infinite.
    limit: int

    def of(self, sort: Sort) -> Domain | None:
        """All values of a sort; None if there are too many."""

    def product(self, sorts: Sequence[Sort]) -> Domain | None:
        """All tuples of values of these sorts; None if there are too many."""


class TermWriter(Protocol):
    """Writes the components of a composite value."""

    datatypes: Mapping[str, Datatype]

    def term(self, sort: Sort, payload: Payload) -> Term | None:
        """The payload as a term; None if it cannot be written."""

    def terms(self, sorts: Sequence[Sort], payloads: Sequence[Payload]) -> list[Term] | None:
        """The payloads as terms; None if one of them cannot be written."""


@dataclass(frozen=True, slots=True, eq=False)
class Literals:
    """How constants of a sort are read.

    `names` are constants that are symbols, such as `true` and `RNE`. `token` reads a token that starts with
    one of the characters in `starts`; its second argument says whether numerals are reals. `indexed` reads
    `(_ name index …)` and `qualified` reads `(as name sort)`. The readers return None for what is not a
    constant of the sort.
    """

    names: Mapping[str, Hashable] = field(default_factory=dict)
    starts: str = ""
    token: Callable[[str, bool], Value | None] | None = None
    indexed: Callable[[str, tuple[object, ...]], Value | None] | None = None
    qualified: Callable[[str, Sort], Value | None] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Notation:
    """How values of a sort are written in traces of the library fuzzer, if not as in SMT-LIB.

    `draw` chooses one of several spellings. `read` raises ValueError. `special` returns the value of a name
    for which libraries have a function of their own. `small` are simple values, valid for any indices.
    """

    write: Callable[[Sort, Payload], str | None]
    read: Callable[[Sort, str], Payload]
    draw: Callable[[Sort, Payload, Random], str] | None = None
    special: Callable[[Sort, str], Payload] | None = None
    small: tuple[str, ...] = ()


class Order(NamedTuple):
    """The operators of a total order."""

    less: str
    greater: str


class Difference(NamedTuple):
    """An operator and its second argument that turn one value into another."""

    operator: str
    payload: Payload


def _no_values(sort: Sort) -> Domain:
    del sort
    return ()


def _python_text(sort: Sort, payload: Payload) -> str:
    del sort
    return repr(payload)


def _no_smaller_values(sort: Sort, payload: Payload) -> Iterator[Payload]:
    del sort, payload
    return iter(())


@dataclass(frozen=True, slots=True, eq=False)
class SortKind:
    """All that is known about the sorts of one name, with any indices and arguments.

    `indices` and `arity` are the numbers of indices and of sort arguments; arity -1 means any number. `make`
    makes the sort where it is not simply `(name index … arg …)`: for abbreviations and synonyms, and to check
    the indices; it raises UsageError.
    """

    name: str
    indices: int = 0
    arity: int = 0
    make: Callable[[tuple[int, ...], tuple[Sort, ...]], Sort] | None = None
    # Scripts cannot declare a sort of this name.
    is_reserved: bool = False
    # Constants and variables of the sort can be declared, arrays can contain it, `=` and `ite` take it.
    is_first_class: bool = True
    # Values are functions, which only higher-order logics treat as values.
    is_function: bool = False
    # Solvers support all indices, not only common ones.
    takes_any_indices: bool = False
    # Small indices, to check laws and to try libraries with.
    small_indices: tuple[tuple[int, ...], ...] = ()
    # Solvers are slow on terms of the sort, so generated terms are less deep.
    is_hard: bool = False
    # The name of its theory in the settings of the library fuzzer.
    family: str = ""
    # The first letter of generated variables of the sort; "" for any.
    letter: str = ""

    # -- reading and writing ------------------------------------------------------------------------
    literals: Literals = Literals()
    # All solvers that support the sort read its values as short constants.
    has_literals: bool = False
    # A value as text: what solvers read if `has_literals`, otherwise for people.
    text: Callable[[Sort, Payload], str] = _python_text
    # A value as a term, if that is not a single constant.
    term: Callable[[Sort, Payload, TermWriter], Term | None] | None = None
    # The shortest text of a value, if there are several.
    shortest_text: Callable[[Sort, Payload], str] | None = None
    notation: Notation | None = None

    # -- values -------------------------------------------------------------------------------------
    # Values that are prone to reveal bugs, the simplest first; none for composite sorts.
    corners: Callable[[Sort], Domain] = _no_values
    # A random value; needed if there are corner cases.
    random: Callable[[Sort, Random], Payload] | None = None
    # A value drawn uniformly from a range of common values.
    uniform: Callable[[Sort, Random], Payload] | None = None
    # A value made of values of other sorts.
    compose: Callable[[Sort, Parts], Payload] | None = None
    # All values, if there are few.
    domain: Callable[[Sort, FiniteDomains], Domain | None] | None = None
    # Whether two values are equal, if Python's `==` does not decide it.
    equal: Callable[[Payload, Payload], bool | CannotSay] | None = None

    # -- reduction ----------------------------------------------------------------------------------
    # Values that may be simpler than the given one.
    smaller_values: Callable[[Sort, Payload], Iterator[Payload]] = _no_smaller_values
    # Values by which any term of the sort may be replaced; the simplest one by default.
    simple_values: Callable[[Sort], Domain] | None = None
    # Replacements of all sorts of this kind in a script by smaller ones.
    smaller_sorts: Callable[[Sequence[Sort]], Iterator[dict[Sort, Sort]]] | None = None
    # Converts a value of another sort (the first) to a value of this one (the second); None if impossible.
    convert: Callable[[Sort, Sort, Payload], Payload | None] | None = None

    # -- mutation -----------------------------------------------------------------------------------
    # Constants for generated scripts, as text, the simplest first; the corner cases by default.
    generated_constants: Callable[[Sort], tuple[str, ...]] | None = None
    # Constraints on a term, one for each class of values that operators treat alike.
    regions: Callable[[Term], Iterator[Term]] | None = None
    # Operators that compare two values.
    relations: tuple[str, ...] = ("=",)
    order: Order | None = None
    # How to get a wanted value (the second argument) from a given one (the third).
    difference: Callable[[Sort, Payload, Payload, Random], Difference | None] | None = None

    @property
    def may_be_declared(self) -> bool:
        """Whether first-order scripts can declare constants of the sort."""
        return self.is_first_class and not self.is_function

    def instantiate(self, indices: tuple[int, ...], args: tuple[Sort, ...]) -> Sort:
        """The sort with these indices and arguments; raises UsageError."""
        if len(indices) != self.indices:
            raise UsageError(f"sort {self.name} takes {self.indices} indices, not {len(indices)}")
        if self.arity not in (len(args), -1):
            raise UsageError(f"sort {self.name} takes {self.arity} arguments, not {len(args)}")
        return Sort(self.name, indices, args) if self.make is None else self.make(indices, args)

    def fits(self, sort: Sort) -> bool:
        """Whether a sort of this name is of this kind; a script may declare another one of the name."""
        return len(sort.indices) == self.indices and self.arity in (len(sort.args), -1)

    def __repr__(self) -> str:
        return f"SortKind<{self.name}>"
