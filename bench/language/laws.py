"""Checks every law of the operators: by samples under falsum's evaluator, and by proofs of z3, cvc5 and
bitwuzla.

A law is *decided* by a solver that answers unsat to its negation at every instance it was asked. Laws that
fewer than two solvers decide are also evaluated at every point of a small grid.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench.command import command_parser
from tests.smtlib.laws.declarations import EVERY_LAW
from tests.smtlib.laws.proving import SOLVERS, ask, scripts
from tests.smtlib.laws.sampling_laws import Verdict, check, exhaust
from tests.smtlib.laws.undecided import WRONG

from falsum.smtlib.laws import Law, LawInstance, instances
from falsum.smtlib.sorts import BOOL, INT, Sort, bitvec

_MAX_INSTANCES = 6


class Report(NamedTuple):
    law: Law
    sampled: Verdict
    # The worst answer of each solver over the instances.
    answers: dict[str, str]
    grid: Verdict | None

    @property
    def provers(self) -> list[str]:
        return [solver for solver, said in self.answers.items() if said == "unsat"]


# Bitwuzla's wheel has only the named formats; cvc5 1.4.2 is wrong for (2, 3) and fails for (3, 4).
_FORMATS = {"z3": ((2, 3), (3, 5)), "cvc5": ((3, 5),), "bitwuzla": ((5, 11),)}


def instances_for(solver: str, law: Law) -> list[LawInstance]:
    """Instances of different sizes; Bitwuzla has no integers."""
    elements: tuple[Sort, ...] = (
        (bitvec(2), BOOL, bitvec(3)) if solver == "bitwuzla" else (INT, BOOL, bitvec(2))
    )
    found = list(instances(law, elements=elements, sizes={"FloatingPoint": _FORMATS[solver]}))
    return found[:: max(1, -(-len(found) // _MAX_INSTANCES))]


def prove(solver: str, laws: list[Law], milliseconds: int) -> dict[str, str]:
    """The worst answer for each law: sat, then an error, then unknown, then unsat."""
    questions = [
        (law, scripts(one, choice))
        for law in laws
        for one in instances_for(solver, law)
        for choice in (range(2) if any(sort.name == "RegLan" for _, sort in law.binders) else range(1))
    ]
    said = ask(solver, [text for _, text in questions], milliseconds)
    worst: dict[str, str] = {}
    for (law, _), answer in zip(questions, said, strict=True):
        worst[law.name] = min(worst.get(law.name, answer), answer, key=_badness)
    return worst


def _badness(answer: str) -> tuple[int, str]:
    order = {"sat": 0, "unknown": 2, "unsat": 3}
    return order.get(answer.split(maxsplit=1)[0], 1), answer


def reports(laws: list[Law], samples: int, milliseconds: int, solvers: tuple[str, ...]) -> list[Report]:
    answers: dict[str, dict[str, str]] = {}
    for solver in solvers:
        began = time.monotonic()
        answers[solver] = prove(solver, laws, milliseconds)
        print(f"{solver}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    out = []
    for number, law in enumerate(laws):
        if number % 100 == 0:
            print(f"{number} of {len(laws)} laws evaluated", file=sys.stderr)
        sampled = check(law, samples, Random(law.name))
        said = {solver: answers[solver][law.name] for solver in solvers}
        proofs = sum(answer == "unsat" for answer in said.values())
        grid = exhaust(law) if solvers and proofs < 2 else None
        out.append(Report(law, sampled, said, grid))
    return out


def show(found: list[Report], solvers: tuple[str, ...]) -> int:
    """Print the figures; returns the number of contradicted laws."""
    print(f"{'theory':20} {'laws':>5} " + " ".join(f"{s:>9}" for s in solvers) + "   by 2+  by 1  by 0")
    for theory in dict.fromkeys(r.law.theory for r in found):
        part = [r for r in found if r.law.theory == theory]
        by = [sum(solver in r.provers for r in part) for solver in solvers]
        counts = Counter(min(2, len(r.provers)) for r in part)
        print(
            f"{theory:20} {len(part):5} " + " ".join(f"{n:9}" for n in by),
            f"  {counts[2]:5} {counts[1]:5} {counts[0]:5}",
        )
    samples = sum(r.sampled.held + r.sampled.unsaid for r in found)
    unsaid = Counter(r.law.name for r in found for _ in range(r.sampled.unsaid))
    print(f"\n{samples} samples; cannot say: {sum(unsaid.values())} {unsaid.most_common(5)}")
    for report in found:
        if report.answers and len(report.provers) < 2:
            said = ", ".join(f"{s}: {a[:70]!r}" for s, a in report.answers.items() if a != "unsat")
            points = report.grid.held if report.grid else 0
            print(f"  {report.law.name}: {' '.join(report.provers) or 'no solver'}; {said}; grid of {points}")
    broken = [r for r in found if r.sampled.broken or _denied(r) or (r.grid and r.grid.broken)]
    for report in broken:
        print(f"CONTRADICTED {report.law}: {report.sampled.broken or report.answers} {report.grid}")
    print(f"{len(broken)} laws contradicted")
    return len(broken)


def _denied(report: Report) -> bool:
    """Whether a solver refutes the law, unless the solver is known to be wrong."""
    return any(
        said == "sat" and (solver, report.law.name) not in WRONG for solver, said in report.answers.items()
    )


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.language.laws", __doc__)
    made.add_argument(
        "--samples", type=int, default=10_000, metavar="N", help="samples per law (default 10,000)"
    )
    made.add_argument(
        "--seconds", type=float, default=3.0, metavar="S", help="limit of a solver call (default 3)"
    )
    made.add_argument("--theory", default="", metavar="T", help="only laws of this theory")
    made.add_argument("--law", action="append", metavar="NAME", help="only laws whose name starts like this")
    made.add_argument("--no-solvers", action="store_true", help="only evaluate")
    made.add_argument("--json", type=Path, metavar="FILE", help="write the figures of each law to FILE")
    return made


def main() -> None:
    args = parser().parse_args()
    starts = tuple(args.law or [""])
    laws = [law for law in EVERY_LAW if args.theory in ("", law.theory) and law.name.startswith(starts)]
    solvers = () if args.no_solvers else SOLVERS
    found = reports(laws, args.samples, int(args.seconds * 1000), solvers)
    if args.json:
        rows = [{"law": r.law.name, "sampled": r.sampled._asdict(), "answers": r.answers} for r in found]
        args.json.write_text("\n".join(map(json.dumps, rows)) + "\n")
    sys.exit(1 if show(found, solvers) else 0)


if __name__ == "__main__":
    main()
