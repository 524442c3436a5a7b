"""The experiments of Sparrow (Yao et al., ESEC/FSE 2021): Tables 3 to 7 and Figures 1 and 2.

`findings`: Tables 3 and 4 and Figure 1 (status, type and theories) from a `--store`. `table5`: CPU
milliseconds per mutant with PST, LPI and both (needs `--corpus`); `table6`: mutants tested per CPU hour of
falsum and its solvers, z3 and cvc5, in alternating order (`--corpus`). `table7`: lines of a solver reached
(`--program`, `--build`, `--corpus`; see `bench.coverage.solver_code`). `figure2`: known correctness bugs
found again (`--known-bugs`). Results are kept in DIRECTORY; an interrupted run continues.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path
from typing import Any

from bench import charts
from bench.campaign.fuzz_process import fuzz
from bench.command import command_parser
from bench.coverage.solver_code import SEEDS, compare, comparison_of
from bench.experiment import Experiment, Unit
from bench.known_bugs import WRONG
from bench.papers.hunts import hunt_all, hunting_lab, known_bugs
from bench.papers.store_tables import write_tables
from bench.strategies.mutants import SPARROWS, measure, readable_seeds

from falsum.strategies import BY_NAME, find_strategy

FINDINGS = (
    ("table3", "Sparrow, Table 3: status of the findings", "state"),
    ("table4", "Sparrow, Table 4: types of the findings", "kind"),
    ("figure1", "Sparrow, Figure 1: theories of the findings", "theory"),
)
VARIANTS = {"PST": "sparrow:rules=pst", "LPI": "sparrow:rules=lpi", "PST+LPI": "sparrow"}
PUBLISHED = {"PST": "0.4", "LPI": "1.3", "PST+LPI": "0.7"}
NAMED = {"PST": "sparrow pst", "LPI": "sparrow lpi", "PST+LPI": "sparrow both"}
LONGEST = 3000


def table5(directory: Path, corpus: Path, *, small: bool) -> None:
    seeds, count, rounds = (60, 10, 2) if small else (1000, 100, 5)
    chosen = list(readable_seeds(corpus, seeds, LONGEST))

    def measured(unit: Unit) -> dict[str, Any]:
        made, seconds, *_ = measure(SPARROWS[NAMED[unit["variant"]]], chosen, count)
        return {"made": made, "seconds": seconds}

    experiment = Experiment(directory, "sparrow-table5")
    units = [{"variant": name, "round": number, "seeds": seeds, "count": count}
             for number in range(rounds) for name in VARIANTS]  # fmt: skip
    records = experiment.run(units, measured)
    each: dict[str, list[float]] = {name: [] for name in VARIANTS}
    for record in records:
        each[record.unit["variant"]].append(1000 * record.result["seconds"] / max(1, record.result["made"]))
    print(
        experiment.write(
            "Sparrow, Table 5: CPU milliseconds per mutant",
            ("variant", "median here", "published (another machine)"),
            [[name, f"{statistics.median(some):.2f}", PUBLISHED[name]] for name, some in each.items()],
            note=f"{len(chosen)} seeds under {LONGEST} bytes, {count} mutants of each, {rounds} rounds.",
            chart=lambda file: charts.bars(
                file,
                {name: {"here": statistics.median(some)} for name, some in each.items()},
                "ms per mutant",
            ),
        )
    )


def table6(directory: Path, corpus: Path, *, small: bool) -> None:
    seconds, rounds = (20, 2) if small else (3600, 3)

    def measured(unit: Unit) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as out:
            end = fuzz(
                out, str(corpus), "-s", "z3", "-s", "cvc5", "-t", VARIANTS[unit["variant"]], "-j", "1",
                "--no-triage", "--rng", str(unit["round"]), "--for", f"{unit['seconds']}s",
            )  # fmt: skip
        decided = sum(row["decided"] for row in end["strategies"].values())
        return {"mutants": end["mutants"], "decided": decided, "elapsed": end["elapsed"],
                "cpu": end["solver_cpu"] + end["own_cpu"]}  # fmt: skip

    experiment = Experiment(directory, "sparrow-table6")
    units = [{"variant": name, "round": number, "seconds": seconds} for number in range(rounds)
             for name in (VARIANTS if number % 2 == 0 else reversed(VARIANTS))]  # fmt: skip
    records = experiment.run(units, measured)
    rows, bars = [], {}
    for name in VARIANTS:
        mine = [record.result for record in records if record.unit["variant"] == name]
        hourly = {
            kind: statistics.median(3600 * one[kind] / one["cpu"] for one in mine)
            for kind in ("mutants", "decided")
        }
        rows.append([name, *(f"{value:,.0f}" for value in hourly.values())])
        bars[name] = hourly
    print(
        experiment.write(
            "Sparrow, Table 6: mutants per CPU hour",
            ("variant", "tested", "decided by a solver"),
            rows,
            note=f"z3 and cvc5, one job, {seconds} s a run, {rounds} rounds in alternating order, medians; "
            "published: 32,376 tested an hour (PST+LPI).",
            chart=lambda file: charts.bars(file, bars, "mutants per CPU hour"),
        )
    )


def figure2(directory: Path, bugs: Path, *, small: bool) -> None:
    chosen = known_bugs(bugs, directory, 10 if small else 0, tuple(WRONG))
    most, runs, limit = (30, 1, 3.0) if small else (300, 100, 600.0)
    by_name = {bug.name: bug for bug in chosen}
    units = [{"variant": name, "bug": bug.name, "run": run, "iterations": most}
             for bug in chosen for name in VARIANTS for run in range(runs)]  # fmt: skip
    experiment = Experiment(directory, "sparrow-figure2")
    with hunting_lab(chosen) as lab:
        records = experiment.run(
            units,
            lambda unit: hunt_all(
                find_strategy(VARIANTS[unit["variant"]], BY_NAME), by_name[unit["bug"]], lab,
                unit["iterations"], unit["run"], cpu=limit,
            ),
        )  # fmt: skip
    ever = {
        name: {one.unit["bug"] for one in records if one.unit["variant"] == name and one.result["found"]}
        for name in VARIANTS
    }
    cpu = {
        name: sum(one.result["cpu"] for one in records if one.unit["variant"] == name) for name in VARIANTS
    }
    print(
        experiment.write(
            "Sparrow, Figure 2: known correctness bugs found again",
            ("variant", f"found of {len(chosen)}", "CPU s", "bugs"),
            [[name, len(some), f"{cpu[name]:.0f}", " ".join(sorted(some)) or "–"]
             for name, some in ever.items()],
            note=f"At most {most} mutants of a seed or {limit:.0f} CPU seconds, {runs} runs; published: "
            "3, 8 and 14 of 19.",
            chart=lambda file: charts.bars(
                file, {name: {"found": len(some)} for name, some in ever.items()}, "bugs"),
        )
    )  # fmt: skip


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.papers.sparrow", __doc__)
    made.add_argument(
        "experiment", choices=("findings", "table5", "table6", "table7", "figure2"), help="what to measure"
    )
    made.add_argument("directory", type=Path, metavar="DIRECTORY", help="where results are kept")
    made.add_argument("--store", type=Path, metavar="STORE", help="directory of campaigns")
    made.add_argument("--known-bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument("--corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument("--program", type=Path, metavar="PROGRAM", help="program built with coverage")
    made.add_argument("--build", type=Path, metavar="BUILD", help="folder it was built in")
    made.add_argument("--small", action="store_true", help="a version of some minutes")
    return made


NEEDED = {
    "findings": ("store",), "table5": ("corpus",), "table6": ("corpus",), "figure2": ("known_bugs",),
    "table7": ("program", "build", "corpus"),
}  # fmt: skip


def main() -> None:
    args = parser().parse_args()
    missing = [name for name in NEEDED[args.experiment] if getattr(args, name) is None]
    if missing:
        parser().error(f"{args.experiment} needs --{missing[0].replace('_', '-')}")
    if args.experiment == "findings":
        write_tables(args.directory, "sparrow", args.store, FINDINGS)
    elif args.experiment == "figure2":
        figure2(args.directory, args.known_bugs, small=args.small)
    elif args.experiment == "table7":
        count, each = (20, 10) if args.small else (1000, 300)
        comparison = comparison_of(args.program, args.build, args.corpus, count, each, None)
        sides = [SEEDS, "opfuzz", "fusion", *VARIANTS.values()]
        compare(args.directory, "sparrow-table7", "Sparrow, Table 7: lines reached", comparison, sides,
                ("lines",))  # fmt: skip
    else:
        experiment = table5 if args.experiment == "table5" else table6
        experiment(args.directory, args.corpus, small=args.small)


if __name__ == "__main__":
    main()
