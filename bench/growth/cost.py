"""How cost grows: one experiment each, with the exponent of growth (1: linear) and a plot.

`mutants`: CPU per mutant of every strategy against the size of the script, without solvers. `seeds`: CPU and
memory of `falsum fuzz` until its first mutant, against the number of seeds. `jobs`: mutants per second
against jobs, next to what busy loops gain. `findings`: CPU of `findings list`, `findings stats` and `report`
against the findings in the store. `reduction`: CPU and tests against the size of the script, with a predicate
that costs nothing. `triage`: CPU of grouping, and of the first and of later searches for the same finding in
the store, against findings. Simulated workers: `bench.cluster.scale`. Results are kept in DIRECTORY; an
interrupted run continues.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from bench import charts
from bench.campaign.fuzz_process import CODE, ROOT, fuzz
from bench.campaign.jobs import loops
from bench.command import command_parser
from bench.experiment import Experiment, Record, Unit
from bench.growth.inputs import script_of
from bench.pages import latency

import falsum
from falsum.campaign.triage import result
from falsum.campaign.triage.groups import groups_of, known_in_store
from falsum.store.store import FINDINGS
from falsum.strategies import ALL, Seed, Strategy

STRATEGIES = {strategy.name: strategy for strategy in ALL if strategy.arity}


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The slope of a line through the points, both axes logarithmic."""
    logs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len(logs) < 2:
        return math.nan
    return statistics.linear_regression([x for x, _y in logs], [y for _x, y in logs]).slope


def mutants(unit: Unit) -> dict[str, Any]:
    """CPU milliseconds per mutant; reading the script and what is made once for a seed are shared out."""
    strategy = STRATEGIES[unit["strategy"]]
    _make(strategy, 400, 1)  # tables that are made once for all scripts are not of this one
    start = time.process_time()
    made = _make(strategy, unit["bytes"], unit["count"])
    return {"value": 1000 * (time.process_time() - start) / max(1, made), "made": made}


def _make(strategy: Strategy, size: int, count: int) -> int:
    seeds = [Seed(f"grown {number}", script_of(size, number)) for number in range(strategy.arity)]
    return sum(1 for _ in islice(strategy.mutants(seeds, Random(1), None), count))


def seeds(unit: Unit) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "seeds")
        home.mkdir()
        for number in range(unit["seeds"]):
            (home / f"{number:06}.smt2").write_text(script_of(400, number))
        arguments = ["fuzz", str(home), "--out", f"{folder}/out", "-s", "z3", "-s", "cvc5", "-j", "1"]
        cpu, memory = _measured([*arguments, "--count", "1", "--no-triage", "--rng", "1"])
    return {"value": cpu, "memory": memory}


def jobs(unit: Unit) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as out:
        end = fuzz(out, "-j", str(unit["jobs"]), "--for", f"{unit['seconds']}s", "--no-triage", "--rng", "1")
    return {"value": end["mutants"] / end["elapsed"], "loops": loops(unit["jobs"]) / loops(1)}


def findings(unit: Unit) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        latency.make(Path(folder, "out"), unit["findings"], 100)
        words = {"list": ["findings", "list", "--out"], "stats": ["findings", "stats", "--out"],
                 "report": ["report"]}[unit["command"]]  # fmt: skip
        cpu, memory = _measured([*words, f"{folder}/out"])
    return {"value": cpu, "memory": memory}


def reduction(unit: Unit) -> dict[str, Any]:
    """The one assertion that matters is in the middle."""
    before, check = script_of(unit["bytes"] // 2, 1).rsplit("(check-sat)", 1)
    after = script_of(unit["bytes"] // 2, 2).removeprefix("(set-logic ALL)\n")
    text = f"{before}(declare-const needle Int)\n(assert (= (* needle needle) 7)){check}{after}"
    start = time.process_time()
    made = falsum.reduce(text, lambda script: "(* needle needle)" in script)
    return {"value": time.process_time() - start, "tests": made.tests, "left": len(made.text)}


def triage(unit: Unit) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        latency.make(Path(folder), unit["findings"], 10)
        folders = sorted(Path(folder, FINDINGS).iterdir())
        triages = {one: made for one in folders if (made := result.read(one)) is not None}
        start = time.process_time()
        if unit["step"] == "grouping":
            groups_of(triages)
        else:
            known_in_store(folders[0], None)
            if unit["step"] == "next search":  # each finding but the first is looked for like this
                start = time.process_time()
                known_in_store(folders[-1], None)
        return {"value": time.process_time() - start}


def _measured(words: Sequence[str]) -> tuple[float, float]:
    """CPU seconds and megabytes (of the largest process) of a command of falsum."""
    # In a process of its own, so that only this command counts.
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
        "u = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(u.ru_utime + u.ru_stime, u.ru_maxrss / 1024)"
    )
    argv = [sys.executable, "-c", code, sys.executable, "-c", CODE, *words]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True)
    cpu, memory = done.stdout.split()
    return float(cpu), float(memory)


