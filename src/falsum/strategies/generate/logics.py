"""Themes of a logic: choices of sorts, datatypes and restrictions according to the logic's name."""

from __future__ import annotations

from random import Random
from typing import Final

from falsum.errors import UsageError
from falsum.smtlib.fragments.horn import HORN
from falsum.smtlib.logics import Logic, logic_of
from falsum.smtlib.scripts import Constructor, Datatype
from falsum.smtlib.sorts import BOOL, INT, REAL, REGLAN, ROUNDING_MODE, STRING, Sort, array, bitvec
from falsum.smtlib.sorts import floating_point as floats_of
from falsum.smtlib.theories import THEORIES, theory_cache
from falsum.strategies.growth import Theme

# The theories that generated scripts may use.
_GENERATED: Final = frozenset(
    [
        *("arrays", "uf", "bitvectors", "finite fields", "floats", "datatypes", "strings", "sequences"),
        *("ints", "reals"),
    ]
)
# Theories of scripts of `ALL`; one listed more often is drawn more often. Only cvc5 has sets and bags.
_MIXED: Final = (
    *("arrays", "uf", "bitvectors", "datatypes", "strings", "sequences", "floats", "arrays", "uf"),
    *("datatypes", "sequences", "arrays", "uf", "bitvectors", "datatypes", "strings", "sequences"),
    *("sets", "bags"),
)
_PRIMES: Final = (2, 3, 5, 7, 11, 13, 17, 101, (1 << 31) - 1)
_MIXED_ARITHMETIC: Final = ("LIA", "LIA", "LIRA", "NIA", "LRA")
# The logics of the constraints of Horn clauses.
_IN_CLAUSES: Final = ("QF_LIA", "QF_LIA", "QF_LRA", "QF_LIRA", "QF_NIA", "QF_BV", "QF_ALIA", "QF_UFDTLIA")


@theory_cache()
def _mixed_theories() -> tuple[str, ...]:
    """What scripts of `ALL` may have: also theories that no logic's name spells."""
    return (*_MIXED, *(theory.name for theory in THEORIES if theory.generated_sorts))


@theory_cache(maxsize=1024)
def theme_of(logic: str, variant: int) -> Theme:
    """A theme of a logic; the same variant gives the same theme in any process."""
    rng = Random(f"{logic}:{variant}")
    if logic == "ALL":
        mixed = set(rng.sample(_mixed_theories(), rng.randint(1, 3)))
        if rng.random() < 0.4:
            mixed.add("quantifiers")
        arithmetic = logic_of(rng.choice(_MIXED_ARITHMETIC))
        return _ThemeBuilder(logic, frozenset(mixed), arithmetic, rng).theme()
    if logic == HORN:
        spelled = logic_of(rng.choice(_IN_CLAUSES))
        return _ThemeBuilder(logic, spelled.needs - {"uf", "quantifiers"}, spelled, rng).theme()
    spelled = logic_of(logic)
    if not spelled.letters or not spelled.needs <= _GENERATED | {"quantifiers"}:
        raise UsageError(f"no scripts are generated for logic {logic!r}")
    return _ThemeBuilder(logic, spelled.needs, spelled, rng).theme()


