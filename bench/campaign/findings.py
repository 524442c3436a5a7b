"""Fuzzes the newest releases of z3, cvc5 and bitwuzla with the bundled seeds, and prints every finding for
inspection.

All findings must be real defects. OUT is kept.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.campaign.fuzz_process import fuzz
from bench.command import command_parser

from falsum.store.reader import StoreReader


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.findings", __doc__)
    made.add_argument(
        "count", type=int, nargs="?", default=50_000, metavar="COUNT", help="mutants (default 50,000)"
    )
    made.add_argument(
        "out", nargs="?", default="falsum-findings", metavar="OUT", help="store (default falsum-findings)"
    )
    return made


def main() -> None:
    args = parser().parse_args()
    out: str = args.out
    end = fuzz(out, "--count", str(args.count), "--solver", "z3", "--solver", "cvc5", "--solver", "bitwuzla")
    print(f"{end['mutants']} mutants in {end['elapsed']} s: {end['mutants_per_second']}/s")
    print(f"{end['inside_solvers']:.0%} of CPU inside solvers")
    print(f"{end['timeout_share']:.0%} of solver time in time-outs")
    for solver, words in end["said"].items():
        asked = sum(words.values())
        print(f"{solver}: {words}; {1 - words.get('rejected', 0) / asked:.2%} accepted")
    with StoreReader(Path(out)) as store:
        for one in store.findings():
            print(f"{one.digest} seen {one.count} times: {one.signature}\n    {one.evidence}")
        for batch, index, text in store.faults():
            print(f"internal error in batch {batch} at mutant {index}: {text.splitlines()[-1]}")


if __name__ == "__main__":
    main()
