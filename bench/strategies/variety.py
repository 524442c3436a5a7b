"""How different the mutants of a strategy are: distinct ones, places that change, and the new texts there.

Seeds come from CORPUS, some of each logic; the mutants of a seed are made in one go, as in one long visit. A
place is one of a term in the prepared seed; it counts as changed if the lineage of a mutant that is made from
the seed directly names it. Of the texts that replace others, those that are zero or empty are counted. For
valfuzz, mutants are also counted by kind: scripts to be solved (φ^test), those with other constants (φ^sub).
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from bench.command import command_parser
from bench.strategies.mutants import readable_seeds

from falsum.smtlib.printing.layout import Layout
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME, Mutant, Seed
from falsum.strategies.compose import find_strategy
from falsum.strategies.seeds import prepare

SOLVERS: Final = ("z3", "cvc5")
EDIT: Final = re.compile(r"\w+ (\d+): (.*) -> (.*)")
EMPTY: Final = re.compile(
    r'0|0\.0|""|#b0+|#x0+|\(_ bv0 \d+\)|\(_ \+zero \d+ \d+\)|\(as (set|seq|bag)\.empty .*\)'
)


@dataclass
class Variety:
    """Counts for the seeds of a logic."""

    seeds: int = 0
    mutants: int = 0
    distinct: int = 0
    places: int = 0
    changed: int = 0
    texts: Counter[bool] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.strategies.variety", __doc__)
    made.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument("strategy", metavar="STRATEGY", help="a strategy, perhaps with settings")
    made.add_argument("--logic", action="append", metavar="L", help="logic (default: all)")
    made.add_argument("--seeds", type=int, default=3, metavar="N", help="seeds of each logic (default 3)")
    made.add_argument("--count", type=int, default=300, metavar="N", help="mutants of a seed (default 300)")
    made.add_argument(
        "--longest", type=int, default=2000, metavar="BYTES", help="longest seed (default 2,000)"
    )
    made.add_argument("--rng", type=int, default=1, metavar="N", help="random number (default 1)")
    return made


def main() -> None:
    args = parser().parse_args()
    strategy = find_strategy(args.strategy, BY_NAME)
    by_logic: dict[str, list[Seed]] = defaultdict(list)
    for seed in readable_seeds(args.corpus, 1 << 20, args.longest):
        logic = seed.script.logic
        if (not args.logic or logic in args.logic) and len(by_logic[logic]) < args.seeds:
            by_logic[logic].append(seed)
        if args.logic and all(len(by_logic[one]) >= args.seeds for one in args.logic):
            break
    whole = Variety()
    with LiveLab([resolve(name, Zoo()) for name in SOLVERS], Limits(seconds=30, cpu=1)) as lab:
        for logic, seeds in sorted(by_logic.items()):
            found = Variety()
            for seed in seeds:
                mutants = strategy.mutants([seed], Random(args.rng), lab)
                add(found, seed, list(islice(mutants, args.count)))
            print(f"{logic or 'no logic':14} {line(found)}", flush=True)
            for name in ("seeds", "mutants", "distinct", "places", "changed"):
                setattr(whole, name, getattr(whole, name) + getattr(found, name))
            whole.texts += found.texts
            whole.kinds += found.kinds
    print(f"{'all':14} {line(whole)}")
    empty = whole.texts[True] / max(1, whole.texts.total())
    print(f"{whole.texts.total()} new texts, {empty:.0%} of them zero or empty; {dict(whole.kinds)}")


def add(found: Variety, seed: Seed, mutants: Sequence[Mutant]) -> None:
    script = prepare(seed.script)
    changed = set()
    for mutant in mutants:
        edits = [match for row in mutant.lineage if (match := EDIT.fullmatch(row))]
        found.texts.update(bool(EMPTY.fullmatch(edit[3])) for edit in edits)
        if len(edits) == 1:
            changed.add(edits[0][1])
        found.kinds[kind(mutant)] += 1
    found.seeds += 1
    found.mutants += len(mutants)
    found.distinct += len({mutant.text for mutant in mutants})
    found.places += len(Layout.of(script).places) if script is not None else 0
    found.changed += len(changed)


def kind(mutant: Mutant) -> str:
    first = mutant.lineage[0]
    what = "to be solved" if "to be solved" in first or "the skeleton" in first else "changed"
    return what if mutant.claim is None else f"{what}, claimed"


def line(found: Variety) -> str:
    return (
        f"{found.seeds:3} seeds, {found.distinct:5} distinct of {found.mutants:5} mutants, "
        f"{found.changed:5} of {found.places:5} places changed"
    )


if __name__ == "__main__":
    main()
