"""The judge on scripts on which all solvers are right: whether it ever blames one.

SCRIPTS are directories or files. Of those that at least two solvers decide and on which nobody contradicts
anybody, every solver in turn is the suspect of a finding that is not one, about a verdict, a model, a core
and a crash. Whoever is blamed is printed; exit code 1 if anybody is.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

from bench.command import command_parser

from falsum.defects.evidence.judgement import Defect
from falsum.defects.judge import judge
from falsum.defects.table import kind_named
from falsum.smtlib.text.lexer import decode
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

_SOLVERS = ("z3", "cvc5", "bitwuzla", "yices")
_ABOUT = (
    None,
    kind_named(Defect.REFUTATION_UNSOUNDNESS),
    kind_named(Defect.INVALID_MODEL),
    kind_named(Defect.WRONG_CORE),
    kind_named(Defect.CRASH),
)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.triage.right_answers", __doc__)
    made.add_argument(
        "scripts", type=Path, nargs="+", metavar="SCRIPTS", help="scripts, or directories of them"
    )
    made.add_argument("--count", type=int, default=1000, metavar="N", help="scripts to judge (default 1000)")
    made.add_argument("--solver", action="append", metavar="S", help=f"default: {' '.join(_SOLVERS)}")
    made.add_argument("--timeout", type=float, default=2.0, metavar="S", help="limit of a call (default 2)")
    made.add_argument("--rng", type=int, default=1, metavar="N", help="order of the scripts (default 1)")
    return made


def files(given: list[Path], rng: int) -> list[Path]:
    found = [file for path in given for file in (sorted(path.rglob("*.smt2")) if path.is_dir() else [path])]
    Random(rng).shuffle(found)
    return found


def agrees(text: str, lab: LiveLab) -> bool:
    """Whether two solvers decide the script, nobody crashes, and nobody contradicts anybody."""
    answers = [lab.ask(Request(solver, text, cold=True)) for solver in lab.solvers]
    deciding = [answer for answer in answers if answer.finished and any(v.decided for v in answer.verdicts)]
    if len(deciding) < 2 or any(answer.crashed for answer in answers):
        return False
    checks = max(len(answer.verdicts) for answer in answers)
    rows = [{a.verdicts[n] for a in answers if n < len(a.verdicts)} for n in range(checks)]
    return not any({Verdict.SAT, Verdict.UNSAT} <= row for row in rows)


def main() -> None:
    args = parser().parse_args()
    zoo = Zoo()
    solvers = [resolve(name, zoo) for name in args.solver or _SOLVERS]
    counts: Counter[str] = Counter()
    start = time.monotonic()
    for file in files(args.scripts, args.rng):
        if counts["scripts"] >= args.count:
            break
        text = decode(file.read_bytes())
        with LiveLab(solvers, Limits(seconds=args.timeout)) as lab:
            if not agrees(text, lab):
                counts["left out"] += 1
                continue
            counts["scripts"] += 1
            for suspect in lab.solvers:
                for about in _ABOUT:
                    judgement = judge(text, (suspect,), lab.solvers, lab, about=about)
                    counts["judgements"] += 1
                    if judgement.suspects:
                        counts["blamed"] += 1
                        print(f"{file.name}: {about or 'anything'}: {judgement}", flush=True)
    print(
        f"{counts['scripts']} scripts, {counts['judgements']} judgements, {counts['blamed']} blame a solver; "
        f"{counts['left out']} scripts left out; {time.monotonic() - start:.0f} s"
    )
    sys.exit(bool(counts["blamed"]))


if __name__ == "__main__":
    main()
