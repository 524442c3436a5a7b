"""Newest releases, many mutants: whatever is found must be real; prints every finding for a person to judge.

Run as `python -m bench.fuzz_honest [COUNT] [OUT]`; the default is 50,000 mutants of the bundled seeds. OUT is
kept.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bench.fuzz_running import fuzz

from falsum.store.reader import Reading


def main() -> None:
    count = sys.argv[1] if len(sys.argv) > 1 else "50000"
    out = sys.argv[2] if len(sys.argv) > 2 else "/tmp/falsum-honest"
    end = fuzz(out, "--count", count, "--solver", "z3", "--solver", "cvc5", "--solver", "bitwuzla")
    print(f"{end['mutants']} mutants in {end['elapsed']} s: {end['mutants_per_second']} a second")
    print(f"{end['inside_solvers']:.0%} of CPU inside solvers")
    print(f"{end['timeout_share']:.0%} of solver time in time-outs")
    for solver, words in end["said"].items():
        asked = sum(words.values())
        print(f"{solver}: {words}; {1 - words.get('rejected', 0) / asked:.2%} accepted")
    with Reading(Path(out)) as store:
        for one in store.findings():
            print(f"{one.digest} seen {one.count} times: {one.signature}\n    {one.evidence}")
        for batch, place, text in store.faults():
            print(f"fault in batch {batch} at {place}: {text.splitlines()[-1]}")


if __name__ == "__main__":
    main()
