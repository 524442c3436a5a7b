"""pivot: any change that keeps the seed's model, or that leaves an unsat core alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from falsum.smtlib import Script, print_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.logics import Logic, logic_of
from falsum.smtlib.models.model import Model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout, Place
from falsum.smtlib.scripts import Assert, CheckSat, Command
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.term_names import assertions_in_core
from falsum.smtlib.terms import Annotated, Head, Term, app
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.verdict import Verdict
from falsum.smtlib.walk import children, rebuild, subterms
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.strategies.growth import ExpressionPool, Triviality, portable_operators, random_application
from falsum.strategies.mutant import Claim, Mutant, Seed, replacement
from falsum.strategies.parameters import parameter, share
from falsum.strategies.pivot.equal_terms import ModelValues
from falsum.strategies.seeds import (
    EVALUATION_STEPS,
    agreed_verdicts,
    assignments_of,
    flatten,
    status_of,
    write_witness,
)

# Changes tried for one step.
_TRIES: Final = 12
# A seed is given up after so many failed steps in a row, or assignments in a row without any mutant.
_MAX_FAILURES: Final = 20
_MAX_FAILED_ASSIGNMENTS: Final = 6
# A mutant may always be this long, however short the seed.
_MIN_LENGTH: Final = 400
# The share of new expressions that are taken from the seed as they are.
_PICKED: Final = 0.25
_NOT: Final = Head(OPERATORS["not"])


@dataclass(frozen=True, slots=True)
class MutableScript:
    """A script to change, with all that is needed for that; `fixed` commands stay as they are."""

    layout: Layout
    pool: ExpressionPool
    operators: tuple[Operator, ...]
    logic: Logic
    fixed: frozenset[int]
    triviality: Triviality = field(default_factory=Triviality)

    @classmethod
    def of(cls, script: Script, fixed: frozenset[int] = frozenset()) -> MutableScript:
        """The mutable script. The assertions whose commands have the numbers `fixed` stay as they are, and so
        do all commands that are no assertions.
        """
        layout = Layout.of(script)
        logic = logic_of(script.logic)
        operators = portable_operators((place.term for place in layout.places), logic=logic)
        others = frozenset(n for n, c in enumerate(script.commands) if not isinstance(c, Assert))
        return cls(layout, ExpressionPool(layout, script), operators, logic, fixed | others)

    def random_place(self, layout: Layout, rng: Random) -> int | None:
        """A place that may be changed; None if the draw gives none."""
        number = rng.randrange(len(layout.places))
        if layout.command(number) in self.fixed or not self.pool.may_replace(layout, number):
            return None
        return number

    def random_term(self, layout: Layout, number: int, rng: Random) -> Term | None:
        """A new expression for a place: a new application, or another expression of the seed."""
        old = layout.places[number].term
        scope = self.pool.scope_at(layout, number)
        if rng.random() < _PICKED:
            return self.pool.pick(old.sort, scope, old, rng)
        return random_application(self.pool, old.sort, scope, self.operators, self.logic, rng)


@dataclass(frozen=True, slots=True)
class Pivot:
    """Changes a seed so that its model, or its unsat core, stays good.

    `chain` changes follow each other before the seed is used again; `growth` limits a mutant's length.

    `complication` is the share of changes that keep the value by construction. `per_model` mutants are made
    under one assignment if no model of the seed is verified.
    """

    name: str = "pivot"
    arity: int = 1
    chain: int = parameter(10, "steps in a row before the seed is used again", least=1)
    growth: float = parameter(4.0, "length of a mutant, at most, as a multiple of the seed's", least=1)
    complication: float = share(0.4, "share of steps that complicate")
    per_model: int = parameter(
        25, "mutants under one assignment, if no model of the seed is verified", least=1
    )

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        flat = flatten(seeds[0].script)
        if flat is None:
            return
        status = status_of(flat, lab)
        if status.verdict is Verdict.UNSAT and lab is not None:
            yield from self._unsat_mutants(flat, confirmed_core(flat, lab), rng)
        elif status.witness:
            yield from self._sat_mutants(flat, status.witness, "its model", None, rng)
        else:
            yield from self._mutants_of_assignments(Seed.of(seeds[0].name, flat), rng, lab)

    def _mutants_of_assignments(self, seed: Seed, rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        """Mutants under any assignment, if no model is verified: assertions that are false under it are
        negated.
        """
        failures = 0
        for origin, model in assignments_of(seed, rng, lab):
            witness, _ = write_witness(model, seed.script)
            is_any = False
            for mutant in self._sat_mutants(seed.script, witness, origin, self.per_model, rng):
                is_any = True
                yield mutant
            failures = 0 if is_any else failures + 1
            if failures == _MAX_FAILED_ASSIGNMENTS:
                return

    def _sat_mutants(
        self, flat: Script, witness: str, origin: str, count: int | None, rng: Random
    ) -> Iterator[Mutant]:
        """At most `count` mutants that the witness satisfies."""
        model = read_model(witness, flat)
        script = _made_true(flat, model)
        if script is None:
            return
        base = MutableScript.of(script)
        values = ModelValues(model, base.pool)
        claim = Claim((Verdict.SAT,), witness)
        for layout, lineage in self._chains(base, values, count, rng):
            yield Mutant(layout.text, claim, lineage=(f"pivot: {origin}", *lineage))

    def _unsat_mutants(self, flat: Script, core: frozenset[int], rng: Random) -> Iterator[Mutant]:
        """Chains that start from the core, most other assertions, and copies of one to three, shuffled."""
        head = [c for c in flat.commands if not isinstance(c, Assert | CheckSat)]
        assertions = [Assert(term) for term in flat.assertions]
        claim = Claim((Verdict.UNSAT,))
        about = f"pivot: {len(core)} of {len(assertions)} assertions are the kernel"
        while True:
            around = [a for n, a in enumerate(assertions) if n not in core and rng.random() < 0.8]
            around += [rng.choice(assertions) for _ in range(rng.randint(1, 3))]
            marked = [(assertions[n], True) for n in sorted(core)] + [(a, False) for a in around]
            rng.shuffle(marked)
            commands: list[Command] = [*head, *(assertion for assertion, _ in marked), CheckSat()]
            fixed = frozenset(len(head) + n for n, (_, in_core) in enumerate(marked) if in_core)
            is_any = False
            for layout, lineage in self._chains(
                MutableScript.of(Script(tuple(commands)), fixed), None, self.chain, rng
            ):
                is_any = True
                yield Mutant(layout.text, claim, lineage=(about, *lineage))
            if not is_any:
                return

    def _chains(
        self, base: MutableScript, values: ModelValues | None, count: int | None, rng: Random
    ) -> Iterator[tuple[Layout, tuple[str, ...]]]:
        """Changed layouts with their lineages, chain after chain; at most `count`, without end if None."""
        longest = max(len(base.layout.text) * self.growth, _MIN_LENGTH)
        failures = chains = 0
        while failures < _MAX_FAILURES:
            layout, lineage = base.layout, tuple[str, ...]()
            for _ in range(self.chain):
                step = self._step(base, layout, values, rng)
                if step is None or len(step[0].text) > longest:
                    failures += 1
                    break
                failures = 0
                layout, lineage = step[0], (*lineage, step[1])
                yield layout, lineage
                chains += 1
                if chains == count:
                    return

    def _step(
        self, base: MutableScript, layout: Layout, values: ModelValues | None, rng: Random
    ) -> tuple[Layout, str] | None:
        for _ in range(_TRIES):
            number = base.random_place(layout, rng)
            if number is None:
                continue
            old = layout.places[number].term
            word = "changed"
            if values is not None and rng.random() < self.complication:
                new = values.equal_term(old, base.pool.scope_at(layout, number), rng)
                word = "complicated"
            else:
                new = base.random_term(layout, number, rng)
            if new is None or new is old:
                continue
            path = _path(layout, number, new)
            if values is None:
                is_kept = not _decides(path, base.triviality)
            else:
                is_kept = word == "complicated" or values.holds(path[-1][1])
            if is_kept:
                return _with_path(layout, number, path), replacement(f"pivot {number} {word}", old, new)
        return None


def _made_true(flat: Script, model: Model) -> Script | None:
    """The script with the assertions that are false under the model negated, and those without a value
    removed.
    """
    pairs = zip(flat.assertions, truths(flat, model, EVALUATION_STEPS), strict=True)
    assertions = [
        Assert(t if is_true else app(_NOT, (t,))) for t, is_true in pairs if isinstance(is_true, bool)
    ]
    if not assertions:
        return None
    rest = [c for c in flat.commands if not isinstance(c, Assert | CheckSat)]
    return Script((*rest, *assertions, CheckSat()))


def _path(layout: Layout, number: int, new: Term) -> list[tuple[int, Term]]:
    """The new terms from a changed place up to the root, with the numbers of their places."""
    path = [(number, new)]
    place = layout.places[number]
    while place.parent >= 0:
        around = layout.places[place.parent]
        parts = list(children(around.term))
        parts[place.slot] = path[-1][1]
        path.append((place.parent, rebuild(around.term, parts)))
        place = around
    return path


def _decides(path: list[tuple[int, Term]], triviality: Triviality) -> bool:
    """Whether a change makes a formula that a simplifier decides, and with it perhaps the whole mutant."""
    terms = [*subterms(path[0][1]), *(term for _, term in path[1:])]
    return any(term.sort is BOOL and triviality.is_trivial(term) for term in terms)


def _with_path(layout: Layout, number: int, path: list[tuple[int, Term]]) -> Layout:
    """The layout with a term replaced, and the terms around it as well."""
    changed_layout = layout.with_term(number, path[0][1])
    for above, term in path[1:]:
        old = changed_layout.places[above]
        changed_layout.places[above] = Place(term, old.parent, old.slot, old.start, old.end, old.size)
    return changed_layout


def confirmed_core(flat: Script, lab: Lab) -> frozenset[int]:
    """The numbers of assertions that solvers agree are unsatisfiable together; at worst all of them."""
    everything = frozenset(range(len(flat.assertions)))
    # An annotated assertion gets no name, so it may belong to the core without being listed.
    always = frozenset(n for n, term in enumerate(flat.assertions) if isinstance(term, Annotated))
    text = print_script(flat)
    for solver in lab.solvers:
        answer = lab.ask(Request(solver, text, Want.CORE))
        if answer.verdict is not Verdict.UNSAT or answer.core is None:
            continue
        core = assertions_in_core(answer.core, flat.assertions) | always
        if len(core) < len(everything) and _is_confirmed(flat, core, lab):
            return core
    return everything


def _is_confirmed(flat: Script, core: frozenset[int], lab: Lab) -> bool:
    numbers = iter(range(len(flat.assertions)))
    commands = [c for c in flat.commands if not isinstance(c, Assert) or next(numbers) in core]
    return agreed_verdicts(print_script(Script(tuple(commands))), 1, lab) == (Verdict.UNSAT,)
