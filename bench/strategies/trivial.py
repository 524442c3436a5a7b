"""Trivial mutants: the share of mutants claimed unsat that z3's simplifier alone proves false.

Takes seeds from CORPUS that solvers answer *unsat* and that the simplifier does not decide. A mutant counts
if it is claimed unsat at its last check, or if its reference is such a seed. The simplifier is asked with
`(check-sat-using simplify)` about what is asserted at the last check. Sparrow is also measured with each kind
of rule.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random

from bench.command import command_parser

from falsum.errors import FalsumError
from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.at_check import at_last_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME, Mutant, Seed, Strategy
from falsum.strategies.seeds import agreed_verdicts, count_checks
from falsum.strategies.sparrow import Sparrow

SIMPLIFIER = "z3"
STRATEGIES: dict[str, Strategy] = {
    "sparrow": BY_NAME["sparrow"],
    "sparrow pst": Sparrow(rules=("pst",)),
    "sparrow lpi": Sparrow(rules=("lpi",)),
    "fusion": BY_NAME["fusion"],
    "pivot": BY_NAME["pivot"],
    "rewrite": BY_NAME["rewrite"],
}


@dataclass(slots=True)
class Count:
    """Mutants claimed unsat, and those of them that the simplifier decides, with their lineages."""

    made: int = 0
    trivial: int = 0
    examples: list[Mutant] = field(default_factory=list)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.strategies.trivial", __doc__)
    made.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument("--strategy", action="append", metavar="NAME", help="row (default: all)")
    made.add_argument("--seeds", type=int, default=100, metavar="N", help="number of seeds (default 100)")
    made.add_argument("--count", type=int, default=20, metavar="N", help="mutants per seed (default 20)")
    made.add_argument(
        "--longest", type=int, default=3000, metavar="BYTES", help="longest seed (default 3,000)"
    )
    made.add_argument("--shortest", type=int, default=0, metavar="BYTES", help="shortest seed (default 0)")
    made.add_argument("--list", type=int, default=0, metavar="N", help="print N trivial mutants of each row")
    return made


def main() -> None:
    args = parser().parse_args()
    zoo = Zoo()
    with LiveLab([resolve(name, zoo) for name in ("z3", "cvc5")], Limits(seconds=1)) as lab:
        seeds = list(islice(unsat_seeds(args.corpus, args.shortest, args.longest, lab), args.seeds))
        logics = Counter(seed.script.logic for seed in seeds)
        print(f"{len(seeds)} unsat seeds of {len(logics)} logics")
        for name in args.strategy or STRATEGIES:
            count = measure(STRATEGIES[name], seeds, args.count, lab)
            share = 100 * count.trivial / max(count.made, 1)
            print(f"{name:12} {count.made:6} unsat mutants, {share:5.1f} % trivial", flush=True)
            for mutant in Random(1).sample(count.examples, min(args.list, len(count.examples))):
                print("\n".join(f"    {line}" for line in mutant.lineage))


def unsat_seeds(corpus: Path, shortest: int, longest: int, lab: LiveLab) -> Iterator[Seed]:
    """Seeds whose last check is unsat, but not for the simplifier, in an order that is always the same."""
    files = sorted(path for path in corpus.rglob("*.smt2") if shortest <= path.stat().st_size <= longest)
    Random(1).shuffle(files)
    for file in files:
        seed = Seed(file.name, file.read_bytes().decode(errors="replace"))
        try:
            checks = count_checks(seed.script)
            is_unsat = checks > 0 and agreed_verdicts(seed.text, checks, lab)[-1] is Verdict.UNSAT
            if is_unsat and not is_trivial(seed.script, lab):
                yield seed
        except FalsumError:
            continue


def is_trivial(script: Script, lab: LiveLab) -> bool:
    """Whether the simplifier proves the last check of a script unsat."""
    flat = at_last_check(script, keep_declarations=True)
    if flat is None:
        return False
    text = print_script(flat) + "(check-sat-using simplify)"
    return lab.ask(Request(SIMPLIFIER, text)).verdicts == (Verdict.UNSAT,)


def measure(strategy: Strategy, seeds: Sequence[Seed], count: int, lab: LiveLab) -> Count:
    total = Count()
    for place, seed in enumerate(seeds):
        given = [seeds[(place + step) % len(seeds)] for step in range(strategy.arity)]
        for mutant in islice(strategy.mutants(given, Random(place), lab), count):
            claimed = mutant.claim.verdicts[-1] if mutant.claim is not None else None
            if claimed is Verdict.UNSAT or (mutant.claim is None and mutant.reference is not None):
                total.made += 1
                if is_trivial(read_script(mutant.text, seed.name), lab):
                    total.trivial += 1
                    total.examples.append(mutant)
    return total


if __name__ == "__main__":
    main()
