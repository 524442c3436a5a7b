"""sortswap: another sort in place of one of the seed's, everywhere.

Solvers have separate code for sizes and theories: arrays over bit-vectors may be right where arrays over
rounding modes are wrong. Nothing is known about the verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from falsum.errors import FalsumError, SortError, UsageError
from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.fragments.horn import HORN
from falsum.smtlib.maps.other_sorts import OtherSorts, sorts_of
from falsum.smtlib.maps.script_map import UnmappableError
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.values_as_terms import value_of
from falsum.smtlib.samples import corners
from falsum.smtlib.scripts import Command, DeclareFun, DeclareSort, SetLogic
from falsum.smtlib.sorts import BOOL, INT, REAL, REGLAN, ROUNDING_MODE, STRING, Sort
from falsum.smtlib.substitution import fresh
from falsum.smtlib.terms import App, Function, Head, Term, Value, app, sort_text
from falsum.smtlib.theories import kind_of
from falsum.solvers.lab import Lab
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.parameters import parameter
from falsum.strategies.seeds import FRONT, PREAMBLE, kept, prepare

# A seed is given up after so many failures in a row.
_MAX_FAILURES: Final = 50
_DECLARED: Final = "S"
_ARRAY: Final = Sort("Array", (), (BOOL, BOOL))
# Small, large, finite, infinite: one of each way in which solvers treat sorts.
_OTHERS: Final = (
    BOOL,
    INT,
    REAL,
    STRING,
    ROUNDING_MODE,
    *(Sort("BitVec", (width,)) for width in (1, 2, 3, 8)),
    Sort("FloatingPoint", (2, 3)),
    Sort("FloatingPoint", (5, 11)),
    _ARRAY,
)


@dataclass(frozen=True, slots=True)
class SortSwap:
    """Each mutant is the seed with one to `most` of its sorts replaced by sorts of its own and others: first
    all single replacements in random order, then any.

    Operators that the new sorts do not have become declared functions. Values become values of the new sort,
    different ones as long as it has enough.
    """

    name: str = "sortswap"
    arity: int = 1
    most: int = parameter(2, "sorts replaced in a mutant, at most", least=1)

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab
        source = _source(seeds[0])
        failures = 0
        one = source.single_changes() if source is not None else []
        rng.shuffle(one)
        while source is not None and failures < _MAX_FAILURES:
            change = one.pop() if one else source.change(rng.randint(1, self.most), rng)
            text = source.text(change)
            failures = 0 if text else failures + 1
            if text:
                lineage = (f"{self.name}: {sort_text(old)} -> {sort_text(new)}" for old, new in change)
                yield Mutant(text, lineage=tuple(lineage))


@kept
def _source(seed: Seed) -> _Source | None:
    script = prepare(seed.script)
    if script is None:
        return None
    sorts = [sort for sort in sorts_of(script) if sort not in (BOOL, REGLAN) and not sort.args]
    return _Source(script, tuple(sorts)) if sorts else None


class _Source:
    """A prepared seed, and the few mutants made of it so far."""

    def __init__(self, script: Script, sorts: tuple[Sort, ...]) -> None:
        self._script = script
        self._sorts = sorts
        taken = (
            *(sort.name for sort in sorts),
            *(c.name for c in script.commands if isinstance(c, DeclareSort)),
        )
        self._declared = Sort(fresh(_DECLARED, taken))
        self._others = tuple(dict.fromkeys((*_OTHERS, *sorts, self._declared)))
        self._texts: dict[tuple[tuple[Sort, Sort], ...], str] = {}

    def single_changes(self) -> list[tuple[tuple[Sort, Sort], ...]]:
        return [((old, new),) for old in self._sorts for new in self._others if old is not new]

    def change(self, most: int, rng: Random) -> tuple[tuple[Sort, Sort], ...]:
        chosen = rng.sample(self._sorts, min(most, len(self._sorts)))
        return tuple((sort, self._others[rng.randrange(len(self._others))]) for sort in chosen)

    def text(self, change: tuple[tuple[Sort, Sort], ...]) -> str:
        """The seed with these sorts replaced; "" if it would not be well-sorted."""
        text = self._texts.get(change)
        if text is None:
            text = self._texts[change] = self._made(change)
        return text

    def _made(self, change: tuple[tuple[Sort, Sort], ...]) -> str:
        if any(old is new or old in _inside(new) for old, new in change):
            return ""
        swap = _SwappedSorts(dict(change))
        result = swap.script(self._script)
        if result is None:
            return ""
        sorts = [DeclareSort(self._declared.name, 0)] * any(new is self._declared for _old, new in change)
        result = _with_front(result, [*sorts, *map(DeclareFun, swap.functions.values())])
        if any(old.name != new.name for old, new in change):
            result = Script(tuple(map(_in_any_logic, result.commands)))
        text = print_script(result)
        try:  # a declaration may need what is gone
            read_script(text)
        except FalsumError:
            return ""
        return text


class _SwappedSorts(OtherSorts):
    """Maps values of any sort to values of any other, different ones as far as there are enough."""

    def __init__(self, change: dict[Sort, Sort]) -> None:
        super().__init__(change)
        self._values: dict[Sort, list[object]] = {}
        # What stands for operators that the new sorts do not have, by name, argument sorts and result.
        self.functions: dict[tuple[str, tuple[Sort, ...], Sort], Function] = {}

    def applied(self, term: App, parts: tuple[Term, ...]) -> Term:
        try:
            return super().applied(term, parts)
        except (SortError, UsageError, UnmappableError):
            args, result = tuple(part.sort for part in parts), self.sort(term.sort)
            if not parts or not isinstance(term.head.symbol, Operator):
                raise
            name = term.head.symbol.canonical.name
            key = name, args, result
            if key not in self.functions:
                self.functions[key] = Function(f"{name}!{len(self.functions)}", args, result)
            return app(Head(self.functions[key]), parts)

    def value(self, term: Value) -> Term:
        new = self.sort(term.sort)
        if new is term.sort or kind_of(new) is kind_of(term.sort):
            return super().value(term)
        some = corners(new)
        payloads = self._values.setdefault(term.sort, [])
        if term.payload not in payloads:
            payloads.append(term.payload)
        value = value_of(new, some[payloads.index(term.payload) % len(some)]) if some else None
        if value is None:
            raise UnmappableError
        return value


def _inside(sort: Sort) -> Iterator[Sort]:
    """A sort, and all sorts that it is made of."""
    todo = [sort]
    while todo:
        part = todo.pop()
        yield part
        todo.extend(part.args)


def _with_front(script: Script, declarations: Sequence[Command]) -> Script:
    """The script with more declarations: new sorts before its own declarations, new functions behind them."""
    place = max((n for n, c in enumerate(script.commands) if isinstance(c, FRONT)), default=-1) + 1
    sorts = [command for command in declarations if isinstance(command, DeclareSort)]
    start = next((n for n, c in enumerate(script.commands) if not isinstance(c, PREAMBLE)), 0)
    commands = script.commands
    functions = [command for command in declarations if not isinstance(command, DeclareSort)]
    return Script((*commands[:start], *sorts, *commands[start:place], *functions, *commands[place:]))


def _in_any_logic(command: Command) -> Command:
    # Horn clauses may have any sorts.
    if not isinstance(command, SetLogic) or command.name == HORN:
        return command
    return replace(command, name="HO_ALL" if command.name.startswith("HO_") else "ALL")
