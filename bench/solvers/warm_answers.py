"""Compares warm and cold answers, with models and cores, for the scripts of CORPUS; prints differences."""

from __future__ import annotations

import argparse
import collections
from pathlib import Path

from bench.command import command_parser

from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.solvers.warm_answers", __doc__)
    made.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument("solver", nargs="?", default="z3", metavar="SOLVER", help="solver (default z3)")
    made.add_argument(
        "every", type=int, nargs="?", default=1, metavar="EVERY", help="take every EVERYth script (default 1)"
    )
    return made


def main() -> None:
    args = parser().parse_args()
    corpus, name = args.corpus, args.solver
    files = sorted(corpus.rglob("*.smt2"))[:: args.every]
    count: collections.Counter[str] = collections.Counter()
    with LiveLab([resolve(name, Zoo())], Limits(seconds=1.0)) as lab:
        for file in files:
            script = file.read_text(errors="replace")
            verdict = lab.ask(Request(name, script)).verdict
            want = {"sat": Want.MODEL, "unsat": Want.CORE}.get(str(verdict), Want.VERDICT)
            cold = lab.ask(Request(name, script, want, cold=True))
            warm = lab.ask(Request(name, script, want))
            count[compare(cold, warm)] += 1
            if compare(cold, warm) not in {"same", "one timed out"}:
                # Distinguishes an effect of the host from a solver that is not deterministic.
                again = lab.ask(Request(name, script, want, cold=True, again=True))
                is_deterministic = compare(cold, again) == "same"
                print(
                    f"{file.relative_to(corpus)}: {compare(cold, warm)}, cold runs agree: {is_deterministic}"
                )
                print(f"  cold {summary(cold)}\n  warm {summary(warm)}", flush=True)
    print(f"{name}: {len(files)} scripts, {dict(count)}")


def compare(one: Answer, other: Answer) -> str:
    limits = {EndingKind.TIMED_OUT, EndingKind.OUT_OF_MEMORY}
    if one.ending.kind in limits or other.ending.kind in limits:
        return "same" if one.ending.kind is other.ending.kind else "one timed out"
    if one.verdicts != other.verdicts or one.ending != other.ending:
        return "different verdicts or ending"
    if (one.model, one.core) != (other.model, other.core):
        return "different model or core"
    return "same"


def summary(answer: Answer) -> str:
    evidence = (answer.model or answer.core or "").replace("\n", " ")[:150]
    return f"{' '.join(answer.verdicts)} {answer.ending} {evidence}"


if __name__ == "__main__":
    main()
