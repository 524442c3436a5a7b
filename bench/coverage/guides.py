"""Edges of a solver built with AFL++ that campaigns reach in the same CPU time, by what guides them.

All guides run in turn for each trial, with the same seeds and random numbers. With `--cost`, what the map of
edges costs: the same mutants with the map and without it, in CPU time per mutant. PROGRAM is a solver built
with AFL++ (`bench.solvers.build … --afl`). Results are kept in DIRECTORY; the command continues where it
stopped. Writes a table of medians, with Mann-Whitney U (two-sided) and the effect size A12 against `none`.
Needs scipy (`pip install falsum[bench]`).
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from bench.campaign.fuzz_process import CODE, fuzz
from bench.command import command_parser
from bench.experiment import Experiment, Unit

from falsum.campaign.guides import COVERAGE, NONE, STATISTICS
from falsum.contest.statistics import effect_size, mann_whitney, p_text
from falsum.solvers.instruments.build import PLAIN_WORD, VARIABLE
from falsum.solvers.supervision import cpu_limit
from falsum.store.reader import StoreReader

GUIDES: Final = (COVERAGE, STATISTICS, NONE)
WITH, WITHOUT = "with the map", "without"
_ALWAYS: Final = ("-j", "1", "--no-triage", "--timeout", "2s")


def edges_reached(arguments: argparse.Namespace, unit: Unit) -> dict[str, Any]:
    """What a campaign of so much CPU time reaches."""
    given = [*arguments.seeds, "-s", unit["program"], "--guide", unit["guide"], "--rng", str(unit["trial"])]
    with tempfile.TemporaryDirectory() as folder:
        command = (sys.executable, "-c", CODE, "fuzz", *given, *_ALWAYS, "--out", "out")
        longest = 20 * unit["cpu"] + 120
        used = cpu_limit.run(command, unit["cpu"], Path(folder), elapsed=longest)
        with StoreReader(Path(folder, "out")) as store:
            campaign = store.campaign()
            assert campaign is not None
            edges = sum(record.new_edges for record in store.yields(campaign.id))
            mutants = sum(record.made for record in store.batches(campaign.id))
            return {"edges": edges, "mutants": mutants, "findings": store.finding_count(), "cpu": used}


def cost_per_mutant(arguments: argparse.Namespace, unit: Unit) -> dict[str, Any]:
    """The CPU time of the same mutants, with the map of edges or without it."""
    before = os.environ.pop(VARIABLE, None)
    if unit["side"] == WITHOUT:
        os.environ[VARIABLE] = PLAIN_WORD
    try:
        with tempfile.TemporaryDirectory() as folder:
            end = fuzz(
                str(Path(folder, "out")), *arguments.seeds, "-s", unit["program"], "--guide", NONE,
                "--schedule", "even", "--no-engines", "--count", str(unit["count"]),
                "--rng", str(unit["trial"]), *_ALWAYS,
            )  # fmt: skip
    finally:
        os.environ.pop(VARIABLE, None)
        if before is not None:
            os.environ[VARIABLE] = before
    return {"mutants": end["mutants"], "cpu": end["solver_cpu"] + end["own_cpu"]}


def compare_guides(arguments: argparse.Namespace) -> str:
    experiment = Experiment(arguments.directory, "guides")
    units = [
        {"program": str(arguments.program), "guide": guide, "trial": trial, "cpu": arguments.cpu}
        for trial in range(arguments.trials)
        for guide in GUIDES
    ]
    records = experiment.run(units, lambda unit: edges_reached(arguments, unit))
    reached = {guide: [r.result["edges"] for r in records if r.unit["guide"] == guide] for guide in GUIDES}
    rows = []
    for guide, edges in reached.items():
        own = [r.result for r in records if r.unit["guide"] == guide]
        p = None if guide == NONE else mann_whitney(edges, reached[NONE])[1]
        effect = "" if guide == NONE else f"{effect_size(reached[NONE], edges):.2f}"
        medians = [statistics.median(each[name] for each in own) for name in ("mutants", "findings")]
        rows.append([guide, len(edges), f"{statistics.median(edges):.0f}", *medians, p_text(p), effect])
    return experiment.write(
        f"Edges of {arguments.program.name} after {arguments.cpu:g} CPU seconds",
        ("guide", "trials", "edges", "mutants", "findings", "p", "A12"),
        rows,
    )


def compare_cost(arguments: argparse.Namespace) -> str:
    experiment = Experiment(arguments.directory, "map-cost")
    units = [
        {"program": str(arguments.program), "side": side, "trial": trial, "count": arguments.count}
        for trial in range(arguments.trials)
        for side in (WITH, WITHOUT)
    ]
    records = experiment.run(units, lambda unit: cost_per_mutant(arguments, unit))
    rows = []
    for side in (WITH, WITHOUT):
        each = [1000 * r.result["cpu"] / r.result["mutants"] for r in records if r.unit["side"] == side]
        rows.append([side, len(each), f"{statistics.median(each):.3f}"])
    return experiment.write(
        f"CPU time of {arguments.program.name} per mutant", ("side", "trials", "ms per mutant"), rows
    )


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.coverage.guides", __doc__)
    made.add_argument("program", type=Path, metavar="PROGRAM", help="solver built with AFL++")
    made.add_argument("directory", type=Path, metavar="DIRECTORY", help="where results are kept")
    made.add_argument("seeds", nargs="*", metavar="SEEDS", help="seeds (default: the bundled ones)")
    made.add_argument("--cpu", type=float, default=300.0, metavar="S", help="CPU seconds (default 300)")
    made.add_argument("--trials", type=int, default=5, metavar="N", help="trials of each (default 5)")
    made.add_argument("--cost", action="store_true", help="measure what the map costs")
    made.add_argument("--count", type=int, default=500, metavar="N", help="mutants with --cost (default 500)")
    return made


def main() -> None:
    arguments = parser().parse_args()
    arguments.program = arguments.program.absolute()
    arguments.seeds = [str(Path(seed).absolute()) for seed in arguments.seeds]
    print(compare_cost(arguments) if arguments.cost else compare_guides(arguments))


if __name__ == "__main__":
    main()
