"""enumerate: every formula over a theory's operators, smallest first (after ET, Winterer and Su, 2024).

There is no seed. Formulas are well-sorted; nothing is known about their verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from falsum.errors import UsageError
from falsum.smtlib.scripts import Constructor, Datatype
from falsum.smtlib.sorts import INT, REAL, REGLAN, ROUNDING_MODE, STRING, Sort, array, bitvec, floating_point
from falsum.smtlib.theories import THEORIES, theory_cache
from falsum.solvers.lab import Lab
from falsum.strategies.enumerate.ranking import FormulaSpace
from falsum.strategies.growth import Theme, declarations, grammar_of
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.parameters import parameter

# z3 has had a List of its own.
_CHAIN: Final = Datatype(
    "Chain", (), (Constructor("nil", ()), Constructor("cons", (("head", INT), ("tail", Sort("Chain")))))
)
_SINGLE: Final = floating_point(8, 24)
_ARRAY: Final = array(INT, INT)
# Bit-vectors are so narrow that every solver decides at once.
_THEMES: Final[dict[str, Theme]] = {
    "core": Theme("QF_UF", ()),
    "ints": Theme("QF_NIA", (INT,)),
    "linear": Theme("QF_LIRA", (INT, REAL), linear=True),
    "reals": Theme("QF_NRA", (REAL,)),
    "bitvectors": Theme("QF_BV", (bitvec(2), bitvec(4))),
    "floats": Theme("QF_FP", (_SINGLE, ROUNDING_MODE)),
    "strings": Theme("QF_SLIA", (STRING, INT), linear=True),
    "regexes": Theme("QF_SLIA", (STRING, REGLAN), linear=True),
    "arrays": Theme("QF_ALIA", (INT, _ARRAY), linear=True),
    "bit arrays": Theme("QF_ABV", (bitvec(2), array(bitvec(2), bitvec(2)))),
    "datatypes": Theme("QF_UFDTLIA", (INT, _CHAIN.sort), (), (_CHAIN,), linear=True),
    "sequences": Theme("ALL", (INT, Sort("Seq", (), (INT,))), linear=True),
    "sets": Theme("ALL", (INT, Sort("Set", (), (INT,))), linear=True),
}
# A size is drawn in proportion to its number of formulas, but as if none had more than this: small sizes are
# covered soon, and large ones are reached. From the first size that has as many, all do.
_EVEN: Final = 10_000
# A formula of size one is a name or a constant and tests nothing.
_SMALLEST: Final = 2


@theory_cache()
def themes() -> dict[str, Theme]:
    """The values of the parameter `theory`, including those of theories that no logic's name contains."""
    return _THEMES | {t.name.lower(): Theme("ALL", t.generated_sorts) for t in THEORIES if t.generated_sorts}


@dataclass(frozen=True, slots=True)
class Enumerate:
    """Makes every formula of a theory up to a size, smallest first, without a seed.

    Each formula has its position; a script asserts one.

    `theory` is a key of `themes()`; if empty, one is drawn. `start` is the position to begin at; if negative,
    slices of `slice` positions are drawn. `size` limits the number of operators, constants and variables
    together, `variables` and `constants` the number of different ones of each sort; `ground` adds operators
    applied to constants only.
    """

    name: str = "enumerate"
    arity: int = 0
    theory: str = parameter("", "theory of the formulas; drawn if empty")
    start: int = parameter(-1, "first position; drawn if negative", least=None)
    slice: int = parameter(20, "positions in a row, if the start is drawn", least=1)
    size: int = parameter(8, "operators, constants and variables of a formula together, at most", least=1)
    variables: int = parameter(3, "variables of each sort, at most", least=1)
    constants: int = parameter(3, "constants of each sort, at most")
    ground: bool = parameter(False, "also apply operators to constants only")

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del seeds, lab
        if self.theory and self.theory not in themes():
            raise UsageError(f"unknown theory {self.theory!r}; choose from {', '.join(themes())}")
        if self.start >= 0:
            yield from self._from(self.theory or next(iter(themes())), self.start)
            return
        while True:
            theory = self.theory or rng.choice(tuple(themes()))
            yield from self._slice(theory, rng)

    def total(self, theory: str) -> int:
        """How many scripts a theory has."""
        return self._smaller(theory, self.size + 1)

    def script(self, theory: str, position: int) -> str:
        """The script at a position; raises IndexError after the last one."""
        space = _space(theory, self.variables, self.constants, self.ground)
        size, number = self._place(theory, position)
        formula, functions = space.formula(size, number)
        opening = "".join(declarations(space.grammar.theme, (), functions))
        return f"{opening}(assert {formula})\n(check-sat)\n"

    def _from(self, theory: str, start: int) -> Iterator[Mutant]:
        for position in range(start, self.total(theory)):
            yield self._mutant(theory, position)

    def _slice(self, theory: str, rng: Random) -> Iterator[Mutant]:
        (size,) = rng.choices(range(_SMALLEST, self.size + 1), self._weights(theory))
        number = rng.randrange(-(-self._count(theory, size) // self.slice))
        first = self._smaller(theory, size) + number * self.slice
        for position in range(first, min(first + self.slice, self._smaller(theory, size + 1))):
            yield self._mutant(theory, position)

    def _mutant(self, theory: str, position: int) -> Mutant:
        return Mutant(self.script(theory, position), lineage=(f"enumerate: {theory} {position}",))

    def _weights(self, theory: str) -> list[int]:
        """The weights for drawing sizes; large sizes, which take long to count, are not counted for it."""
        weights: list[int] = []
        for size in range(_SMALLEST, self.size + 1):
            is_full = bool(weights) and weights[-1] == _EVEN
            weights.append(_EVEN if is_full else min(_EVEN, self._count(theory, size)))
        return weights

    def _count(self, theory: str, size: int) -> int:
        """The number of scripts of a size."""
        return _counted(theory, self.variables, self.constants, self.ground, size)

    def _smaller(self, theory: str, size: int) -> int:
        """The number of scripts of all smaller sizes."""
        return sum(self._count(theory, less) for less in range(_SMALLEST, size))

    def _place(self, theory: str, position: int) -> tuple[int, int]:
        for size in range(_SMALLEST, self.size + 1):
            count = self._count(theory, size)
            if position < count:
                return size, position
            position -= count
        raise IndexError(position)


@theory_cache(maxsize=64)
def _space(theory: str, variables: int, constants: int, ground: bool) -> FormulaSpace:
    return FormulaSpace(grammar_of(themes()[theory], 2), variables, constants, ground=ground)


@theory_cache(maxsize=1024)
def _counted(theory: str, variables: int, constants: int, ground: bool, size: int) -> int:
    return _space(theory, variables, constants, ground).count(size)
