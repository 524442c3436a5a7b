"""What a mutant costs, and whether it reads back: CPU per mutant made and printed, for every strategy.

python -m bench.mutants DIRECTORY [--seeds 300] [--count 20] [--longest 3000]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from falsum.errors import ScriptError
from falsum.smtlib import read_script
from falsum.strategies import ALL, Seed, Strategy


def readable_seeds(directory: Path, most: int, longest: int) -> Iterator[Seed]:
    """Seeds in a shuffled order that is always the same."""
    files = sorted(directory.rglob("*.smt2"))
    Random(1).shuffle(files)
    found = 0
    for file in files:
        if found == most:
            return
        if file.stat().st_size <= longest:
            seed = Seed(file.name, file.read_bytes().decode(errors="replace"))
            try:
                _ = seed.script
            except ScriptError:
                continue
            found += 1
            yield seed


def measure(strategy: Strategy, seeds: list[Seed], count: int) -> tuple[int, float, int, int]:
    """Mutants made, CPU seconds, mutants our reader refuses, seeds without a mutant."""
    texts: list[str] = []
    barren = 0
    start = time.process_time()
    for number, seed in enumerate(seeds):
        given = [seed, *seeds[: max(strategy.arity - 1, 0)]]
        made = [m.text for m in islice(strategy.mutants(given, Random(number), None), count)]
        barren += not made
        texts += made
    seconds = time.process_time() - start
    refused = 0
    for text in texts:
        try:
            read_script(text)
        except ScriptError:
            refused += 1
    return len(texts), seconds, refused, barren


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--longest", type=int, default=3000)
    options = parser.parse_args()
    seeds = list(readable_seeds(options.directory, options.seeds, options.longest))
    print(f"{len(seeds)} seeds of at most {options.longest} bytes")
    for strategy in ALL:
        made, seconds, refused, barren = measure(strategy, seeds, options.count)
        each = seconds / made * 1000 if made else 0.0
        cost = f"{made:7} mutants{each:8.3f} ms each"
        print(f"{strategy.name:12}{cost}; {refused} unreadable; {barren} barren seeds")


if __name__ == "__main__":
    main()
