"""Newest releases, many runs of each library: whatever is found must be real; prints every finding.

Run as `python -m bench.api_honest [--solver S…] [--count N] [--out DIR] [--jobs N]`; the default is 10,000
runs for each library and for Debian's cvc4 and z3. DIR is kept: `falsum findings show` has the small trace
of each, its folder a program.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from falsum.store.reader import Reading

# The last two are Debian's programs, through the pipe.
NEWEST: Final = ("z3", "cvc5", "bitwuzla", "yices", "boolector", "cvc4", "z3@system")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--solver", action="append")
    parser.add_argument("--count", default="10000")
    parser.add_argument("--out", default="falsum-api-honest")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--rng", default="1")
    given = parser.parse_args()
    solvers = [word for name in given.solver or NEWEST for word in ("--solver", name)]
    argv = [
        sys.executable,
        "-m",
        "falsum.app.main",
        "api",
        *solvers,
        "--count",
        given.count,
        "--rng",
        given.rng,
    ]
    done = subprocess.run(
        [*argv, "--jobs", given.jobs, "--out", given.out, "--json"],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    end = json.loads(done.stdout.splitlines()[-1])
    print(f"{end['runs']} runs in {end['elapsed']} s: {end['runs_per_second']} a second; {end['ended']}")
    for name, tally in end["solvers"].items():
        print(f"{name}: {tally['endings']} {tally['verdicts']}")
        for message, count in sorted(tally["errors"].items(), key=lambda item: -item[1]):
            print(f"    {count} × {message}")
    with Reading(Path(given.out)) as store:
        for one in store.findings():
            print(f"{one.digest} seen {one.count} times: {one.signature}\n    {one.evidence}")
        for batch, _place, text in store.faults():
            print(f"fault in batch {batch}: {text.splitlines()[-1]}")


if __name__ == "__main__":
    main()
