"""SortKind: one record holds all that is known about a sort; theories define one for each of their sorts.

The reader, the printer, the sampler, the strategies, the reducer and the library fuzzer ask the record and
stay blind to the sort. Every field but the name has a default, so a new sort says only what is special
about it: usually how its values are written, its corner cases and a random value.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias

from falsum.errors import UsageError
from falsum.smtlib.sorts import Sort

if TYPE_CHECKING:
    from random import Random

    from falsum.smtlib.scripts import Datatype
    from falsum.smtlib.terms import Term, Value
    from falsum.smtlib.values.cannot_say import CannotSay

# What a value is inside falsum: an int, a str, a Fraction, a tuple, …; `values/` computes with them.
Payload: TypeAlias = Any
Domain: TypeAlias = tuple[Hashable, ...]
# Constraints on a term, each true of some values of its sort.
Regions: TypeAlias = "Callable[[Term], Iterator[Term]]"


class Parts(Protocol):
    """Makes the parts of a composed value: of the simplest one if `rng` is None, else of a random one."""

    rng: Random | None
    datatypes: Mapping[str, Datatype]
    # How deep the value being made is nested; composers must come to an end.
    depth: int

    def value(self, sort: Sort) -> Payload:
        """A value for a part; CannotSay if there is none."""

    def count(self, bound: int) -> int:
        """How many parts: less than the bound; none for the simplest value and for deep ones."""

    def domain(self, sort: Sort) -> Domain | None:
        """All values of a sort, where they are few."""

    def elements(self, sort: Sort) -> Sequence[Hashable]:
        """The elements of a declared sort that the model names."""


class FiniteDomains(Protocol):
    """Computes the domains of other sorts, for those that are made of them."""

    datatypes: Mapping[str, Datatype]
    # Sorts with more values count as infinite.
    limit: int

    def of(self, sort: Sort) -> Domain | None:
        """All values of a sort; None if there are too many."""

    def product(self, sorts: Sequence[Sort]) -> Domain | None:
        """All tuples of values of these sorts."""


class TermWriter(Protocol):
    """Writes the parts of a composed value."""

    datatypes: Mapping[str, Datatype]

    def term(self, sort: Sort, payload: Payload) -> Term | None:
        """The payload as a term; None if it has none."""

    def terms(self, sorts: Sequence[Sort], payloads: Sequence[Payload]) -> list[Term] | None:
        """The payloads as terms; None if one of them has none."""


@dataclass(frozen=True, slots=True, eq=False)
class Literals:
    """How constants of a sort are read.

    `names` are constants that are symbols (`true`, `RNE`). `token` reads a token that begins with one of
    `starts`; it is also told whether numerals are reals. `indexed` reads `(_ name index …)` and `qualified`
    `(as name sort)`. Each gives None for what is no constant of the sort.
    """

    names: Mapping[str, Hashable] = field(default_factory=dict)
    starts: str = ""
    token: Callable[[str, bool], Value | None] | None = None
    indexed: Callable[[str, tuple[object, ...]], Value | None] | None = None
    qualified: Callable[[str, Sort], Value | None] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Notation:
    """How values of a sort are written in the traces of the library fuzzer, where not as in SMT-LIB.

    `draw` chooses among several spellings. `read` raises ValueError. `special` knows values that libraries
    have calls of their own for, by name. `small` are the simplest values, in spellings that fit any indices.
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
    """`(operator x payload)` is the wanted value, x being another one."""

    operator: str
    payload: Payload


def _no_values(sort: Sort) -> Domain:
    del sort
    return ()


def _as_python(sort: Sort, payload: Payload) -> str:
    del sort
    return repr(payload)


def _nothing_smaller(sort: Sort, payload: Payload) -> Iterator[Payload]:
    del sort, payload
    return iter(())


NO_LITERALS: Final = Literals()


