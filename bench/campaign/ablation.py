"""Different bugs per CPU minute: falsum, falsum without one of its parts, an earlier falsum, and yinyang.

Every side looks for bugs of old releases in comparison with a newer solver, with the same seeds and the same
CPU time: near seeds are those of the release's known bugs, far ones are the bundled seeds. Two findings are
one bug if they are of one kind (crash, wrong sat, invalid model, wrong core, …), disappear in the same
installed release and need the same theories (bench/campaign/different_bugs.py says more). All sides run in
turn for each release, kind of seeds and run, so that what disturbs one disturbs all.

KNOWN_BUGS has `bugs.tsv` and its seeds. Results are kept in DIRECTORY; the command continues where it
stopped. Writes a table (medians; Mann-Whitney U, two-sided, and the effect size A12 of falsum against each
side: 0.5 no difference, 1 falsum always does better), a plot of mean ranks with Nemenyi's critical
difference; and as time passes, how many bugs are found, and how many of the known ones are found again from
their near seeds: few are left after a while, for a good search sooner. Needs scipy and matplotlib
(`pip install falsum[bench]`).
"""

from __future__ import annotations

import argparse
import csv
import statistics
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from bench import charts
from bench.campaign.different_bugs import Bug, KnownBug, different_bugs, told_apart
from bench.campaign.sides import ALONE, Hunt, Side, by_status, sides
from bench.command import command_parser
from bench.experiment import Experiment, Record, Unit
from bench.known_bugs import releases_showing

from falsum.campaign.corpus.seed_files import gather
from falsum.contest.statistics import critical_difference, effect_size, mann_whitney, mean_ranks, p_text
from falsum.solvers.solver import resolve
from falsum.solvers.versions import parse_version
from falsum.solvers.zoo import Release, Zoo

RELEASES = ("z3@4.8.5", "z3@4.8.7", "z3@4.8.10", "cvc4", "cvc5@1.0.3")
# All tools need a program to compare with, and z3 is the only newest release that has one.
REFERENCE = "z3"
FLAGS = {"z3": "-smt2", "cvc5": "--quiet --lang=smt2", "cvc4": "--quiet --lang=smt2"}
BUNDLED = Path(__file__).parents[2] / "src" / "falsum" / "seeds"
FIRST = "falsum"
_PARTS = 6
_KINDS = {"refutation-soundness": "wrong unsat", "solution-soundness": "wrong sat", "invalid-model": "model"}


@dataclass(frozen=True, slots=True)
class Target:
    """A release to be tested, the later ones of its product, near seeds, and the known bugs of each."""

    name: str
    program: str
    newest: str
    later: tuple[str, ...]
    near: tuple[Path, ...]
    known: Mapping[str, Sequence[KnownBug]]


