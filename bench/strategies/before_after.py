"""Known bugs that mutants of two checkouts of falsum find again, by strategy.

KNOWN_BUGS has `bugs.tsv` with the triggers and seeds it names. OLD and NEW are the falsum programs of two
environments: in each run both make the same number of mutants of every seed, with the same random number and
solvers. All mutants are put to the solvers one by one, those of the two in turn; which of them begins
alternates from bug to bug, so that neither meets another load or warmer solvers.

Prints for both the bugs that a run finds on average, those that any run finds, and the mutants that show
their bug; then the bugs that OLD finds in more runs than NEW, those that NEW does, and the probability that
chance alone gives a division as uneven as this (two-sided sign test). `--each` prints the runs and mutants
that find each bug.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from bench.command import command_parser
from bench.known_bugs import Bug, lab_for, load, readable, shows
from bench.significance import sign_test

from falsum.solvers.lab import Lab
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME

SOLVERS = ("z3", "cvc5")
# A trigger may time out on a busy machine.
_TRIES = 3


@dataclass
class Found:
    """What the mutants of one side find of one bug."""

    made: int = 0
    shown: int = 0
    runs: int = 0


# The mutants of one run, by the name of the seed.
Made = Mapping[str, list[str]]


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.strategies.before_after", __doc__)
    made.add_argument("known_bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument("old", type=Path, metavar="OLD", help="the falsum program of one environment")
    made.add_argument("new", type=Path, metavar="NEW", help="the falsum program of the other environment")
    made.add_argument(
        "--count", type=int, default=30, metavar="N", help="mutants per seed and run (default 30)"
    )
    made.add_argument(
        "--rng", type=int, default=0, metavar="N", help="random number of the first run (default 0)"
    )
    made.add_argument(
        "--runs", type=int, default=1, metavar="N", help="runs with one number each (default 1)"
    )
    made.add_argument("--files", type=int, default=0, metavar="N", help="number of bugs (default: all)")
    made.add_argument("--strategy", action="append", metavar="S", help="strategy (default: all with seeds)")
    made.add_argument("--each", action="store_true", help="print the figures of each bug")
    made.add_argument(
        "--seconds", type=float, default=1.0, metavar="S", help="limit of a solver call (default 1)"
    )
    return made


def main() -> None:
    args = parser().parse_args()
    zoo = Zoo()
    bugs = [bug for bug in load(args.known_bugs, zoo) if bug.seeds and all(map(readable, bug.seeds))]
    if args.files and args.files < len(bugs):
        bugs = [bugs[i * len(bugs) // args.files] for i in range(args.files)]
    names = args.strategy or [name for name, strategy in BY_NAME.items() if strategy.arity]
    programs = [path.absolute() for path in (args.old, args.new)]
    numbers = range(args.rng, args.rng + args.runs)
    with lab_for(bugs, SOLVERS, zoo, args.seconds) as lab:
        bugs = [bug for bug in bugs if any(shows(bug, bug.trigger.text, lab) for _ in range(_TRIES))]
        sound = sum(bug.is_soundness for bug in bugs)
        print(f"{len(bugs)} bugs that show on their triggers, {sound} of them soundness bugs")
        print(f"{'strategy':10} {'':4} {'per run':>8} {'any run':>8} {'shown':>6} {'of':>6}", flush=True)
        for name in names:
            made = [[mutants(one, name, bugs, args.count, n) for n in numbers] for one in programs]
            found = {bug.name: find(bug, made, number % 2, lab) for number, bug in enumerate(bugs)}
            print(report(name, found, args.runs, each=args.each), flush=True)


def mutants(program: Path, strategy: str, bugs: Sequence[Bug], count: int, rng: int) -> Made:
    """The mutants that a program makes, by the name of the seed; those of a bug's seeds follow each other."""
    names: dict[str, list[str]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        seeds = []
        for seed in (seed for bug in bugs for seed in bug.seeds):
            seeds.append(str(Path(folder, f"{seed.name}.smt2")))
            Path(seeds[-1]).write_text(seed.text, encoding="utf-8")
        out = Path(folder, "mutants")
        command = [str(program), "mutate", *seeds, "--strategy", strategy, "--count", str(count)]
        command += [*(f"--solver={name}" for name in SOLVERS), "--rng", str(rng), "--out", str(out)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            print(f"{program} {strategy}: {result.stderr.strip()}", file=sys.stderr)
        for file in sorted(out.glob("*.smt2")):
            names[file.stem.rpartition("-")[0]].append(file.read_text(encoding="utf-8"))
    return names


def find(bug: Bug, made: Sequence[Sequence[Made]], first: int, lab: Lab) -> list[Found]:
    """What each side's mutants find of a bug; side `first` begins."""
    found = [Found() for _ in made]
    sides = (first, 1 - first)
    for runs in zip(*made, strict=True):
        texts = [[text for seed in bug.seeds for text in run.get(seed.name, [])] for run in runs]
        before = [one.shown for one in found]
        for turn in zip_longest(*texts):
            for side in sides:
                if (text := turn[side]) is not None:
                    found[side].made += 1
                    found[side].shown += shows(bug, text, lab)
        for one, earlier in zip(found, before, strict=True):
            one.runs += one.shown > earlier
    return found


def report(strategy: str, found: Mapping[str, Sequence[Found]], runs: int, *, each: bool) -> str:
    lines = []
    for number, side in enumerate(("old", "new")):
        mine = [sides[number] for sides in found.values()]
        per_run = sum(one.runs for one in mine) / runs
        lines.append(
            f"{strategy:10} {side:4} {per_run:8.1f} {sum(one.runs > 0 for one in mine):8} "
            f"{sum(one.shown for one in mine):6} {sum(one.made for one in mine):6}"
        )
    better = [
        [name for name, (a, b) in found.items() if (b, a)[side].runs < (a, b)[side].runs] for side in (0, 1)
    ]
    for side, names in zip(("OLD", "NEW"), better, strict=True):
        lines.append(f"{'':10} more often by {side}: {len(names):3}  {' '.join(sorted(names)) or '-'}")
    lines.append(f"{'':10} sign test: p = {sign_test(*map(len, better)):.2g}")
    for name, sides in sorted(found.items()) if each else ():
        if any(side.runs for side in sides):
            shown = "   ".join(f"{side.runs:3} runs {side.shown:4} of {side.made:4}" for side in sides)
            lines.append(f"{'':10} {name:24} {shown}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