@dataclass(frozen=True, slots=True, eq=False)
class SortKind:
    """All that is known about the sorts of one name, for any indices and arguments.

    name       as in SMT-LIB
    indices    how many numerals it takes
    arity      how many sorts it takes; -1 for any number
    make       the sort with these indices and arguments, where that is not simply `(name indices… args…)`:
               abbreviations, other names, and checks, which raise UsageError
    """

    name: str
    indices: int = 0
    arity: int = 0
    make: Callable[[tuple[int, ...], tuple[Sort, ...]], Sort] | None = None
    # No script may declare a sort of this name.
    is_reserved: bool = False
    # Constants and variables of the sort may be declared, arrays hold it, `=` and `ite` take it.
    is_first_class: bool = True
    # Its values are functions, which only higher-order logics take for values.
    is_function: bool = False
    # Solvers take it with any indices, not only with usual ones.
    has_all_sizes: bool = False
    # Small indices: laws are checked with them, and libraries are tried with them.
    sizes: tuple[tuple[int, ...], ...] = ()
    # Terms of the sort are so hard for solvers that generated ones are less deep.
    is_hard: bool = False
    # The word by which the library fuzzer's settings know it.
    family: str = ""
    # Generated variables of the sort are called so, with a number; "" for any free letter.
    letter: str = ""

    # -- reading and writing ------------------------------------------------------------------------
    literals: Literals = NO_LITERALS
    # Every solver of the theory reads its values back, written as constants in one word or nearly so.
    has_literals: bool = False
    # A value as text; what solvers read where `has_literals`, else for people.
    text: Callable[[Sort, Payload], str] = _as_python
    # A value as a term, where that is not one constant.
    term: Callable[[Sort, Payload, TermWriter], Term | None] | None = None
    # The shortest text of a value, where it has several.
    shortest: Callable[[Sort, Payload], str] | None = None
    notation: Notation | None = None

    # -- values -------------------------------------------------------------------------------------
    # Values at which solvers go wrong, the simplest first; none if values are composed.
    corners: Callable[[Sort], Domain] = _no_values
    # Any value; there must be one if there are corners.
    random: Callable[[Sort, Random], Payload] | None = None
    # Any value of a range people would choose, all equally likely.
    uniform: Callable[[Sort, Random], Payload] | None = None
    # A value made of values of other sorts.
    compose: Callable[[Sort, Parts], Payload] | None = None
    # All values, where they are few.
    domain: Callable[[Sort, FiniteDomains], Domain | None] | None = None
    # Whether two values are the same, where Python's `==` does not decide it.
    same: Callable[[Payload, Payload], bool | CannotSay] | None = None

    # -- reduction ----------------------------------------------------------------------------------
    # Values that may be simpler than a given one.
    smaller: Callable[[Sort, Payload], Iterator[Payload]] = _nothing_smaller
    # Values that may stand for any term of the sort; by default the simplest one.
    stand_ins: Callable[[Sort], Domain] | None = None
    # Smaller sorts for all sorts of this kind in a script, one change after the other.
    shrunk: Callable[[Sequence[Sort]], Iterator[dict[Sort, Sort]]] | None = None
    # The value of this (second) sort that takes the place of one of another (the first); None if none does.
    adapted: Callable[[Sort, Sort, Payload], Payload | None] | None = None

    # -- mutation -----------------------------------------------------------------------------------
    # Constants for generated scripts, as text, the simplest first; by default the corner cases.
    everyday: Callable[[Sort], tuple[str, ...]] | None = None
    # Constraints that split the values into those that operators treat alike.
    regions: Regions | None = None
    # Operators that compare two values.
    relations: tuple[str, ...] = ("=",)
    # A total order of the values.
    order: Order | None = None
    # How to get a wanted value (the second argument) from another one (the third).
    difference: Callable[[Sort, Payload, Payload, Random], Difference | None] | None = None

    @property
    def may_be_declared(self) -> bool:
        """Whether first-order scripts may declare constants of the sort."""
        return self.is_first_class and not self.is_function

    def made(self, indices: tuple[int, ...], args: tuple[Sort, ...]) -> Sort:
        """The sort with these indices and arguments; raises UsageError."""
        if len(indices) != self.indices:
            raise UsageError(f"sort {self.name} takes {self.indices} indices, not {len(indices)}")
        if self.arity not in (len(args), -1):
            raise UsageError(f"sort {self.name} takes {self.arity} arguments, not {len(args)}")
        return Sort(self.name, indices, args) if self.make is None else self.make(indices, args)

    def fits(self, sort: Sort) -> bool:
        """Whether the sort has this shape; a script may declare another one of the same name."""
        return len(sort.indices) == self.indices and self.arity in (len(sort.args), -1)

    def __repr__(self) -> str:
        return f"SortKind<{self.name}>"
