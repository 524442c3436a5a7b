"""The experiments of ValFuzz (Wolff, ETH Zürich): Tables II and V, Figures 5 and 6, and those of V-D and V-G.

`table5`: bugs and soundness bugs that each configuration finds again from triggers with constants, and both
per 1,000 solver operations without those that random constants find in every run of one iteration (needs
`--known-bugs`); Welch's test against RBASE and SKOLU. `figure6` draws its results. `figure5`: soundness bugs
by the number of constraints enforced (MULTIEF) and of constants related (RELC). `table2`: how often
enforcements and substitutions are satisfiable when quantifiers are copied or skolemised (needs `--corpus`).
`coverage`: test cases gained by CPOG (V-D), and how often what was enforced still holds in the model of the
substituted script (V-G). Results are kept in DIRECTORY; an interrupted run continues.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench import charts
from bench.command import command_parser
from bench.experiment import Experiment, Record
from bench.known_bugs import WRONG, Bug
from bench.papers.hunts import hunt_all, hunting_lab, known_bugs
from bench.papers.valfuzz_files import coverage, table2
from bench.significance import mean_and_deviation, welch

from falsum.contest.statistics import p_text
from falsum.strategies.parameters import configured
from falsum.strategies.valfuzz import CONFIGURATIONS, ValFuzz
from falsum.strategies.valfuzz.holes import Skeleton

TABLE5 = (
    "rbase", "skolu", "adomain", "adomaine", "cpog", "effinal", "leafopt", "multief7", "noskole", "relc3",
    "blenda", "blendb", "blendbleaf",
)  # fmt: skip
FIGURE6 = ("rbase", "skolu", "blenda", "blendb")
SMALL = ("rbase", "skolu", "blendb")
LEVELS = {"multief": (1, 3, 5, 7, 9), "relc": (0, 2, 3, 4, 6)}
SMALL_LEVELS = {"multief": (1, 7), "relc": (0, 3)}


def _has_constants(bug: Bug) -> bool:
    return Skeleton.of(bug.trigger.script) is not None


class Setup:
    """The size of the experiments on known bugs."""

    def __init__(self, directory: Path, bugs: Path, *, small: bool) -> None:
        self.directory = directory
        self.bugs = known_bugs(bugs, directory, 16 if small else 0, suits=_has_constants)
        self.runs = 4 if small else 30
        self.iterations = 10 if small else 50
        self.single_runs = 4 if small else 50

    def hunted(self, name: str, configurations: Mapping[str, ValFuzz]) -> dict[str, list[list[Record]]]:
        """By configuration, the runs: a record for each bug."""
        units = [
            {"configuration": configuration, "bug": bug.name, "run": run, "iterations": self.iterations}
            for bug in self.bugs
            for configuration in configurations
            for run in range(self.runs)
        ]
        by_name = {bug.name: bug for bug in self.bugs}
        with hunting_lab(self.bugs) as lab:
            experiment = Experiment(self.directory, name).run(
                units,
                lambda unit: hunt_all(
                    configurations[unit["configuration"]], by_name[unit["bug"]], lab, unit["iterations"],
                    unit["run"], triggers=True,
                ),
            )  # fmt: skip
        runs: dict[str, list[list[Record]]] = {
            configuration: [[] for _ in range(self.runs)] for configuration in configurations
        }
        for record in experiment:
            runs[record.unit["configuration"]][record.unit["run"]].append(record)
        return runs

    def trivial(self) -> set[str]:
        """The bugs that random constants show in every run of one iteration."""
        units = [{"bug": bug.name, "single": run} for bug in self.bugs for run in range(self.single_runs)]
        by_name = {bug.name: bug for bug in self.bugs}
        with hunting_lab(self.bugs) as lab:
            experiment = Experiment(self.directory, "valfuzz-trivial").run(
                units,
                lambda unit: hunt_all(
                    CONFIGURATIONS["rbase"], by_name[unit["bug"]], lab, 1, unit["single"], triggers=True
                ),
            )
        missed = {record.unit["bug"] for record in experiment if not record.result["found"]}
        return {bug.name for bug in self.bugs} - missed


def counts(run: Sequence[Record], trivial: set[str]) -> tuple[float, float, float, float]:
    """Soundness bugs, all bugs, and both without the trivial ones per 1,000 operations."""
    found = [record for record in run if record.result["found"]]
    sound = [record for record in found if record.result["kind"] in WRONG]
    operations = max(1, sum(record.result["operations"] for record in run))
    rates = [
        1000 * sum(record.unit["bug"] not in trivial for record in some) / operations
        for some in (sound, found)
    ]
    return len(sound), len(found), rates[0], rates[1]


def table5(setup: Setup, names: Sequence[str]) -> dict[str, list[tuple[float, float, float, float]]]:
    runs = setup.hunted("valfuzz-table5", {name: CONFIGURATIONS[name] for name in names})
    trivial = setup.trivial()
    samples = {name: [counts(run, trivial) for run in some] for name, some in runs.items()}
    rows = []
    for name, some in samples.items():
        columns = list(zip(*some, strict=True))
        tests = [
            p_text(welch([one[place] for one in some], [one[place] for one in samples[base]]))
            for base in ("rbase", "skolu")
            for place in (0, 2)
        ]
        rows.append([name.upper(), *map(mean_and_deviation, columns), *tests])
    print(
        Experiment(setup.directory, "valfuzz-table5").write(
            "ValFuzz, Table V: known bugs found again",
            ("configuration", "soundness", "all", "soundness/1,000", "all/1,000", "p RBASE", "p RBASE rate",
             "p SKOLU", "p SKOLU rate"),
            rows,
            note=(f"{len(setup.bugs)} bugs ({len(trivial)} trivial), {setup.iterations} iterations a file, "
                   f"{setup.runs} runs; p of Welch's t-test on soundness bugs and on their rate."),
            chart=lambda file: charts.bars(
                file, {name.upper(): {"soundness": statistics.mean(one[0] for one in some),
                                      "all": statistics.mean(one[1] for one in some)}
                       for name, some in samples.items()}, "bugs per run"),
        )
    )  # fmt: skip
    return samples


def figure5(setup: Setup, levels: Mapping[str, Sequence[int]]) -> None:
    chosen = {
        f"{name}={level}": configured(ValFuzz(), ["skolu", f"{name}={level}"])
        for name, some in levels.items()
        for level in some
    }
    runs = setup.hunted("valfuzz-figure5", chosen)
    trivial = setup.trivial()
    rows: list[list[str]] = []
    series: dict[str, list[tuple[float, float]]] = {name: [] for name in levels}
    for configuration, some in runs.items():
        name, _, level = configuration.partition("=")
        columns = list(zip(*(counts(run, trivial) for run in some), strict=True))
        rows.append([name.upper(), level, mean_and_deviation(columns[0]), mean_and_deviation(columns[2])])
        series[name].append((float(level), statistics.mean(columns[0])))
    print(
        Experiment(setup.directory, "valfuzz-figure5").write(
            "ValFuzz, Figure 5: parameters",
            ("parameter", "value", "soundness bugs", "per 1,000 operations"),
            rows,
            chart=lambda file: charts.lines(file, series, "value of the parameter", "soundness bugs per run"),
        )
    )


def figure6(setup: Setup, names: Sequence[str]) -> None:
    samples = table5(setup, names)
    print(
        Experiment(setup.directory, "valfuzz-figure6").write(
            "ValFuzz, Figure 6: soundness bugs of selected configurations",
            ("configuration", "soundness bugs", "per 1,000 operations"),
            [[name.upper(), mean_and_deviation([one[0] for one in some]),
              mean_and_deviation([one[2] for one in some])] for name, some in samples.items()],
            chart=lambda file: charts.boxes(
                file, {name.upper(): [one[0] for one in some] for name, some in samples.items()},
                "soundness bugs per run"),
        )
    )  # fmt: skip


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.papers.valfuzz", __doc__)
    made.add_argument(
        "experiment", choices=("table2", "table5", "figure5", "figure6", "coverage"), help="what to measure"
    )
    made.add_argument("directory", type=Path, metavar="DIRECTORY", help="where results are kept")
    made.add_argument("--known-bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument("--corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument("--small", action="store_true", help="a version of some minutes")
    return made


def main() -> None:
    args = parser().parse_args()
    if args.experiment in ("table2", "coverage"):
        if args.corpus is None:
            parser().error("--corpus is needed: a directory of scripts, table2: with quantifiers")
        (table2 if args.experiment == "table2" else coverage)(args.directory, args.corpus, small=args.small)
        return
    if args.known_bugs is None:
        parser().error("--known-bugs is needed: a directory with bugs.tsv")
    setup = Setup(args.directory, args.known_bugs, small=args.small)
    if args.experiment == "table5":
        table5(setup, SMALL if args.small else TABLE5)
    elif args.experiment == "figure5":
        figure5(setup, SMALL_LEVELS if args.small else LEVELS)
    else:
        figure6(setup, SMALL if args.small else FIGURE6)


if __name__ == "__main__":
    main()