def target(name: str, directory: Path, zoo: Zoo) -> Target:
    tested = resolve(name, zoo).served_release
    products = ("z3",) if tested.product == "z3" else ("cvc4", "cvc5")
    mine = sorted((r for r in zoo.all() if r.product in products), key=_age)
    with (directory / "bugs.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if tested in releases_showing(row, mine)]
    later = mine[mine.index(tested) + 1 :]
    known: dict[str, list[KnownBug]] = {}
    for row in rows:
        showing = releases_showing(row, mine)
        in_a_row = [name, *(release.name for release in takewhile(showing.__contains__, later))]
        for seed in filter(None, row["seeds"].split(",")):
            bug = KnownBug(row["id"], _KINDS.get(row["kind"], row["kind"]), in_a_row[-1])
            known.setdefault(str(directory / seed), []).append(bug)
    near = tuple(sorted(map(Path, known)))
    later_names = tuple(release.name for release in later)
    return Target(name, _program(name, zoo), mine[-1].name, later_names, near, known)


def _age(release: Release) -> tuple[bool, Any]:
    return release.product != "cvc4", parse_version(release.version)


def _program(name: str, zoo: Zoo) -> str:
    release = resolve(name, zoo).served_release
    return f"{release.program} {FLAGS[release.product]}"


def measure(side: Side, tested: Target, seeds: tuple[Path, ...], cpu: float, rng: int) -> dict[str, Any]:
    """Run one side once: the bugs it finds, and its CPU time."""
    programs = (tested.program, _program(REFERENCE, Zoo()))
    hunt = Hunt(tested.name, REFERENCE, programs, seeds, *by_status(seeds, REFERENCE), cpu, rng)
    with tempfile.TemporaryDirectory() as folder:
        found = side(hunt, Path(folder))
    bugs, again = different_bugs(found.suspicions, tested.name, tested.later, tested.newest, tested.known)

    def told(items: Iterable[tuple[Sequence[str], float]]) -> list[tuple[object, ...]]:
        # A run takes a moment to end.
        return sorted((*bug, round(min(when, cpu), 1)) for bug, when in items)

    again_named = told(((name,), when) for name, when in again.items())
    return {
        "cpu": found.cpu,
        "suspicions": len(found.suspicions),
        "bugs": told(bugs.items()),
        "again": again_named,
    }


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.ablation", __doc__)
    made.add_argument("known_bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument("directory", type=Path, metavar="DIRECTORY", help="where results are kept")
    made.add_argument(
        "--runs", type=int, default=1, metavar="N", help="runs for each release, near and far (default 1)"
    )
    made.add_argument(
        "--cpu", type=float, default=60.0, metavar="S", help="CPU seconds of a run (default 60)"
    )
    made.add_argument("--release", action="append", metavar="R", help=f"default: {', '.join(RELEASES)}")
    made.add_argument(
        "--side",
        action="append",
        metavar="NAME",
        help="only these (default: all but single strategies, as in 'opfuzz alone')",
    )
    made.add_argument("--old", type=Path, metavar="PROGRAM", help="an earlier falsum")
    made.add_argument("--yinyang", type=Path, metavar="YINYANG_BIN", help="folder with yinyang's programs")
    return made


def main() -> None:
    args = parser().parse_args()
    zoo = Zoo()
    names = args.release or RELEASES
    targets = {name: target(name, args.known_bugs.absolute(), zoo) for name in names}
    known = sides(args.old, args.yinyang)
    chosen = args.side or [name for name in known if name not in ALONE]
    if unknown := [name for name in chosen if name not in known]:
        raise SystemExit(f"no side {unknown[0]!r}; there are: {', '.join(known)}")
    far = tuple(sorted(Path(seed.name) for seed in gather((str(BUNDLED),)).seeds))
    experiment = Experiment(args.directory, "ablation")

    def measured(unit: Unit) -> dict[str, Any]:
        tested = targets[unit["release"]]
        seeds = far if unit["seeds"] == "far" else tested.near
        return measure(known[unit["side"]], tested, seeds, unit["cpu"], unit["run"])

    records = experiment.run(units(args.runs, names, chosen, args.cpu), measured)
    print(write(experiment, records, chosen))
    print(write_growth(Experiment(args.directory, "ablation-growth"), records, chosen, args.cpu))
    near = [record for record in records if record.unit["seeds"] == "near"]
    print(write_again(Experiment(args.directory, "ablation-again"), near, chosen, args.cpu))


def units(runs: int, releases: Sequence[str], chosen: Sequence[str], cpu: float) -> Iterator[Unit]:
    for run in range(runs):
        for release in releases:
            for seeds in ("near", "far"):
                for side in chosen:
                    yield {"side": side, "release": release, "seeds": seeds, "run": run, "cpu": cpu}


def write(experiment: Experiment, records: Sequence[Record], chosen: Sequence[str]) -> str:
    by_side = {side: [r for r in records if r.unit["side"] == side] for side in chosen}
    rates = {side: [rate(record) for record in some] for side, some in by_side.items()}
    rows = []
    for side, mine in by_side.items():
        near = [rate(record) for record in mine if record.unit["seeds"] == "near"]
        distant = [rate(record) for record in mine if record.unit["seeds"] == "far"]
        row = [side, f"{statistics.median(rates[side]):.2f}", f"{statistics.mean(rates[side]):.2f}"]
        row += [f"{statistics.mean(near):.2f}", f"{statistics.mean(distant):.2f}", str(all_bugs(mine))]
        if side == FIRST or FIRST not in rates:
            row += ["", "", ""]
        else:
            u, p = mann_whitney(rates[side], rates[FIRST])
            row += [f"{u:g}", p_text(p), f"{effect_size(rates[side], rates[FIRST]):.2f}"]
        rows.append(row)
    heading = ["side", "median", "mean", "near", "far", "bugs in all", "U", "p", "A12"]
    ranks = mean_ranks(rates)
    blocks = min(len(values) for values in rates.values())

    def chart(file: Path) -> None:
        charts.ranks(file, ranks, critical_difference(len(ranks), blocks))

    note = f"Different bugs per CPU minute; {blocks} runs a side."
    return experiment.write("Bugs of old releases", heading, rows, note=note, chart=chart)


def write_growth(experiment: Experiment, records: Sequence[Record], chosen: Sequence[str], cpu: float) -> str:
    note = (
        "Different bugs after so many CPU seconds, means; in parentheses, how many times as many falsum has."
    )
    return _write_growth(
        experiment, "bugs", "Bugs of old releases, as time passes", note, records, chosen, cpu
    )


def write_again(experiment: Experiment, records: Sequence[Record], chosen: Sequence[str], cpu: float) -> str:
    note = "Known bugs found again from near seeds after so many CPU seconds; as above."
    return _write_growth(experiment, "again", "Known bugs found again", note, records, chosen, cpu)


def _write_growth(
    experiment: Experiment,
    field: str,
    title: str,
    note: str,
    records: Sequence[Record],
    chosen: Sequence[str],
    cpu: float,
) -> str:
    """What was there after each part of the CPU time, on average, and how many times as much falsum has."""
    parts = [cpu * part / _PARTS for part in range(1, _PARTS + 1)]
    means = {
        side: [
            statistics.mean(found_after(r, seconds, field) for r in records if r.unit["side"] == side)
            for seconds in parts
        ]
        for side in chosen
    }
    rows = []
    for side, values in means.items():
        against = zip(values, means.get(FIRST, values), strict=True)
        ratios = [f" ({ours / value:.2f})" if value and side != FIRST else "" for value, ours in against]
        rows.append([side, *(f"{value:.2f}{ratio}" for value, ratio in zip(values, ratios, strict=True))])
    heading = ["side", *(f"{seconds:.3g} s" for seconds in parts)]
    curves = {side: [(0.0, 0.0), *zip(parts, values, strict=True)] for side, values in means.items()}

    def chart(file: Path) -> None:
        charts.lines(file, curves, "CPU seconds", "bugs")

    return experiment.write(title, heading, rows, note=note, chart=chart)


def found_after(record: Record, seconds: float, field: str = "bugs") -> int:
    """The bugs that were there after so many CPU seconds."""
    return sum(cpu <= seconds for *_bug, cpu in record.result[field])


def rate(record: Record) -> float:
    """Different bugs per CPU minute."""
    cpu = max(1.0, float(record.result["cpu"]))
    return 60 * len(record.result["bugs"]) / cpu


def all_bugs(records: Sequence[Record]) -> int:
    """The different bugs of all runs together."""
    by_release: dict[str, dict[Bug, float]] = {}
    for record in records:
        for kind, last, theories, cpu in record.result["bugs"]:
            by_release.setdefault(record.unit["release"], {})[kind, last, theories] = cpu
    return sum(len(told_apart(bugs)) for bugs in by_release.values())


if __name__ == "__main__":
    main()
