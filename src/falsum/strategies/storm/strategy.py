"""storm: new formulas from the fragments of a seed (Mansur, Christakis, Wüstholz, Zhang, ESEC/FSE 2020).

Theorem: the assignment satisfies every assertion of an instance. Each fragment (Boolean subterm of the seed)
is evaluated under the assignment by falsum's own evaluator; new formulas are built with connectives, valued
from their parts, and asserted as they are or negated, whichever is true.

Claims sat, with the assignment as witness. No solver is trusted: a solver's model is just an assignment to
start from. The exception are fragments that the evaluator cannot value, mostly quantified ones: two solvers
that agree may value them, and the lineage of an instance that uses one says so.

In incremental instances some checks have assumptions: sat if all of them hold under the assignment; unsat if
one denies a name of a formula that is asserted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar, Final

from falsum.smtlib import print_script
from falsum.smtlib.at_check import is_check
from falsum.smtlib.evaluation.applications import CHOSEN
from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.models.model import Model, declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.printing.printer import print_command, print_term
from falsum.smtlib.scripts import CheckSat, CheckSatAssuming, Command
from falsum.smtlib.terms import Function
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.strategies.mutant import Claim, Mutant, Seed
from falsum.strategies.parameters import parameter, share
from falsum.strategies.seeds import assignments_of, prepare, print_declarations, with_unique_names
from falsum.strategies.storm.agreed_values import AgreedValues
from falsum.strategies.storm.fragments import Fragment, fragments
from falsum.strategies.storm.incremental import Formula, IncrementalInstance, assertion

# Evaluation steps for all fragments of a seed together; fragments without a value are left out.
_STEPS: Final = 200_000
_CHECK: Final = "(check-sat)"
# A seed is given up after so many assignments under which no fragment has a value.
_MAX_FAILURES: Final = 6
# Fewest formulas constructed for one assignment.
_FEWEST_CONSTRUCTED: Final = 16
# Longest text of an instance's assertions: beyond it solvers time out rather than answer wrongly.
_LONGEST_INSTANCE: Final = 20_000


@dataclass(frozen=True, slots=True)
class Storm:
    """Builds satisfiable scripts from the Boolean subterms of a seed and an assignment.

    The parameters of the paper, and two of our own: `connectives` and `incremental`.

    `depth` limits the nesting of fragments and formulas, `assertions` the number in an instance, `longest`
    the text of a formula. From one assignment at most `constructed` formulas are made, with `attempts` tries
    for each, and then `per_model` instances, before the next assignment. `initial` and
    `conjunction` are the probabilities of picking from the initial pool and of `and` (against `not`).
    `connectives` allows all connectives, not only `and` and `not`. `incremental` is the share of
    instances with push levels. `agreed` fragments without a value, at most, are put to solvers for each
    assignment. A seed with tactics (`check-sat-using`) has them in half of its instances.
    """

    configurations: ClassVar[Mapping[str, str]] = {
        "paper": "incremental=0,agreed=0",
        "connectives": "connectives=true",
        "incremental": "incremental=1",
    }

    name: str = "storm"
    arity: int = 1
    depth: int = parameter(64, "nesting of subformulas and of new formulas, at most", least=1)
    assertions: int = parameter(64, "assertions of an instance, at most", least=1)
    longest: int = parameter(2000, "characters of a formula, at most")
    constructed: int = parameter(200, "formulas constructed for one assignment, at most")
    attempts: int = parameter(4, "attempts to construct each formula")
    per_model: int = parameter(25, "instances made with one assignment", least=1)
    initial: float = share(0.5, "probability of a subformula of the seed rather than a constructed formula")
    conjunction: float = share(0.5, "probability of `and` rather than `not`")
    connectives: bool = parameter(False, "also use `or`, `=>`, `xor`, `=` and `ite`")
    incremental: float = share(0.2, "share of incremental instances")
    agreed: int = parameter(
        4, "subformulas without a value that are put to solvers for one assignment, at most"
    )

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        script = with_unique_names(seeds[0].script)
        if script is not seeds[0].script:
            script = prepare(seeds[0].script)
        declared = print_declarations(script) if script is not None else None
        if script is None or declared is None:
            return
        seed = seeds[0] if script is seeds[0].script else Seed(seeds[0].name, print_script(script))
        found = list(fragments(script, self.depth))
        functions = declared_functions(script)
        agreed = AgreedValues(script, lab) if lab is not None and self.agreed else None
        checks = (_CHECK, *dict.fromkeys(map(print_command, filter(_has_tactic, script.commands))))
        failures = 0
        for origin, model in assignments_of(seed, rng, lab) if found else ():
            witness = _witness(model, functions)
            # As the witness reads back: a part of the assignment that cannot be written must decide nothing.
            written = read_model(witness, script)
            pool = self._initial_pool(found, written, agreed, functions)
            if not pool:
                failures += 1
                if failures == _MAX_FAILURES:
                    return
                continue
            constructed = self._construction_pool(pool, rng)
            for _ in range(self.per_model):
                check = checks[rng.randrange(len(checks))] if len(checks) > 1 else _CHECK
                yield self._instance(declared, pool, constructed, witness, origin, check, rng)

    def _initial_pool(
        self,
        found: Sequence[Fragment],
        model: Model,
        agreed: AgreedValues | None,
        functions: tuple[Function, ...],
    ) -> list[Formula]:
        """The fragments that have a value under the model."""
        evaluation = Evaluation(model, _STEPS)
        pool = []
        asked = 0
        witness: str | None = None
        for fragment in found:
            text = print_term(fragment.term)
            if len(text) > self.longest:
                continue
            holds = evaluation.run(fragment.term)
            if isinstance(holds, bool):
                pool.append(Formula(text, holds, fragment.depth))
            elif agreed is not None and asked < self.agreed:
                asked += 1
                witness = witness if witness is not None else print_model(model, functions)
                value = agreed.value(fragment.term, witness)
                if value is not None:
                    pool.append(Formula(text, value, fragment.depth, is_agreed=True))
        return pool

    def _construction_pool(self, pool: list[Formula], rng: Random) -> list[Formula]:
        """About as many new formulas as there are fragments."""
        made: list[Formula] = []
        wanted = min(max(len(pool), _FEWEST_CONSTRUCTED), self.constructed)
        for _ in range(wanted * self.attempts):
            if len(made) == wanted:
                break
            new = self._combined(pool, made, rng)
            if new.depth <= self.depth and len(new.text) <= self.longest:
                made.append(new)
        return made

    def _combined(self, pool: list[Formula], made: list[Formula], rng: Random) -> Formula:
        first = self._pick(pool, made, rng)
        if rng.random() >= self.conjunction:
            return Formula(f"(not {first.text})", not first.holds, first.depth + 1, first.is_agreed)
        second = self._pick(pool, made, rng)
        depth = max(first.depth, second.depth) + 1
        if not self.connectives:
            is_agreed = first.is_agreed or second.is_agreed
            text = f"(and {first.text} {second.text})"
            return Formula(text, first.holds and second.holds, depth, is_agreed)
        return _connected(first, second, self._pick(pool, made, rng), rng)

    def _pick(self, pool: list[Formula], made: list[Formula], rng: Random) -> Formula:
        chosen = pool if not made or rng.random() < self.initial else made
        return chosen[rng.randrange(len(chosen))]

    def _instance(
        self,
        declared: str,
        pool: list[Formula],
        constructed: list[Formula],
        witness: str,
        origin: str,
        check: str,
        rng: Random,
    ) -> Mutant:
        formulas: list[Formula] = []
        room = _LONGEST_INSTANCE
        for _ in range(rng.randint(1, self.assertions)):
            formulas.append(self._pick(pool, constructed, rng))
            room -= len(formulas[-1].text)
            if room <= 0:
                break
        if rng.random() < self.incremental:
            instance = IncrementalInstance(declared, rng)
            instance.run(formulas)
            lines = [declared, *instance.declarations(), *instance.lines]
            claim = Claim(tuple(instance.verdicts), witness + instance.witness())
        else:
            lines = [declared, *(assertion(formula) for formula in formulas), f"{check}\n"]
            claim = Claim((Verdict.SAT,), witness)
        lineage = [f"storm: {len(formulas)} assertions from {len(pool)} fragments under {origin}"]
        if agreed := sum(formula.is_agreed for formula in formulas):
            lineage.append(f"storm: the values of {agreed} assertions rest on two solvers that agree")
        return Mutant("".join(lines), claim, lineage=tuple(lineage))


def _witness(model: Model, functions: tuple[Function, ...]) -> str:
    """The assignment as text, including a solver's choices where the standard leaves a function open."""
    chosen = {symbol: definition for symbol, definition in model.named.values() if symbol.name in CHOSEN}
    whole = replace(model, definitions={**model.definitions, **chosen}) if chosen else model
    return print_model(whole, (*functions, *chosen))


def _connected(first: Formula, second: Formula, third: Formula, rng: Random) -> Formula:
    """A random connective of two formulas, or `ite` of three."""
    kind = rng.choice(("and", "or", "=>", "xor", "=", "ite"))
    depth = max(first.depth, second.depth) + 1
    is_agreed = first.is_agreed or second.is_agreed
    if kind == "ite":
        holds = second.holds if first.holds else third.holds
        text = f"(ite {first.text} {second.text} {third.text})"
        return Formula(text, holds, max(depth, third.depth + 1), is_agreed or third.is_agreed)
    holds = {
        "and": first.holds and second.holds,
        "or": first.holds or second.holds,
        "=>": not first.holds or second.holds,
        "xor": first.holds is not second.holds,
        "=": first.holds is second.holds,
    }[kind]
    return Formula(f"({kind} {first.text} {second.text})", holds, depth, is_agreed)


def _has_tactic(command: Command) -> bool:
    return is_check(command) and not isinstance(command, CheckSat | CheckSatAssuming)
