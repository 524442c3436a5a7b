"""typefuzz: generative type-aware mutation (Park, Winterer, Zhang, Su, OOPSLA 2021), over all theories.

Mutants are well-sorted; nothing is known about their verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import ClassVar, Final

from falsum.smtlib import Script
from falsum.smtlib.logics import Logic, logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.scripts import SetLogic
from falsum.smtlib.syntax.operator_files import read_operator_file
from falsum.smtlib.terms import Head, Term
from falsum.solvers.lab import Lab
from falsum.strategies.growth import ExpressionPool, functions_of, portable_operators, random_application
from falsum.strategies.mutant import Mutant, Seed, replacement
from falsum.strategies.parameters import parameter, share
from falsum.strategies.seeds import MIN_LENGTH, prepare

# A seed whose expressions no operator can combine is given up after so many failures in a row.
_MAX_FAILURES: Final = 20
_PAPER: Final = Path(__file__).with_name("paper.txt")


@dataclass(frozen=True, slots=True)
class TypeFuzz:
    """Replaces an expression by a new one of its sort: an operator or function of the seed applied.

    `chain` mutations follow each other before the seed is used again, failed ones included; a share `inside`
    of the visits begins inside a chain, at any of its mutations. `growth` limits the length of a mutant as a
    multiple of the seed's. A share `bare` of the new expressions are expressions of the seed as they are, and
    a share `widened` of the chains has a nonlinear logic in place of a linear one. `languages` are the
    operators of all sorts that are used on regular languages, too. `listed` is "paper" for the operators of
    the paper's configuration file, `functions` says whether those of the seed are used beside operators.
    `operators` restricts the operators (an operator file); empty means all that solvers read.
    """

    configurations: ClassVar[Mapping[str, str]] = {
        "paper": "chain=100,inside=1,growth=1000,bare=0.1,widened=1,languages==/distinct/ite,listed=paper,"
        "functions=false",
        "widened": "widened=1",
    }

    name: str = "typefuzz"
    arity: int = 1
    chain: int = parameter(4, "mutations in a row before the seed is used again", least=1)
    inside: float = share(0.0, "share of visits to a seed that begin inside a chain")
    growth: float = parameter(4.0, "length of a mutant, at most, as a multiple of the seed's", least=1)
    bare: float = share(0.1, "share of new expressions that are expressions of the seed")
    widened: float = share(0.1, "share of chains in a nonlinear logic, if the seed's is linear")
    languages: tuple[str, ...] = parameter(
        ("=", "distinct"), "operators also used on regular languages", choices=("=", "distinct", "ite")
    )
    listed: str = parameter("", "operators of a published list only", choices=("", "paper"))
    functions: bool = parameter(
        True, "functions, constructors, selectors and testers of the seed are applied"
    )
    operators: tuple[Operator, ...] = ()

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab
        script = prepare(seeds[0].script)
        if script is None:
            return
        sources = _Sources(self, script)
        skipped = rng.randrange(self.chain) if rng.random() < self.inside else 0
        failures = 0
        while failures < _MAX_FAILURES:
            source = sources.wider if rng.random() < self.widened else sources.own
            layout = source.start
            lineage: tuple[str, ...] = ()
            is_fruitless = True
            for number in range(self.chain):
                step = source.step(layout, rng) if source.pool.sorts else None
                if step is None:
                    # As in Algorithm 1, the chain goes on with what it has.
                    continue
                is_fruitless = False
                layout, lineage = step[0], (*lineage, step[1])
                if number >= skipped:
                    yield Mutant(layout.text, lineage=source.notes + lineage)
            skipped = 0
            failures = failures + 1 if is_fruitless else 0


class _Sources:
    """A seed in its own logic, and in a wider one, which is prepared when it is first used."""

    def __init__(self, strategy: TypeFuzz, script: Script) -> None:
        self._given, self._script = strategy, script
        self.own = _Source(strategy, script)
        self._wider: _Source | None = None

    @property
    def wider(self) -> _Source:
        if self._wider is None:
            name = logic_of(self._script.logic).nonlinear
            same = name == self._script.logic
            self._wider = self.own if same else _Source(self._given, _with_logic(self._script, name), name)
        return self._wider


class _Source:
    """A script that mutations begin with, its expressions, and the material for new ones."""

    def __init__(self, strategy: TypeFuzz, script: Script, wider: str = "") -> None:
        self.start = Layout.of(script)
        self.pool = ExpressionPool(self.start, script)
        self.notes = (f"typefuzz: logic {wider}",) if wider else ()
        self._given = strategy
        self._logic: Logic = logic_of(script.logic)
        self._operators = strategy.operators or _listed(strategy.listed)
        if not self._operators:
            terms = (place.term for place in self.start.places)
            self._operators = portable_operators(terms, logic=self._logic, hard=True)
        self._functions: tuple[Head, ...] = functions_of(script) if strategy.functions else ()
        self._languages = frozenset(strategy.languages)
        self._longest = max(len(self.start.text) * strategy.growth, MIN_LENGTH)

    def step(self, layout: Layout, rng: Random) -> tuple[Layout, str] | None:
        """Algorithm 2 of the paper: tries as many random expressions as the script has."""
        count = len(layout.places)
        for _ in range(count):
            number = rng.randrange(count)
            old = layout.places[number].term
            if layout.has_name(number) or not self.pool.may_stand(layout, number):
                continue
            new = self._new(layout, number, old, rng)
            if new is None or not self.pool.linearity.keeps(layout, number, new):
                continue
            changed_layout = layout.with_term(number, new)
            is_short = len(changed_layout.text) <= self._longest
            return (changed_layout, replacement(f"typefuzz {number}", old, new)) if is_short else None
        return None

    def _new(self, layout: Layout, number: int, old: Term, rng: Random) -> Term | None:
        """An expression of the seed, or an operator or function applied to some (Definition 1)."""
        scope = self.pool.scope_at(layout, number)
        if rng.random() < self._given.bare:
            return self.pool.pick(old.sort, scope, old, rng)
        return random_application(
            self.pool, old.sort, scope, self._operators, self._logic, rng, self._functions, self._languages
        )


@cache
def _listed(name: str) -> tuple[Operator, ...]:
    """The operators of a published list; none for no name."""
    return read_operator_file(_PAPER.read_text(encoding="utf-8"), str(_PAPER)) if name else ()


def _with_logic(script: Script, name: str) -> Script:
    return Script(tuple(replace(c, name=name) if isinstance(c, SetLogic) else c for c in script.commands))
