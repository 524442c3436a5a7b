"""pivot: any change that the seed's model survives, or that leaves an unsat core alone.

After Diver (2023) and Octopus (2025). A satisfiable seed has a model, the pivot: expressions are replaced by
new ones, and a change stays if our evaluator finds the assertion still true; or they are complicated, that is
replaced by others worth the same under the model. Of an unsatisfiable seed the core is asserted as it is,
and everything around it is changed at will.
Promises: sat with the model as witness, or unsat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from falsum.smtlib import Script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.logics import Logic, logic_of
from falsum.smtlib.models.model import Model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout, Place
from falsum.smtlib.scripts import Assert, CheckSat, Command
from falsum.smtlib.terms import Head, Term, app
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.verdict import Verdict
from falsum.smtlib.walk import children, rebuild
from falsum.solvers.lab import Lab
from falsum.strategies.growth.candidates import Pool, grow, usual_operators
from falsum.strategies.mutant import Claim, Mutant, Seed
from falsum.strategies.pivot.equal_terms import Values
from falsum.strategies.seeds.assignments import assignments
from falsum.strategies.seeds.flat import laid_flat
from falsum.strategies.seeds.status import STEPS, known_of, written
from falsum.strategies.seeds.unsat_core import kernel_of
from falsum.strategies.typefuzz import shown

# Changes that are tried for one step, and steps in a row after which there is nothing to be had.
_TRIES: Final = 12
_MOST_FAILURES: Final = 20
# Assignments under which nothing can be said, one after another.
_MOST_BARREN: Final = 6
_NOT: Final = Head(OPERATORS["not"])


@dataclass(frozen=True, slots=True)
class Ground:
    """A script to change: its layout, what may be put where, and the assertions that stay as they are."""

    layout: Layout
    pool: Pool
    operators: tuple[Operator, ...]
    logic: Logic
    fixed: frozenset[int]

    @classmethod
    def of(cls, script: Script, fixed: frozenset[int] = frozenset()) -> Ground:
        """`fixed` are numbers of commands; definitions are fixed as well."""
        layout = Layout.of(script)
        operators = usual_operators(place.term for place in layout.places)
        others = frozenset(n for n, c in enumerate(script.commands) if not isinstance(c, Assert))
        return cls(layout, Pool(layout, script), operators, logic_of(script.logic), fixed | others)

    def place(self, layout: Layout, rng: Random) -> int | None:
        """A place that may be changed, if the draw gives one."""
        number = rng.randrange(len(layout.places))
        if layout.command(number) in self.fixed or not self.pool.may_replace(layout, number):
            return None
        return number

    def drawn(self, layout: Layout, number: int, rng: Random) -> Term | None:
        """A new expression for a place: an operator of its sort, or another expression of the seed."""
        old = layout.places[number].term
        spot = self.pool.spot(layout, number)
        if rng.random() < 0.25:
            return self.pool.pick(old.sort, spot, old, rng)
        return grow(self.pool, old.sort, spot, self.operators, self.logic, rng)


@dataclass(frozen=True, slots=True)
class Pivot:
    """`chain` changes follow each other before the seed is taken again; `growth` bounds a mutant's length.

    `complication` is the share of changes that keep the value by construction. `per_model` is the number of
    mutants under one assignment where no model of the seed is proved.
    """

    name: str = "pivot"
    arity: int = 1
    chain: int = 10
    growth: float = 4.0
    complication: float = 0.4
    per_model: int = 25

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        flat = laid_flat(seeds[0].script)
        if flat is None:
            return
        known = known_of(flat, lab)
        if known.verdict is Verdict.UNSAT and lab is not None:
            yield from self._around(flat, kernel_of(flat, lab), rng)
        elif known.witness:
            yield from self._under(flat, known.witness, "its model", None, rng)
        else:
            yield from self._under_some(Seed.of(seeds[0].name, flat), rng, lab)

    # -- satisfiable -----------------------------------------------------------------------------------

    def _under_some(self, seed: Seed, rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        """Without a proved model: any assignment will do, what is false under it is negated."""
        barren = 0
        for origin, model in assignments(seed, rng, lab):
            witness, _ = written(model, seed.script)
            made = False
            for mutant in self._under(seed.script, witness, origin, self.per_model, rng):
                made = True
                yield mutant
            barren = 0 if made else barren + 1
            if barren == _MOST_BARREN:
                return

    def _under(
        self, flat: Script, witness: str, origin: str, most: int | None, rng: Random
    ) -> Iterator[Mutant]:
        model = read_model(witness, flat)
        script = _grounded(flat, model)
        if script is None:
            return
        ground = Ground.of(script)
        values = Values(model, ground.pool)
        claim = Claim((Verdict.SAT,), witness)
        for layout, lineage in self._chains(ground, values, most, rng):
            yield Mutant(layout.text, claim, lineage=(f"pivot: {origin}", *lineage))

    # -- unsatisfiable ---------------------------------------------------------------------------------

    def _around(self, flat: Script, kernel: frozenset[int], rng: Random) -> Iterator[Mutant]:
        """Each chain has the kernel, some of the other assertions, and some that start as copies of any."""
        head = [c for c in flat.commands if not isinstance(c, Assert | CheckSat)]
        asserted = [Assert(term) for term in flat.assertions]
        claim = Claim((Verdict.UNSAT,))
        about = f"pivot: {len(kernel)} of {len(asserted)} assertions are the kernel"
        while True:
            around = [a for n, a in enumerate(asserted) if n not in kernel and rng.random() < 0.8]
            around += [rng.choice(asserted) for _ in range(rng.randint(1, 3))]
            marked = [(asserted[n], True) for n in sorted(kernel)] + [(a, False) for a in around]
            rng.shuffle(marked)
            commands: list[Command] = [*head, *(assertion for assertion, _ in marked), CheckSat()]
            fixed = frozenset(len(head) + n for n, (_, is_kernel) in enumerate(marked) if is_kernel)
            made = False
            for layout, lineage in self._chains(
                Ground.of(Script(tuple(commands)), fixed), None, self.chain, rng
            ):
                made = True
                yield Mutant(layout.text, claim, lineage=(about, *lineage))
            if not made:
                return

    # -- both ------------------------------------------------------------------------------------------

    def _chains(
        self, ground: Ground, values: Values | None, most: int | None, rng: Random
    ) -> Iterator[tuple[Layout, tuple[str, ...]]]:
        """Changed layouts with what was changed, chain after chain, at most so many; no end if None."""
        longest = max(len(ground.layout.text) * self.growth, 400)
        failures = made = 0
        while failures < _MOST_FAILURES:
            layout, lineage = ground.layout, tuple[str, ...]()
            for _ in range(self.chain):
                step = self._step(ground, layout, values, rng)
                if step is None or len(step[0].text) > longest:
                    failures += 1
                    break
                failures = 0
                layout, lineage = step[0], (*lineage, step[1])
                yield layout, lineage
                made += 1
                if made == most:
                    return

    def _step(
        self, ground: Ground, layout: Layout, values: Values | None, rng: Random
    ) -> tuple[Layout, str] | None:
        for _ in range(_TRIES):
            number = ground.place(layout, rng)
            if number is None:
                continue
            old = layout.places[number].term
            word = "changed"
            if values is not None and rng.random() < self.complication:
                new = values.complicated(old, ground.pool.spot(layout, number), rng)
                word = "complicated"
            else:
                new = ground.drawn(layout, number, rng)
            if new is None or new is old:
                continue
            path = _path(layout, number, new)
            if values is None or word == "complicated" or values.holds(path[-1][1]):
                return _renewed(layout, number, path), f"pivot {number} {word}: {shown(old)} -> {shown(new)}"
        return None


def _grounded(flat: Script, model: Model) -> Script | None:
    """What can be said of the assertions under the model: the true ones, the negations of the false ones."""
    said = truths(flat, model, STEPS)
    pairs = zip(flat.assertions, said, strict=True)
    asserted = [Assert(t if held else app(_NOT, (t,))) for t, held in pairs if isinstance(held, bool)]
    if not asserted:
        return None
    rest = [c for c in flat.commands if not isinstance(c, Assert | CheckSat)]
    return Script((*rest, *asserted, CheckSat()))


def _path(layout: Layout, number: int, new: Term) -> list[tuple[int, Term]]:
    """The terms from a changed place up to the root as they become, with the numbers of their places."""
    path = [(number, new)]
    place = layout.places[number]
    while place.parent >= 0:
        around = layout.places[place.parent]
        parts = list(children(around.term))
        parts[place.slot] = path[-1][1]
        path.append((place.parent, rebuild(around.term, parts)))
        place = around
    return path


def _renewed(layout: Layout, number: int, path: list[tuple[int, Term]]) -> Layout:
    """The layout with a changed path: the terms around the new one are new as well."""
    made = layout.with_term(number, path[0][1])
    for above, term in path[1:]:
        old = made.places[above]
        made.places[above] = Place(term, old.parent, old.slot, old.start, old.end, old.size)
    return made
