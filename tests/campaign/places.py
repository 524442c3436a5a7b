"""Worker states, seeds and strategies for tests."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import msgspec

from falsum.campaign.corpus.seed_files import digest_of
from falsum.campaign.fuzz.batch import Batch, BatchSeed
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.worker_state import WorkerState
from falsum.campaign.search.schedule import EVEN, Slot
from falsum.campaign.search.time_rules import BatchBudget
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Claim, Mutant, Seed, Strategy

HERE = Path(__file__).parent
SEED = "(set-logic QF_LIA)(declare-const x Int)(assert (> (+ x 1) 5))(check-sat)"
MARK = "abs"


def liar(mode: str, operator: str = MARK) -> str:
    return f"/bin/sh {HERE / 'liar.sh'} {mode} '{operator}'"


HONEST = liar("honest")


def leaky(folder: Path, word: str = "check-sat") -> str:
    """A program that its name makes a solver that stays."""
    program = folder / "z3-leaky"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S {HERE / "leaky.py"} {word} "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


@dataclass(frozen=True)
class Numbered:
    """Another way to write the 5: every third mutant has the operator that liars lie about."""

    name: str = "numbered"
    arity: int = 1
    claims: bool = False
    refers: bool = False

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab
        (seed,) = seeds
        place = 0
        while True:
            number = rng.randrange(5, 10**6)
            written = f"(abs {number})" if place % 3 == 0 else str(number)
            text = seed.text.replace("5", f"(- {written} {number - 5})")
            claim = Claim((Verdict.SAT,), "((define-fun x () Int 7))") if self.claims else None
            yield Mutant(text, claim, seed.text if self.refers else None, (f"numbered {place}",))
            place += 1


@dataclass(frozen=True)
class Broken:
    name: str = "broken"
    arity: int = 1

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del rng, lab
        yield Mutant(seeds[0].text.replace("5", "(- 1)"))
        raise ZeroDivisionError("a strategy with a fault")


STRATEGIES: dict[str, Strategy] = {
    "numbered": Numbered(),
    "claiming": Numbered("claiming", claims=True),
    "referring": Numbered("referring", refers=True),
    "broken": Broken(),
}


def state_of(*solvers: str, timeout: float = 5.0) -> WorkerState:
    zoo = Zoo()
    return WorkerState([resolve(name, zoo) for name in solvers], timeout, 1024, STRATEGIES)


def plan_of(*solvers: str, timeout: float = 5.0, count: int | None = None) -> FuzzPlan:
    return FuzzPlan(
        seeds=(),
        solvers=solvers,
        strategies=(),
        rng=7,
        timeout=timeout,
        memory=1024,
        count=count,
        schedule=EVEN,
        engines=False,
    )


def batch_of(
    *solvers: str, strategy: str = "numbered", text: str = SEED, count: int = 6, timeout: float = 5.0
) -> Batch:
    seed = BatchSeed("seed.smt2", digest_of(text), text)
    return Batch(
        plan_of(*solvers, timeout=timeout, count=count),
        Slot(1, strategy, (0,), "7:1"),
        (seed,),
        BatchBudget(count),
    )


def with_plan(batch: Batch, **options: object) -> Batch:
    """The batch of a campaign with other options."""
    return msgspec.structs.replace(batch, plan=msgspec.structs.replace(batch.plan, **options))


def with_budget(batch: Batch, **limits: float) -> Batch:
    """The batch with other limits."""
    return msgspec.structs.replace(batch, budget=msgspec.structs.replace(batch.budget, **limits))
