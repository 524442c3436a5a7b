"""What it costs and changes that solvers get what falsum understood instead of the text of a script.

Puts a sample of CORPUS to solvers both ways, in fresh processes, and lists every verdict that differs. Then
runs batches of mutants of bundled seeds, and gives the share of all CPU time that making the input takes.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random

from bench.command import command_parser
from bench.language.acceptance import scripts

from falsum.campaign.corpus.seed_files import digest_of
from falsum.campaign.fuzz import runner
from falsum.campaign.fuzz.batch import Batch, BatchSeed
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.worker_state import WorkerState
from falsum.campaign.search.schedule import EVEN, Slot
from falsum.campaign.search.time_rules import BatchBudget
from falsum.seeds import bundled
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.inputs import solver_input
from falsum.solvers.inputs.safe_script import SafeScript, safe_script
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.profiles.option_list import OptionList
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME

SOLVERS = ("z3", "cvc5")
UNDECIDED = frozenset({EndingKind.TIMED_OUT, EndingKind.OUT_OF_MEMORY})


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.solvers.safe_input", __doc__)
    made.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument("--sample", type=int, default=200, metavar="N", help="scripts (default 200)")
    made.add_argument("--batches", type=int, default=60, metavar="N", help="batches (default 60)")
    made.add_argument("--seconds", type=float, default=5.0, metavar="S", help="limit per script (default 5)")
    made.add_argument("--rng", type=int, default=1, metavar="N", help="random seed")
    return made


def main() -> int:
    args = parser().parse_args()
    files = sorted(scripts(args.corpus))
    chosen = Random(args.rng).sample(files, min(args.sample, len(files)))
    print(f"{cost(args.batches, args.rng):.2%} of the CPU time of a campaign is spent on making safe input")
    return 1 if differences(chosen, args.seconds) else 0


def cost(batches: int, rng: int) -> float:
    """The share of CPU time, falsum's and the solvers', that `safe_script` takes in batches."""
    spent = [0.0]

    def timed(script: str, options: OptionList) -> SafeScript:
        start = time.process_time()
        made = safe_script(script, options)
        spent[0] += time.process_time() - start
        return made

    drawn = Random(rng)
    names = [name for name, strategy in BY_NAME.items() if strategy.arity <= 1]
    plan = FuzzPlan(
        seeds=(),
        solvers=SOLVERS,
        strategies=(),
        rng=rng,
        timeout=5.0,
        memory=2048,
        count=20,
        schedule=EVEN,
        engines=False,
    )
    total = 0.0
    setattr(solver_input, "safe_script", timed)  # noqa: B010 - imported there for its own use
    try:
        with WorkerState.of(plan) as state:
            for number in range(batches):
                seed = drawn.choice(bundled())
                text = seed.read_text(encoding="utf-8")
                given = BatchSeed(seed.name, digest_of(text), text)
                slot = Slot(number, names[number % len(names)], (), f"{rng}:{number}")
                batch = Batch(plan, slot, (given,), BatchBudget(20, 10.0))
                tally = runner.run(batch, state).record.tally
                total += tally["own_cpu"] + tally["solver_cpu"]
    finally:
        setattr(solver_input, "safe_script", safe_script)  # noqa: B010
    return spent[0] / total if total else 0.0


def differences(files: list[Path], seconds: float) -> int:
    """Ask about every file both ways; how many verdicts differ."""
    found = same = undecided = refused = 0
    limits = Limits(seconds=seconds)
    solvers = [resolve(name, Zoo()) for name in SOLVERS]
    with LiveLab(solvers, limits) as lab:
        for file in files:
            text = file.read_text(encoding="utf-8", errors="surrogateescape")
            for solver in solvers:
                safe = lab.ask(Request(solver.name, text, cold=True))
                raw = lab.ask_raw(solver.name, text)
                if safe.ending.kind in UNDECIDED or raw.ending.kind in UNDECIDED:
                    undecided += 1
                elif raw.is_silent and safe.is_silent:
                    refused += 1
                elif safe.verdicts == raw.verdicts:
                    same += 1
                else:
                    found += 1
                    print(f"{file} {solver.name}: {said(raw)} as it is, {said(safe)} as falsum sends it")
                    print(f"    {'; '.join(solver.prepare(text).changes)}", flush=True)
    print(
        f"{len(files)} scripts: {same} verdicts the same, {found} different; "
        f"{undecided} not in time, {refused} none"
    )
    return found


def said(answer: Answer) -> str:
    return " ".join(map(str, answer.verdicts)) or str(answer.ending)


if __name__ == "__main__":
    sys.exit(main())
