"""The experiments of STORM (Mansur et al., ESEC/FSE 2020): RQ2 to RQ5.

`rq2`: known refutation soundness bugs found again. Its seeds are those of `--corpus`, as in the paper; a
release and the one with the fix then count once, since bugs that they share cannot be told apart. Without a
corpus they are the seeds of each bug: its trigger with other tokens, which is harder, since storm changes no
token of an atom. `rq3`: instances and CPU seconds to each bug that rq2 found, by the bounds on depth and on
assertions. `rq4`: the instances that rq3 found with the default bounds, reduced by falsum (and by ddSMT with
`--ddsmt`); all three need `--known-bugs`. `rq5`: code of a solver that the instances reach (`--program`,
`--build`, `--corpus`; see `bench.coverage.solver_code`). RQ1, new bugs, is a campaign:
`falsum fuzz -t storm`. Results are kept in DIRECTORY; an interrupted run continues.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from bench import charts
from bench.command import command_parser
from bench.coverage.solver_code import SEEDS, compare, comparison_of
from bench.experiment import Experiment, Record, Unit
from bench.known_bugs import MOST_LOAD, Bug
from bench.papers.hunts import CPU_SECONDS, hunt, hunt_all, hunting_lab, known_bugs
from bench.reduction.reducers import with_ddsmt, with_falsum
from bench.reduction.script_growth import same_of
from bench.strategies.mutants import readable_seeds
from bench.triage.bisection import read_bugs

from falsum.solvers.limits import Limits
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME, Seed, find_strategy

KINDS = ("refutation-soundness",)
LONGEST = 5000
BOUNDS = (4, 8, 16, 32, 64)
SMALL_BOUNDS = (8, 64)
DEFAULT = 64


class Setup:
    """The size of the experiments."""

    def __init__(self, directory: Path, bugs: Path, corpus: Path | None, *, small: bool) -> None:
        self.directory, self.home = directory, bugs
        self.bugs = known_bugs(bugs, directory, 0, KINDS)
        self.bounds = SMALL_BOUNDS if small else BOUNDS
        self.runs, self.iterations, self.cpu = (2, 40, 30.0) if small else (8, 1000, 3600.0)
        self.seeds, self.rq2_runs, self.rq2_cpu = "seeds of each bug", self.runs, 0.0
        if corpus is not None:
            # Most scripts of a corpus show nothing: many seeds say more than many instances of hard ones.
            count, self.iterations = (100, 10) if small else (2000, 100)
            self.rq2_runs, self.rq2_cpu = (1, 3.0) if small else (self.runs, 60.0)
            self.bugs = _by_release(self.bugs, _corpus_seeds(corpus, count))
            self.seeds = f"{count} scripts of a corpus"
        self.by_name = {bug.name: bug for bug in self.bugs}


def _corpus_seeds(corpus: Path, count: int) -> tuple[Seed, ...]:
    found = readable_seeds(corpus, count, LONGEST)
    return tuple(Seed(str(Path(seed.name).relative_to(corpus)), seed.text) for seed in found)


def _by_release(bugs: Sequence[Bug], seeds: tuple[Seed, ...]) -> list[Bug]:
    """For each release with bugs, and the one with the fix, the first of their bugs, with other seeds."""
    first: dict[tuple[str, str], Bug] = {}
    for bug in bugs:
        first.setdefault((bug.buggy, bug.fixed), bug)
    return [replace(bug, seeds=seeds) for bug in first.values()]


def rq2(setup: Setup) -> list[Record]:
    units = [{"bug": bug.name, "run": run, "iterations": setup.iterations, "seeds": setup.seeds}
             for bug in setup.bugs for run in range(setup.rq2_runs)]  # fmt: skip
    experiment = Experiment(setup.directory, "storm-rq2")
    storm = find_strategy("storm", BY_NAME)
    with hunting_lab(setup.bugs) as lab:
        records = experiment.run(
            units,
            lambda unit: hunt_all(
                storm, setup.by_name[unit["bug"]], lab, unit["iterations"], unit["run"], cpu=setup.rq2_cpu
            ),
        )
    rows = []
    for bug in setup.bugs:
        mine = [one.result for one in records if one.unit["bug"] == bug.name]
        found = [one for one in mine if one["found"]]
        tested = f"{statistics.median(one['tested'] for one in found):.0f}" if found else "–"
        rows.append([bug.name, bug.theories, bug.buggy, bug.fixed, f"{len(found)} of {len(mine)}", tested])
    count = sum(not row[4].startswith("0") for row in rows)
    print(
        experiment.write(
            "STORM, RQ2: known refutation soundness bugs",
            ("bug", "theories", "release", "fixed in", "runs that find it", "instances (median)"),
            rows,
            note=f"{count} of {len(rows)} bugs found; {setup.seeds}, {setup.iterations} instances of a seed, "
            f"{setup.rq2_runs} runs.",
        )
    )
    return records


def rq3(setup: Setup) -> list[Record]:
    """As in the paper, on a seed of each bug from which RQ2 found it, with other random numbers."""

    def measured(unit: Unit) -> dict[str, Any]:
        bug = setup.by_name[unit["bug"]]
        storm = find_strategy(f"storm:depth={unit['depth']},assertions={unit['assertions']}", BY_NAME)
        rng = Random(f"{unit['run']}:{bug.name}")
        seed = next(one for one in bug.seeds if one.name == unit["seed"])
        return hunt(storm, bug, seed, lab, setup.iterations, rng, setup.cpu)

    seeds = {one.unit["bug"]: one.result["seed"] for one in reversed(rq2(setup)) if one.result["found"]}
    units = [
        {"bug": bug, "seed": seed, "run": run, "depth": depth, "assertions": assertions}
        for bug, seed in sorted(seeds.items())
        for depth, assertions in product(setup.bounds, setup.bounds)
        for run in range(setup.runs)
    ]
    experiment = Experiment(setup.directory, "storm-rq3")
    with hunting_lab(setup.bugs) as lab:
        records = experiment.run(units, measured)
    rows, series = [], {}  # type: list[list[object]], dict[str, list[tuple[float, float]]]
    for depth, assertions in product(setup.bounds, setup.bounds):
        mine = [one.result for one in records
                if (one.unit["depth"], one.unit["assertions"]) == (depth, assertions)]  # fmt: skip
        found = [one for one in mine if one["found"]]
        medians = [f"{statistics.median(one[name] for one in found):.3g}" if found else "–"
                   for name in ("tested", "cpu")]  # fmt: skip
        rows.append([depth, assertions, f"{len(found)} of {len(mine)}", *medians])
        series.setdefault(f"depth {depth}", []).append((assertions, len(found)))
    print(
        experiment.write(
            "STORM, RQ3: bounds",
            ("depth", "assertions", "runs that find the bug", "instances (median)", "CPU s (median)"),
            rows,
            note=f"{len(seeds)} bugs that RQ2 found, {setup.runs} runs, at most {setup.iterations} instances "
            f"or {setup.cpu:.0f} CPU seconds.",
            chart=lambda file: charts.lines(file, series, "bound on assertions", "runs that find the bug"),
        )
    )
    return records


def rq4(setup: Setup, ddsmt: str | None) -> None:
    records = [
        record for record in rq3(setup)
        if record.result["found"] and record.unit["depth"] == record.unit["assertions"] == DEFAULT
    ]  # fmt: skip

    def measured(unit: Unit) -> dict[str, Any]:
        text = texts[unit["bug"]]
        limits = Limits(seconds=MOST_LOAD * CPU_SECONDS, cpu=CPU_SECONDS)
        same = same_of(listed[unit["bug"]], text, Zoo(), limits)
        if same is None:
            return {"before": len(text), "after": None}
        reduced, tests, cpu, confirmed = (
            with_falsum(text, same) if unit["tool"] == "falsum" else with_ddsmt(ddsmt or "", text, same, 600)
        )
        return {"before": len(text), "after": len(reduced), "tests": tests, "cpu": cpu,
                "confirmed": confirmed}  # fmt: skip

    listed = {bug.id: bug for bug in read_bugs(setup.home)[0]}
    texts = {record.unit["bug"]: record.result["text"] for record in records}
    experiment = Experiment(setup.directory, "storm-rq4")
    tools = ["falsum", *(["ddSMT"] if ddsmt else [])]
    results = experiment.run([{"bug": bug, "tool": tool} for bug in texts for tool in tools], measured)
    rows = [[one.unit["bug"], one.unit["tool"], one.result["before"], one.result["after"] or "–",
             one.result.get("tests", "–"), f"{one.result.get('cpu', 0.0):.1f}"]
            for one in results]  # fmt: skip
    print(
        experiment.write(
            "STORM, RQ4: minimisation of its instances",
            ("bug", "tool", "bytes", "reduced to", "tests", "CPU s"),
            rows,
            note=f"{len(texts)} instances found with the default bounds.",
        )
    )


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.papers.storm", __doc__)
    made.add_argument("experiment", choices=("rq2", "rq3", "rq4", "rq5"), help="what to measure")
    made.add_argument("directory", type=Path, metavar="DIRECTORY", help="where results are kept")
    made.add_argument("--known-bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument("--ddsmt", metavar="PROGRAM", help="ddSMT's program, for rq4")
    made.add_argument("--corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument("--program", type=Path, metavar="PROGRAM", help="program built with coverage")
    made.add_argument("--build", type=Path, metavar="BUILD", help="folder it was built in")
    made.add_argument("--small", action="store_true", help="a version of some minutes")
    return made


def main() -> None:
    args = parser().parse_args()
    if args.experiment == "rq5":
        if not (args.program and args.build and args.corpus):
            parser().error("rq5 needs --program, --build and --corpus")
        count, each = (20, 10) if args.small else (1000, 100)
        comparison = comparison_of(args.program, args.build, args.corpus, count, each, None)
        compare(args.directory, "storm-rq5", "STORM, RQ5: code of the solver that was reached", comparison,
                [SEEDS, "storm"], ("lines", "functions", "branches"))  # fmt: skip
        return
    if args.known_bugs is None:
        parser().error("--known-bugs is needed: a directory with bugs.tsv")
    setup = Setup(args.directory, args.known_bugs, args.corpus, small=args.small)
    if args.experiment == "rq2":
        rq2(setup)
    elif args.experiment == "rq3":
        rq3(setup)
    else:
        rq4(setup, args.ddsmt)


if __name__ == "__main__":
    main()
