"""How few seeds show all behaviour of a solver that a collection shows: `falsum seeds minimise` in figures.

Behaviour is what the solver's statistics say, in buckets. As many seeds drawn at random are the comparison.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from random import Random
from statistics import fmean

from bench.command import command_parser

from falsum.campaign.corpus.seed_files import gather
from falsum.campaign.corpus.seeds import behaviour, described, fewest
from falsum.solvers.edge_watch import EdgeWatch
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.supervision.process import ProcessRunner
from falsum.solvers.zoo import Zoo

DRAWS = 200


def parser() -> argparse.ArgumentParser:
    parsed = command_parser("bench.campaign.fewest_seeds", __doc__)
    parsed.add_argument("seeds", nargs="*", metavar="SEEDS", help="seeds (default: the bundled ones)")
    parsed.add_argument("--solver", default="z3", metavar="S", help="the solver to ask (default z3)")
    parsed.add_argument("--timeout", type=float, default=2.0, metavar="S", help="time limit (default 2)")
    return parsed


def main() -> None:
    args = parser().parse_args()
    solver, limits = resolve(args.solver, Zoo()), Limits(seconds=args.timeout)
    usable = [seed for seed in described(gather(args.seeds).seeds) if not seed.unusable]
    with ProcessRunner() as runner, closing(EdgeWatch(runner)) as edges:
        shown = {seed.file.name: behaviour(solver, seed.text, limits, runner, edges) for seed in usable}
    lengths = {seed.file.name: len(seed.text) for seed in usable}
    chosen = fewest(shown, lengths)
    features = frozenset().union(*shown.values())
    rng = Random(1)
    drawn = [rng.sample(sorted(shown), len(chosen)) for _ in range(DRAWS)]
    share = fmean(len(frozenset().union(*(shown[name] for name in some))) for some in drawn) / len(features)
    kept = frozenset().union(*(shown[name] for name in chosen))
    print(f"{len(shown)} seeds, {sum(lengths.values())} bytes, show {len(features)} kinds of behaviour")
    print(
        f"{len(chosen)} of them ({len(chosen) / len(shown):.0%}) show {len(kept)}"
        f"; as many drawn at random show {share:.0%}"
    )


if __name__ == "__main__":
    main()
