"""The experiments of Murxla (Niemetz, Preiner and Barrett, CAV 2022): Table 1 and its throughput.

`table1`: with and without random options, the operators, methods and options of each library that `falsum
api` reaches in the same time. With `--library`, the folder of a Python environment with a library that was
built with coverage, also lines and functions of its code. `throughput`: runs per second and CPU milliseconds
per run. Murxla itself is not run: its figures are the published ones, of another machine. Results are kept in
DIRECTORY; an interrupted run continues.
"""

from __future__ import annotations

import argparse
import csv
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench import charts
from bench.campaign.fuzz_process import CODE, ROOT
from bench.command import command_parser
from bench.experiment import Experiment, Unit
from bench.library.coverage import collect
from bench.library.coverage_reasons import OPERATORS, reason

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

LIBRARIES = ("bitwuzla", "z3", "cvc5")
# Lines in percent after an hour with and without options, as published.
PUBLISHED = {"bitwuzla": "62.9", "cvc5": "49.1"}
SHARES = {"with": 0.6, "without": 0.0}


def table1(directory: Path, library: str | None, seconds: float) -> None:
    def measured(unit: Unit) -> dict[str, Any]:
        share = SHARES[unit["options"]]
        release, seen, drawable, _seconds = collect(unit["library"], unit["seconds"], 10**9, 0, share)
        rows = OPERATORS.get(release.product, ())
        counted = {kind for kind in seen.every if not (seen.apart.get(kind) or reason(kind, rows))}
        return {
            "product": release.product, "version": release.version, "runs": seen.runs,
            "operators": len(seen.made & counted), "all_operators": len(counted),
            "methods": len(seen.called & seen.public), "all_methods": len(seen.public),
            "set_options": len(seen.options & drawable), "all_options": len(drawable),
            **(_lines(library, unit["seconds"], share) if library is not None else {}),
        }  # fmt: skip

    experiment = Experiment(directory, "murxla-table1")
    names = [library] if library is not None else LIBRARIES
    units = [
        {"library": name, "options": options, "seconds": seconds} for name in names for options in SHARES
    ]
    records = experiment.run(units, measured)
    rows, bars = [], {}
    for record in records:
        result = record.result
        shares = {
            kind: 100 * result[kind] / max(1, result[f"all_{kind}"]) for kind in ("operators", "methods")
        }
        lines = f"{result['lines']} of {result['all_lines']}" if "lines" in result else "not measured"
        product = result["product"]
        rows.append([f"{product} {result['version']}", record.unit["options"], result["runs"],
                     *(f"{share:.0f}%" for share in shares.values()),
                     f"{result['set_options']} of {result['all_options']}", lines,
                     PUBLISHED.get(product, "–")])  # fmt: skip
        bars[f"{product}, {record.unit['options']}"] = shares
    print(
        experiment.write(
            "Murxla, Table 1: with and without options",
            ("library", "options", "runs", "operators", "methods", "options set", "lines",
             "lines % (Murxla, published)"),
            rows,
            note=f"{seconds:.0f} s each.",
            chart=lambda file: charts.bars(file, bars, "reached (%)"),
        )
    )  # fmt: skip


def _lines(library: str, seconds: float, share: float) -> dict[str, int]:
    """Lines and functions of a library's code, from a campaign that collects coverage."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["api", "-s", library, "--coverage", f"{folder}/data", "--options", str(share), "-j", "1"]
        subprocess.run(
            [sys.executable, "-c", CODE, *words, "--for", f"{seconds:g}s", "--out", f"{folder}/out"],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            check=False,
        )
        with next(Path(folder).rglob("coverage.csv")).open(newline="") as file:
            last = list(csv.DictReader(file))[-1]
    return {name: int(last[name]) for name in ("lines", "all_lines", "functions", "all_functions")}


def throughput(directory: Path, *, small: bool) -> None:
    runs, rounds = (40, 1) if small else (5000, 5)

    def measured(unit: Unit) -> dict[str, Any]:
        settings = Settings(theories=("bitvectors",), compare=0, options=SHARES[unit["options"]])
        before, started = _cpu(), time.monotonic()
        with Fuzzer(resolve(unit["library"], Zoo()), settings) as fuzzer:
            for number in range(unit["runs"]):
                fuzzer.run(unit["round"] * unit["runs"] + number)
        return {"cpu": _cpu() - before, "seconds": time.monotonic() - started}

    experiment = Experiment(directory, "murxla-throughput")
    units = [{"library": name, "options": options, "round": number, "runs": runs}
             for number in range(rounds) for name in LIBRARIES for options in SHARES]  # fmt: skip
    records = experiment.run(units, measured)
    rows, bars = [], {}
    for name in LIBRARIES:
        for options in SHARES:
            mine = [one.result for one in records
                    if (one.unit["library"], one.unit["options"]) == (name, options)]  # fmt: skip
            milliseconds = 1000 * sum(one["cpu"] for one in mine) / (runs * len(mine))
            rate = runs * len(mine) / sum(one["seconds"] for one in mine)
            rows.append([name, options, f"{milliseconds:.1f}", f"{rate:.0f}"])
            bars[f"{name}, {options}"] = {"ms CPU per run": milliseconds}
    print(
        experiment.write(
            "Murxla: throughput with bit-vectors",
            ("library", "options", "ms CPU per run", "runs per second"),
            rows,
            note=f"{runs} runs, {rounds} rounds. Murxla took 33 ms per run when it was measured on another "
            "machine, with z3's program started for every run.",
            chart=lambda file: charts.bars(file, bars, "ms CPU per run"),
        )
    )


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.papers.murxla", __doc__)
    made.add_argument("experiment", choices=("table1", "throughput"), help="what to measure")
    made.add_argument("directory", type=Path, metavar="DIRECTORY", help="where results are kept")
    made.add_argument("--library", metavar="S", help="library built with coverage (default: installed ones)")
    made.add_argument("--seconds", type=float, metavar="S", help="of table1 (default 3600; small: 15)")
    made.add_argument("--small", action="store_true", help="a version of some minutes")
    return made


def main() -> None:
    args = parser().parse_args()
    if args.experiment == "table1":
        table1(args.directory, args.library, args.seconds or (15.0 if args.small else 3600.0))
    else:
        throughput(args.directory, small=args.small)


if __name__ == "__main__":
    main()
