"""The collection of hostile scripts on solvers: warm and cold, with the fence and without it.

The kernel reports whatever is made, opened or read in the folder that the scripts name. A script does harm if
that happens, if it makes a solver appear to say *unsat* or to crash (each is satisfiable), to print a model
that contradicts it, or if something of it that is judged is not sent.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from bench.command import command_parser
from tests.solvers.hostile import Trap, dropped, harm, scripts

from falsum.errors import SurroundingsError
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.supervision import fence
from falsum.solvers.zoo import Zoo

SOLVERS = [
    "z3", "cvc5", "bitwuzla", "yices", "boolector", "cvc4", "z3@4.8.7", "z3@4.8.12", "cvc5@1.1.0",
]  # fmt: skip
WAYS = [(mode, is_cold) for is_cold in (False, True) for mode in (fence.BEST, fence.OFF)]
LIMITS = Limits(seconds=5.0)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.solvers.hostile_scripts", __doc__)
    made.add_argument(
        "solvers", nargs="*", metavar="SOLVER", help=f"solvers to ask (default: {' '.join(SOLVERS)})"
    )
    made.add_argument("--every", type=int, default=1, metavar="N", help="every n-th script (default 1)")
    return made


def main() -> int:
    args = parser().parse_args()
    chosen = dict(list(scripts().items())[:: args.every])
    lost = [f"{name}: {what}" for name, text in chosen.items() if (what := dropped(text))]
    print(f"{len(chosen)} scripts, of {len(lost)} something is dropped", *lost, sep="\n", flush=True)
    harmful = len(lost)
    for name in args.solvers or SOLVERS:
        try:
            solver = resolve(name, Zoo())
        except SurroundingsError as error:
            print(f"{name}: not tried: {error}", flush=True)
            continue
        for mode, is_cold in WAYS:
            harmful += ask_all(solver, chosen, mode, is_cold=is_cold)
    print(f"{harmful} did harm")
    return 1 if harmful else 0


def ask_all(solver: Solver, chosen: dict[str, str], mode: str, *, is_cold: bool) -> int:
    """Ask about every script; how many did harm."""
    os.environ[fence.VARIABLE] = mode
    endings: Counter[str] = Counter()
    harmful = 0
    start = time.process_time()
    with tempfile.TemporaryDirectory() as folder, LiveLab([solver], LIMITS) as lab:
        trap = Trap(Path(folder))
        for name, text in chosen.items():
            answer = lab.ask(Request(solver.name, trap.names(text), cold=is_cold))
            endings["verdict" if answer.verdicts else str(answer.ending.kind)] += 1
            if what := harm(answer, trap):
                harmful += 1
                print(f"{solver.name}, {name}: {what}", flush=True)
        trap.close()
    told = ", ".join(f"{count} {kind}" for kind, count in endings.most_common())
    way = f"{'cold' if is_cold else 'warm'}, fence {mode}"
    print(f"{solver.name} {solver.version}, {way}: {harmful} did harm ({told}); "
          f"{time.process_time() - start:.0f} s of CPU time", flush=True)  # fmt: skip
    return harmful


if __name__ == "__main__":
    sys.exit(main())
