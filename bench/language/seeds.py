"""Proves the verdicts of the bundled seeds with two solvers each.

A seed is proved if two products (of z3, cvc5 and bitwuzla, with additional options if necessary) give all its
verdicts. Seeds that only one product reads are listed separately: proved by two of its releases, or by
falsum's evaluator on a model. The exit status is 1 if a seed is not proved or a solver contradicts one.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final

from bench.command import command_parser

from falsum.errors import FalsumError
from falsum.seeds import bundled
from falsum.smtlib import read_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from falsum.solvers.answer import Answer

FIRST: Final = ("z3", "cvc5", "bitwuzla")
# Asked only if fewer than two products agree: options for experimental theories and quantified models.
FURTHER: Final = (
    "cvc5:fp-exp=true,arrays-exp=true,sets-exp=true",
    "cvc5:mbqi=true",
    "cvc5:finite-model-find=true",
    "cvc5:fmf-fun=true",
)
OTHER_RELEASES: Final = ("cvc5@1.1.2", "cvc5@1.1.2:sets-ext=true", "z3@4.12.6", "cvc5@1.0.3")
EXPECTED: Final = re.compile(r"^; expect: (.*)$", re.MULTILINE)
SLOW: Final = 1.0


@dataclass(slots=True)
class Proof:
    """The solvers that agree with a seed, contradict it, crash, or are slow."""

    name: str
    expected: list[str]
    agreed: list[str] = field(default_factory=list)
    contradicted: list[str] = field(default_factory=list)
    crashed: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    evaluated: bool = False

    @property
    def products(self) -> set[str]:
        return {re.split("[:@]", name)[0] for name in self.agreed}

    @property
    def releases(self) -> set[str]:
        return {name.partition(":")[0] for name in self.agreed}

    @property
    def kind(self) -> str:
        if len(self.products) > 1:
            return "two solvers"
        if len(self.releases) > 1:
            return "two releases of one solver"
        if self.agreed and self.evaluated:
            return "one solver and the evaluator"
        return "not proved"


def expected(text: str, name: str) -> list[str]:
    """The verdicts of a seed: those in its header, or the one in its name."""
    header = EXPECTED.search(text)
    return header[1].split() if header else [name.split(".")[-2]]


class Prover:
    """Asks the installed solvers; one object per thread."""

    def __init__(self, seconds: float) -> None:
        zoo = Zoo()
        here = [*FIRST, *FURTHER]
        for name in OTHER_RELEASES:
            product, _, release = name.partition(":")[0].partition("@")
            if zoo.find(product, release) is not None:
                here.append(name)
        self.others = here[len(FIRST) + len(FURTHER) :]
        self.lab = LiveLab([resolve(name, zoo) for name in here], Limits(seconds=seconds))

    def prove(self, seed: Traversable, name: str) -> Proof:
        text = seed.read_text(encoding="utf-8")
        proof = Proof(name, expected(text, name))
        for solver in FIRST:
            self._ask(proof, solver, text)
        for solver in FURTHER:
            if len(proof.products) < 2 and solver.partition(":")[0] not in proof.products:
                self._ask(proof, solver, text)
        for solver in self.others:
            if len(proof.products) < 2 and len(proof.releases) < 2:
                self._ask(proof, solver, text)
        if len(proof.products) < 2 and proof.expected == ["sat"]:
            proof.evaluated = any(self._holds(solver, text) for solver in proof.agreed)
        return proof

    def _ask(self, proof: Proof, solver: str, text: str) -> None:
        answer = self.lab.ask(Request(solver, text))
        if not answer.finished and answer.crashed:
            proof.crashed.append(f"{solver} warm: {answer.ending}")
            answer = self.lab.ask(Request(solver, text, cold=True))
            if answer.crashed:
                proof.crashed.append(f"{solver} cold: {answer.ending}")
        self._note(proof, solver, answer)

    @staticmethod
    def _note(proof: Proof, solver: str, answer: Answer) -> None:
        given_verdicts = [str(verdict) for verdict in answer.verdicts]
        pairs = zip(given_verdicts, proof.expected, strict=False)
        if any(verdict in ("sat", "unsat") and verdict != wanted for verdict, wanted in pairs):
            proof.contradicted.append(f"{solver}: {' '.join(given_verdicts)}")
        elif answer.finished and given_verdicts == proof.expected:
            proof.agreed.append(solver)
        if answer.cpu > SLOW:
            proof.slow.append(f"{solver} {answer.cpu:.1f} s")

    def _holds(self, solver: str, text: str) -> bool:
        """Whether the solver's model satisfies every assertion, by falsum's evaluator."""
        answer = self.lab.ask(Request(solver, text, Want.MODEL))
        if answer.model is None:
            return False
        script = read_script(text)
        try:
            return all(value is True for value in truths(script, read_model(answer.model, script)))
        except FalsumError:
            return False


def proofs(seconds: float, only: str, jobs: int) -> Iterator[Proof]:
    seeds = [(seed, f"{read_script(seed.read_text()).logic}/{seed.name}") for seed in bundled()]
    chosen = [(seed, name) for seed, name in seeds if only in name]

    def share(start: int) -> list[Proof]:
        prover = Prover(seconds)
        with prover.lab:
            return [prover.prove(seed, name) for seed, name in chosen[start::jobs]]

    with ThreadPoolExecutor(jobs) as pool:
        for part in pool.map(share, range(jobs)):
            yield from part


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.language.seeds", __doc__)
    made.add_argument(
        "--seconds", type=float, default=5.0, metavar="S", help="limit of a solver call (default 5)"
    )
    made.add_argument("--only", default="", metavar="TEXT", help="only seeds whose name contains TEXT")
    made.add_argument("--jobs", type=int, default=2, metavar="N", help="threads (default 2)")
    made.add_argument("--json", action="store_true", help="write JSON lines")
    return made


def main() -> int:
    args = parser().parse_args()
    found = sorted(proofs(args.seconds, args.only, args.jobs), key=lambda proof: proof.name)
    bad = 0
    for proof in found:
        wrong = proof.kind == "not proved" or bool(proof.contradicted)
        bad += wrong
        if args.json:
            print(json.dumps({**asdict(proof), "kind": proof.kind}))
        elif wrong or proof.kind != "two solvers" or proof.crashed or proof.slow:
            notes = [
                f"expected {' '.join(proof.expected)}",
                f"agreed: {', '.join(proof.agreed) or 'no solver'}",
            ]
            notes += ["the evaluator accepts its model"] * proof.evaluated
            notes += [f"CONTRADICTED by {text}" for text in proof.contradicted]
            notes += [f"CRASHED {text}" for text in proof.crashed]
            notes += [f"slow: {text}" for text in proof.slow]
            print(f"{proof.name}: {proof.kind}; {'; '.join(notes)}")
    if not args.json:
        for kind, count in Counter(proof.kind for proof in found).most_common():
            print(f"{count:4} {kind}")
        print(f"{bad:4} not proved or contradicted")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
