"""storm: new formulas from the fragments of a seed (Mansur, Christakis, Wüstholz, Zhang, ESEC/FSE 2020).

Theorem: the assignment satisfies every assertion of an instance. Each fragment (Boolean subterm of the seed)
is evaluated under the assignment by falsum's own evaluator; new formulas are built with connectives, valued
from their parts, and asserted as they are or negated, whichever is true.

Claims sat, with the assignment as witness. No solver is trusted: a solver's model is just an assignment to
start from. The exception are fragments that the evaluator cannot value, mostly quantified ones: two solvers
that agree may value them, and the lineage of an instance that uses one says so.

In incremental instances some checks have assumptions: sat if all of them hold under the assignment; unsat if
one denies a name of a formula that is asserted. An instance with a contradiction is unsat, whatever its
formulas mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from random import Random
from typing import ClassVar, Final

from falsum.smtlib import Script, print_script
from falsum.smtlib.at_check import is_check
from falsum.smtlib.evaluation.applications import CHOSEN
from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.models.model import Model, declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import CheckSat, CheckSatAssuming, Command
from falsum.smtlib.terms import Function
from falsum.solvers.lab import Lab
from falsum.strategies.growth import SmallEdits
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.parameters import parameter, share
from falsum.strategies.seeds import (
    assignments_of,
    check_with,
    prepare,
    print_declarations,
    tactics_of,
    with_unique_names,
)
from falsum.strategies.storm.agreed_values import AgreedValues
from falsum.strategies.storm.formulas import Formula, FormulaBounds, Pools
from falsum.strategies.storm.fragments import SeedFragments, fragments
from falsum.strategies.storm.instances import InstanceMaker, Shape

# A seed is given up after so many assignments under which no fragment has a value, or changes without one.
_MAX_FAILURES: Final = 6
# Edits of a changed seed, and instances of it: most bugs that a change leads to show in the first ones.
_MOST_EDITS: Final = 2
_PER_CHANGE: Final = 2


@dataclass(frozen=True, slots=True)
class Storm:
    """Builds scripts of known verdict from the Boolean subterms of a seed and an assignment.

    `depth` limits how many connectives are nested in a fragment or formula, `longest` its text, `assertions`
    and `size` the number and the text of an instance's assertions; 0 as a length is no limit. Assignments are
    models that solvers give for the seed and for its negation, then random ones, or `shuffled`. From one of
    them as many formulas are made as there are fragments, from `fewest` to `constructed`, with `attempts`
    tries for each, and then `per_model` instances. `initial` and `conjunction` are the probabilities of
    picking from the initial pool and of `and` (against `not`).
    `connectives` allows all connectives, not only `and` and `not`. `incremental` is the share of instances
    with push levels, of which at most `levels` are opened or closed at once, `named` the share of their
    formulas with a name. The fragments are evaluated in at most `steps` steps for each assignment. At most
    `agreed` of those without a value are put to solvers, for `seconds` each.
    `unsat` is the share of instances with a contradiction, `changed` that of instances whose fragments are of
    the seed with one or two edits (as `havoc` makes them), `tactics` that of instances checked with one of
    the solvers' tactics, or one of `tactic`. A seed with tactics has them in half of its instances.
    """

    configurations: ClassVar[Mapping[str, str]] = {
        # The paper, and for what the paper does not say, its authors' program with the settings of its RQ3.
        "paper": "depth=64,assertions=64,longest=0,size=0,fewest=1000,constructed=1000,attempts=1,"
        "per_model=1000,initial=0.3,conjunction=0.5,connectives=false,incremental=0.5,levels=64,named=0,"
        "agreed=0,unsat=0,changed=0,shuffled=false,tactics=0.5,"
        "tactic=horn/(then horn-simplify default)/dom-simplify/(then dom-simplify smt)",
        "connectives": "connectives=true",
        "incremental": "incremental=1",
        "unsat": "unsat=1",
        "tactics": "tactics=1,incremental=0",
    }

    name: str = "storm"
    arity: int = 1
    depth: int = parameter(64, "connectives nested in a subformula or a new formula, at most")
    assertions: int = parameter(64, "assertions of an instance, at most", least=1)
    longest: int = parameter(2000, "characters of a formula, at most; 0 for any number")
    size: int = parameter(20_000, "characters of an instance's assertions, at most; 0 for any number")
    fewest: int = parameter(16, "formulas constructed for one assignment, at least")
    constructed: int = parameter(200, "formulas constructed for one assignment, at most")
    attempts: int = parameter(4, "attempts to construct each formula", least=1)
    per_model: int = parameter(25, "instances made with one assignment", least=1)
    shuffled: bool = parameter(True, "assignments in any order; else models of the seed come first")
    initial: float = share(0.5, "probability of a subformula of the seed rather than a constructed formula")
    conjunction: float = share(0.5, "probability of `and` rather than `not`")
    connectives: bool = parameter(False, "also use `or`, `=>`, `xor`, `=` and `ite`")
    incremental: float = share(0.2, "share of incremental instances")
    levels: int = parameter(3, "levels pushed or popped at once, at most", least=1)
    named: float = share(0.4, "share of the formulas of incremental instances that get a name")
    agreed: int = parameter(
        4, "subformulas without a value that are put to solvers for one assignment, at most"
    )
    seconds: float = parameter(0.5, "time limit of a solver call for the value of a subformula, in seconds")
    steps: int = parameter(
        200_000, "steps of the evaluator for the subformulas of a seed under one assignment, at most", least=1
    )
    unsat: float = share(0.1, "share of instances with a contradiction")
    changed: float = share(0.5, "share of instances made of the seed with one or two small edits")
    tactics: float = share(0.05, "share of instances that check with a tactic, for solvers that have some")
    tactic: tuple[str, ...] = parameter((), "tactics to check with; those of the solvers if there are none")

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        own = self._source(seeds[0], lab)
        if own is None:
            return
        instances = self._of_seed(own, rng, lab)
        of_changed = self._of_changed_seeds(seeds[0], rng, lab)
        while True:
            is_changed = self.changed > 0 and rng.random() < self.changed
            instance = next(of_changed, None) if is_changed else None
            instance = instance if instance is not None else next(instances, None)
            if instance is None:
                return
            yield instance

    def _of_seed(self, source: _Source, rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        """Instances of a seed, from one assignment after the other."""
        failures = 0
        if not source.fragments.usable:
            return
        for origin, model in assignments_of(source.seed, rng, lab, shuffled=self.shuffled):
            instances = self._of_assignment(source, origin, model, rng)
            if instances is None:
                failures += 1
                if failures == _MAX_FAILURES:
                    return
                continue
            yield from islice(instances, self.per_model)

    def _of_changed_seeds(self, seed: Seed, rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        """A few instances of each of many changed seeds, until several in a row have none."""
        script = prepare(seed.script)
        edits = SmallEdits.of(script) if script is not None else None
        failures = 0
        while edits is not None and failures < _MAX_FAILURES:
            text, lines = edits.changed(_MOST_EDITS, rng) or ("", [])
            source = self._source(Seed(seed.name, text), lab) if text else None
            instances: Iterator[Mutant] | None = None
            if source is not None and source.fragments.usable:
                origin, model = next(assignments_of(source.seed, rng, lab))
                instances = self._of_assignment(source, origin, model, rng)
            failures = 0 if instances is not None else failures + 1
            about = [f"storm: edit of the seed at {line}" for line in lines]
            for instance in islice(instances or (), _PER_CHANGE):
                yield replace(instance, lineage=(*about, *instance.lineage))

    def _of_assignment(
        self, source: _Source, origin: str, model: Model, rng: Random
    ) -> Iterator[Mutant] | None:
        """Instances without end that an assignment satisfies; None if no fragment has a value."""
        witness = _witness(model, source.functions)
        # As the witness reads back: a part of the assignment that cannot be written must decide nothing.
        witness_model = read_model(witness, source.seed.script)
        initial = self._initial_pool(source, witness_model)
        if not initial:
            return None
        without = len(source.fragments.usable) - len(initial)
        under = f"{origin}, {without} more have no value" if without else origin
        bounds = FormulaBounds(self.depth, self.longest, self.initial, self.conjunction, self.connectives)
        pools = Pools(bounds, initial)
        pools.construct(min(max(len(initial), self.fewest), self.constructed), self.attempts, rng)
        return (source.maker.instance(pools, witness, under, rng) for _ in count())

    def _source(self, seed: Seed, lab: Lab | None) -> _Source | None:
        """What instances of a seed are made of; None if the seed is not suitable."""
        script = with_unique_names(seed.script)
        if script is not seed.script:
            script = prepare(seed.script)
        declarations = print_declarations(script) if script is not None else None
        if script is None or declarations is None:
            return None
        seed_fragments = fragments(script, self.depth, self.longest)
        maker = InstanceMaker(self._shape(script, lab), declarations, _left_out(seed_fragments, self))
        agreed_values = AgreedValues(script, lab, self.seconds) if lab is not None and self.agreed else None
        own = seed if script is seed.script else Seed(seed.name, print_script(script))
        return _Source(own, declared_functions(script), seed_fragments, agreed_values, maker)

    def _shape(self, script: Script, lab: Lab | None) -> Shape:
        return Shape(
            self.assertions,
            self.size,
            self.incremental,
            self.levels,
            self.named,
            self.unsat,
            tuple(dict.fromkeys(map(print_command, filter(_has_tactic, script.commands)))),
            self.tactics,
            tuple(map(check_with, tactics_of(lab, self.tactic))),
        )

    def _initial_pool(self, source: _Source, model: Model) -> list[Formula]:
        """The fragments that have a value under the model."""
        evaluation = Evaluation(model, self.steps)
        pool = []
        asked = 0
        witness: str | None = None
        for fragment in source.fragments.usable:
            holds = evaluation.run(fragment.term)
            if isinstance(holds, bool):
                pool.append(Formula(fragment.text, holds, fragment.depth))
            elif source.agreed_values is not None and asked < self.agreed:
                asked += 1
                witness = witness if witness is not None else print_model(model, source.functions)
                value = source.agreed_values.value(fragment.term, witness)
                if value is not None:
                    pool.append(Formula(fragment.text, value, fragment.depth, is_agreed=True))
        return pool


@dataclass(frozen=True, slots=True)
class _Source:
    """What instances of a seed are made of."""

    seed: Seed
    functions: tuple[Function, ...]
    fragments: SeedFragments
    agreed_values: AgreedValues | None
    maker: InstanceMaker


def _left_out(seed_fragments: SeedFragments, strategy: Storm) -> tuple[str, ...]:
    """What bounds leave out of a seed, as lines of the lineage."""
    lines = []
    if seed_fragments.too_long:
        lines.append(
            f"storm: {seed_fragments.too_long} fragments of more than {strategy.longest} characters left out"
        )
    if seed_fragments.too_deep:
        lines.append(
            f"storm: {seed_fragments.too_deep} fragments deeper than {strategy.depth} connectives left out"
        )
    return tuple(lines)


def _witness(model: Model, functions: tuple[Function, ...]) -> str:
    """The assignment as text, including a solver's choices for functions that the standard leaves open."""
    definitions = {symbol: definition for symbol, definition in model.named.values() if symbol.name in CHOSEN}
    whole = replace(model, definitions={**model.definitions, **definitions}) if definitions else model
    return print_model(whole, (*functions, *definitions))


def _has_tactic(command: Command) -> bool:
    return is_check(command) and not isinstance(command, CheckSat | CheckSatAssuming)