class _ThemeBuilder:
    """A theme under construction; sorts are added in an order in which later ones may contain earlier ones.

    `features` are theories and "quantifiers"; `arithmetic` is a logic that says which numbers there are.
    """

    def __init__(self, logic: str, features: frozenset[str], arithmetic: Logic, rng: Random) -> None:
        self.logic = logic
        self.features = features
        self.arithmetic = arithmetic
        self.rng = rng
        self.sorts: dict[Sort, None] = {}
        self.declared: list[str] = []
        self.datatypes: tuple[Datatype, ...] = ()

    def theme(self) -> Theme:
        self._numbers()
        if "strings" in self.features:
            self._add(STRING, REGLAN)
        if "floats" in self.features:
            self._floats()
        if "uf" in self.features or ("arrays" in self.features and not self.sorts):
            self._declared_sorts()
        if "datatypes" in self.features:
            self._datatypes()
        for theory in THEORIES:
            if theory.generated_sorts and theory.name in self.features:
                self._add(*theory.generated_sorts)
        self._containers()
        return Theme(
            self.logic,
            tuple(self.sorts),
            tuple(self.declared),
            self.datatypes,
            linear=self.arithmetic.is_linear and not self.arithmetic.is_difference,
            difference=self.arithmetic.is_difference,
            quantified="quantifiers" in self.features,
            functions="uf" in self.features,
            constant_arrays=self.rng.random() < 0.1,
        )

    def _add(self, *sorts: Sort) -> None:
        self.sorts.update(dict.fromkeys(sorts))

    def _numbers(self) -> None:
        numbers = self.arithmetic.theories or frozenset()
        if "ints" in numbers or self.features & {"sequences", "bags"}:
            self._add(INT)
        if "reals" in numbers:
            self._add(REAL)
        if "bitvectors" in self.features:
            small, other = self.rng.choice((1, 2, 3, 4, 5, 8)), self.rng.choice((1, 2, 3, 4, 8))
            self._add(bitvec(small))
            if self.rng.random() < 0.7:
                self._add(bitvec(other), bitvec(small + other))

        if "finite fields" in self.features:
            primes = self.rng.sample(_PRIMES, self.rng.choice((1, 1, 2)))
            self._add(*(Sort("FiniteField", (prime,)) for prime in primes))

    def _declared_sorts(self) -> None:
        count = 2 if not self.sorts and self.rng.random() < 0.5 else 1
        # Bit-vector and floating-point solvers have no declared sorts.
        mixes = not self.features & {"bitvectors", "floats"} and self.rng.random() < 0.4
        if mixes or not self.sorts:
            self.declared += ["U", "V"][:count]
            self._add(*map(Sort, self.declared))

    def _element_sort(self) -> Sort:
        """A random sort that may be used inside other sorts."""
        plain = [sort for sort in self.sorts if sort not in (REGLAN, ROUNDING_MODE)]
        return self.rng.choice(plain or [BOOL])

    def _containers(self) -> None:
        if "arrays" in self.features:
            index, element = self._element_sort(), self._element_sort()
            self._add(array(index, element))
            # Not every bit-vector solver takes nested arrays.
            if "bitvectors" not in self.features and self.rng.random() < 0.2:
                self._add(array(index, array(index, element)))
        if "sequences" in self.features:
            self._add(Sort("Seq", (), (self._element_sort(),)))
        if "sets" in self.features:
            self._add(INT, Sort("Set", (), (self._element_sort(),)))
        if "bags" in self.features:
            self._add(Sort("Bag", (), (self._element_sort(),)))

    def _floats(self) -> None:
        """Float32 and Float64, which all solvers accept without an option for experimental formats."""
        single, double = floats_of(8, 24), floats_of(11, 53)
        self._add(ROUNDING_MODE, single if self.rng.random() < 0.85 else double)
        if self.rng.random() < 0.15:
            self._add(single, double)
        if "bitvectors" in self.features and self.rng.random() < 0.3:
            self._add(bitvec(32))

    def _datatypes(self) -> None:
        field, other = self._element_sort(), self._element_sort()
        shape = self.rng.randrange(5)
        datatypes: tuple[Datatype, ...]
        if shape == 0:
            datatypes = (_datatype("Color", ("red",), ("green",), ("blue",)),)
        elif shape == 1:
            datatypes = (_datatype("Record", ("record", ("first", field), ("second", other))),)
        elif shape == 2:
            own = Sort("Chain")  # z3 has had a List of its own
            datatypes = (_datatype("Chain", ("nil",), ("cons", ("head", field), ("tail", own))),)
        elif shape == 3:
            own = Sort("Tree")
            leaf = ("leaf", ("content", field))
            datatypes = (_datatype("Tree", leaf, ("node", ("left", own), ("right", own))),)
        else:
            forest = ("Forest", ("none",), ("some", ("front", Sort("Plant")), ("rest", Sort("Forest"))))
            plant = ("Plant", ("plant", ("fruit", field), ("offspring", Sort("Forest"))))
            datatypes = (_datatype(*forest), _datatype(*plant))
        self.datatypes = datatypes
        self._add(*(datatype.sort for datatype in datatypes))


def _datatype(name: str, *constructors: tuple[str | tuple[str, Sort], ...]) -> Datatype:
    parts = []
    for first, *fields in constructors:
        selectors = tuple(field for field in fields if isinstance(field, tuple))
        parts.append(Constructor(str(first), selectors))
    return Datatype(name, (), tuple(parts))
