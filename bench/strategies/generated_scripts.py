"""Scripts of `generate` by logic, or of `enumerate` by theory: CPU time each, which solvers accept them,
verdicts.

A solver is asked if its profile lists the logic. Crashes and contradictions are printed in full.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from random import Random

from bench.command import command_parser

from falsum.errors import ScriptError
from falsum.smtlib import read_script
from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.enumerate import Enumerate, themes
from falsum.strategies.generate import LOGICS, Generate


def scripts(strategy: str, logics: list[str], count: int, number: int) -> Iterator[tuple[str, str, float]]:
    """The scripts, each with its logic or theory and the CPU seconds it took."""
    groups = logics or list(dict.fromkeys(LOGICS if strategy == "generate" else themes()))
    for group in groups:
        maker = Generate(logics=(group,)) if strategy == "generate" else Enumerate(theory=group)
        mutants = maker.mutants((), Random(f"{number}:{group}"), None)
        for _ in range(count):
            start = time.process_time()
            mutant = next(mutants, None)
            if mutant is None:
                break
            yield group, mutant.text, time.process_time() - start


def claims(solver: Solver, logic: str) -> bool:
    """Whether the solver's profile lists the logic; ALL counts only for solvers with strings."""
    return solver.profile.claims(logic) and (logic != "ALL" or "strings" in solver.profile.theories)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.strategies.generated_scripts", __doc__)
    made.add_argument(
        "--strategy", choices=("generate", "enumerate"), default="generate", help="default: generate"
    )
    made.add_argument(
        "--count", type=int, default=20, metavar="N", help="scripts per logic or theory (default 20)"
    )
    made.add_argument(
        "--logic", action="append", default=[], metavar="L", help="logic or theory (default: all)"
    )
    made.add_argument(
        "--solver", action="append", default=[], metavar="S", help="default: z3, cvc5 and bitwuzla"
    )
    made.add_argument(
        "--seconds", type=float, default=1.0, metavar="S", help="limit of a solver call (default 1)"
    )
    made.add_argument("--rng", type=int, default=1, metavar="N", help="random seed")
    made.add_argument("--show", type=int, default=0, metavar="N", help="rejected scripts to print per logic")
    return made


def main() -> None:
    options = parser().parse_args()
    solvers = [resolve(name, Zoo()) for name in options.solver or ("z3", "cvc5", "bitwuzla")]
    groups: dict[str, Counter[str]] = {}
    cpu, made, unreadable = 0.0, 0, 0
    with LiveLab(solvers, Limits(seconds=options.seconds)) as lab:
        for group, text, seconds in scripts(options.strategy, options.logic, options.count, options.rng):
            cpu, made = cpu + seconds, made + 1
            try:
                logic = read_script(text).logic
            except ScriptError as error:
                unreadable += 1
                print(f"unreadable: {error}\n{text}")
                continue
            counts = groups.setdefault(group, Counter())
            said = []
            for solver in solvers:
                if not claims(solver, logic):
                    continue
                answer = lab.ask(Request(solver.name, text))
                rejected = answer.ending.kind is EndingKind.REJECTED
                counts[f"{solver.name} asked"] += 1
                counts[f"{solver.name} rejected"] += rejected
                if rejected and counts[f"{solver.name} rejected"] <= options.show:
                    print(f"{solver.name}: {answer.ending}\n{text}")
                if answer.crashed:
                    print(f"{solver.name}: {answer.ending}\n{text}")
                said.append(tuple(map(str, answer.verdicts)))
            for verdicts in zip(*(words for words in said if words), strict=False):
                decided = sorted(set(verdicts) - {"unknown"})
                counts[" against ".join(decided) or "unknown"] += 1
                if len(decided) > 1:
                    print(f"{said}\n{text}")
            counts["no verdict"] += not any(said)
    report(groups, [solver.name for solver in solvers])
    print(f"{made} scripts, {cpu / max(made, 1) * 1000:.3f} ms CPU each, {unreadable} unreadable")


def report(groups: dict[str, Counter[str]], solvers: list[str]) -> None:
    total: Counter[str] = Counter()
    for group, counts in [*groups.items(), ("all", total)]:
        if counts is not total:
            total.update(counts)
        taken = []
        for solver in solvers:
            asked = counts[f"{solver} asked"]
            accepted = asked - counts[f"{solver} rejected"]
            taken.append(f"{solver} {accepted}/{asked}" if asked else f"{solver} -")
        words = ("sat", "unsat", "sat against unsat", "unknown", "no verdict")
        said = ", ".join(f"{word} {counts[word]}" for word in words if counts[word])
        print(f"{group:14}{'  '.join(f'{one:20}' for one in taken)}{said}")


if __name__ == "__main__":
    main()