def _sizes(most: int) -> list[int]:
    return [1000 * 4**step for step in range(6) if 1000 * 4**step <= most]


def units(name: str, *, small: bool) -> tuple[str, str, list[Unit]]:
    """What is varied, the name of a series (or ""), and the units of an experiment."""
    counts = [10, 100, 1000] if small else [10, 100, 1000, 10_000]
    made: Iterable[Unit]
    if name == "mutants":
        made = ({"strategy": one, "bytes": size, "count": 10}
                for one in STRATEGIES for size in _sizes(64_000 if small else 1_024_000))  # fmt: skip
        return "bytes", "strategy", list(made)
    if name == "seeds":
        numbers = [100, 400, 1600] if small else [100, 1000, 10_000, 100_000]
        return "seeds", "", [{"seeds": count} for count in numbers]
    if name == "jobs":
        most = len(os.sched_getaffinity(0)) * (1 if small else 2)
        return "jobs", "", [{"jobs": count, "seconds": 15 if small else 120} for count in range(1, most + 1)]
    if name == "findings":
        made = (
            {"command": one, "findings": count} for one in ("list", "stats", "report") for count in counts
        )
        return "findings", "command", list(made)
    if name == "reduction":
        return "bytes", "", [{"bytes": size} for size in _sizes(64_000 if small else 1_024_000)]
    made = (
        {"step": one, "findings": count} for one in ("grouping", "search", "next search") for count in counts
    )
    return "findings", "step", list(made)


MEASURES: Mapping[str, tuple[Callable[[Unit], dict[str, Any]], str]] = {
    "mutants": (mutants, "ms CPU per mutant"),
    "seeds": (seeds, "CPU seconds"),
    "jobs": (jobs, "mutants per second"),
    "findings": (findings, "CPU seconds"),
    "reduction": (reduction, "CPU seconds"),
    "triage": (triage, "CPU seconds"),
}


def report(experiment: Experiment, name: str, records: Sequence[Record], varied: str, by: str) -> None:
    unit_text = MEASURES[name][1]
    series: dict[str, list[tuple[float, float]]] = {}
    for record in records:
        series.setdefault(str(record.unit.get(by, name)), []).append(
            (record.unit[varied], record.result["value"])
        )
    places = sorted({x for points in series.values() for x, _y in points})
    rows = []
    for label, points in series.items():
        values = dict(points)
        shown = [f"{values[place]:.3g}" if place in values else "–" for place in places]
        rows.append([label, *shown, f"{exponent(points):.2f}"])
    others = sorted({key for record in records for key in record.result} - {"value", "made"})
    rows += [[key, *(f"{record.result[key]:.3g}" for record in records[: len(places)]), ""] for key in others]
    print(
        experiment.write(
            f"Growth: {unit_text} against {varied}",
            (by or name, *(f"{place:,}" for place in places), "exponent"),
            rows,
            chart=lambda file: charts.lines(file, series, varied, unit_text, logarithmic=name != "jobs"),
        )
    )


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.growth.cost", __doc__)
    made.add_argument("experiment", choices=list(MEASURES), help="what to measure")
    made.add_argument("directory", type=Path, metavar="DIRECTORY", help="where results are kept")
    made.add_argument("--small", action="store_true", help="a version of some minutes")
    return made


def main() -> None:
    args = parser().parse_args()
    varied, by, wanted = units(args.experiment, small=args.small)
    experiment = Experiment(args.directory, f"growth-{args.experiment}")
    records = experiment.run(wanted, MEASURES[args.experiment][0])
    report(experiment, args.experiment, records, varied, by)


if __name__ == "__main__":
    main()
