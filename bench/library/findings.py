"""Runs `falsum api` on the newest release of each library, and prints every finding and message for
inspection.

All findings must be real defects. The default solvers are all libraries, and Debian's cvc4 and z3 through the
pipe. DIR is kept, with the reduced trace and a program for each finding.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.command import command_parser

from falsum.store.reader import StoreReader

# The last two are Debian's programs, driven through the pipe.
NEWEST: Final = ("z3", "cvc5", "bitwuzla", "yices", "boolector", "cvc4", "z3@system")


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.library.findings", __doc__)
    made.add_argument("--solver", action="append", metavar="S", help="library or program (default: all)")
    made.add_argument("--count", default="10000", metavar="N", help="runs per solver (default 10,000)")
    made.add_argument(
        "--out", default="falsum-api-findings", metavar="DIR", help="store (default falsum-api-findings)"
    )
    made.add_argument("--jobs", default="2", metavar="N", help="worker processes (default 2)")
    made.add_argument("--rng", default="1", metavar="N", help="number of the first run")
    return made


def main() -> None:
    args = parser().parse_args()
    solvers = [word for name in args.solver or NEWEST for word in ("--solver", name)]
    argv = [
        sys.executable,
        "-m",
        "falsum.app.main",
        "api",
        *solvers,
        "--count",
        args.count,
        "--rng",
        args.rng,
    ]
    result = subprocess.run(
        [*argv, "--jobs", args.jobs, "--out", args.out, "--json"],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    end = json.loads(result.stdout.splitlines()[-1])
    print(f"{end['runs']} runs in {end['elapsed']} s: {end['runs_per_second']} /s; {end['ended']}")
    for name, tally in end["solvers"].items():
        print(f"{name}: {tally['endings']} {tally['verdicts']}")
        for message, count in sorted(tally["errors"].items(), key=lambda item: -item[1]):
            print(f"    {count} × {message}")
    with StoreReader(Path(args.out)) as store:
        for one in store.findings():
            print(f"{one.digest} seen {one.count} times: {one.signature}\n    {one.evidence}")
        for batch, _place, text in store.faults():
            print(f"internal error in batch {batch}: {text.splitlines()[-1]}")


if __name__ == "__main__":
    main()
