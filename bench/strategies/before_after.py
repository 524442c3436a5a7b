"""Known bugs that mutants of two checkouts of falsum find again, by strategy.

KNOWN_BUGS has `bugs.tsv` with the triggers and seeds it names. OLD and NEW are the falsum programs of two
environments: each makes the same number of mutants of every seed, with the same random number and solvers.
All mutants are put to the solvers in one run, those of the two in turn, so that both meet the same load.
Prints the bugs that each finds, and the names of those that only one finds.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from bench.command import command_parser
from bench.known_bugs import Bug, lab_for, load, readable, shows

from falsum.solvers.lab import Lab
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME

SOLVERS = ("z3", "cvc5")
# A trigger may time out on a busy machine.
_TRIES = 3


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.strategies.before_after", __doc__)
    made.add_argument("known_bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument("old", type=Path, metavar="OLD", help="the falsum program of one environment")
    made.add_argument("new", type=Path, metavar="NEW", help="the falsum program of the other environment")
    made.add_argument("--count", type=int, default=30, metavar="N", help="mutants per seed (default 30)")
    made.add_argument("--rng", type=int, default=0, metavar="N", help="random number (default 0)")
    made.add_argument("--files", type=int, default=0, metavar="N", help="number of bugs (default: all)")
    made.add_argument("--strategy", action="append", metavar="S", help="strategy (default: all with seeds)")
    made.add_argument(
        "--seconds", type=float, default=1.0, metavar="S", help="limit of a solver call (default 1)"
    )
    return made


def main() -> None:
    given = parser().parse_args()
    zoo = Zoo()
    bugs = [bug for bug in load(given.known_bugs, zoo) if bug.seeds and all(map(readable, bug.seeds))]
    if given.files and given.files < len(bugs):
        bugs = [bugs[i * len(bugs) // given.files] for i in range(given.files)]
    names = given.strategy or [name for name, strategy in BY_NAME.items() if strategy.arity]
    programs = [path.absolute() for path in (given.old, given.new)]
    with lab_for(bugs, SOLVERS, zoo, given.seconds) as lab:
        bugs = [bug for bug in bugs if any(shows(bug, bug.trigger.text, lab) for _ in range(_TRIES))]
        sound = sum(bug.is_soundness for bug in bugs)
        print(f"{len(bugs)} bugs that show on their triggers, {sound} of them soundness bugs")
        print(f"{'strategy':10} {'old':>4} {'new':>4}   only old; only new", flush=True)
        for name in names:
            made = [mutants(program, name, bugs, given.count, given.rng) for program in programs]
            old, new = find(bugs, made, lab)
            only = [" ".join(sorted(some)) or "-" for some in (old - new, new - old)]
            print(f"{name:10} {len(old):4} {len(new):4}   {only[0]}; {only[1]}", flush=True)


def mutants(program: Path, strategy: str, bugs: Sequence[Bug], count: int, rng: int) -> dict[str, list[str]]:
    """The mutants that a program makes, by the name of the seed; those of a bug's seeds follow each other."""
    found: dict[str, list[str]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        seeds = []
        for seed in (seed for bug in bugs for seed in bug.seeds):
            seeds.append(str(Path(folder, f"{seed.name}.smt2")))
            Path(seeds[-1]).write_text(seed.text, encoding="utf-8")
        out = Path(folder, "mutants")
        command = [str(program), "mutate", *seeds, "--strategy", strategy, "--count", str(count)]
        command += [*(f"--solver={name}" for name in SOLVERS), "--rng", str(rng), "--out", str(out)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{program} {strategy}: {done.stderr.strip()}", file=sys.stderr)
        for file in sorted(out.glob("*.smt2")):
            found[file.stem.rpartition("-")[0]].append(file.read_text(encoding="utf-8"))
    return found


def find(bugs: Sequence[Bug], made: Sequence[Mapping[str, list[str]]], lab: Lab) -> list[set[str]]:
    """The names of the bugs that each collection of mutants shows."""
    found: list[set[str]] = [set() for _ in made]
    for bug in bugs:
        texts = [[text for seed in bug.seeds for text in some.get(seed.name, [])] for some in made]
        for turn in zip_longest(*texts):
            for side, text in enumerate(turn):
                if text is not None and bug.name not in found[side] and shows(bug, text, lab):
                    found[side].add(bug.name)
    return found


if __name__ == "__main__":
    main()
