"""Are warm answers the same as cold ones, with models and cores? Every difference is shown.

Run as `python bench/solvers_warm_cold.py CORPUS [SOLVER] [EVERY]`; EVERY 10 takes each tenth script.
"""

from __future__ import annotations

import collections
import sys
from pathlib import Path

from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


def main() -> None:
    corpus = Path(sys.argv[1])
    name = sys.argv[2] if len(sys.argv) > 2 else "z3"
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    files = sorted(corpus.rglob("*.smt2"))[::every]
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
                # Is it the host, or is the solver not the same from run to run?
                again = lab.ask(Request(name, script, want, cold=True, again=True))
                steady = compare(cold, again) == "same"
                print(f"{file.relative_to(corpus)}: {compare(cold, warm)}, cold runs agree: {steady}")
                print(f"  cold {tell(cold)}\n  warm {tell(warm)}", flush=True)
    print(f"{name}: {len(files)} scripts, {dict(count)}")


def compare(one: Answer, other: Answer) -> str:
    limits = {EndingKind.TIMED_OUT, EndingKind.OUT_OF_MEMORY}
    if one.ending.kind in limits or other.ending.kind in limits:
        return "same" if one.ending.kind is other.ending.kind else "one timed out"
    if one.verdicts != other.verdicts or one.ending != other.ending:
        return "other verdicts or ending"
    if (one.model, one.core) != (other.model, other.core):
        return "other model or core"
    return "same"


def tell(answer: Answer) -> str:
    evidence = (answer.model or answer.core or "").replace("\n", " ")[:150]
    return f"{' '.join(answer.verdicts)} {answer.ending} {evidence}"


if __name__ == "__main__":
    main()
