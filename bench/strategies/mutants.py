"""CPU time per mutant made and printed, for every strategy, and whether the mutants read back.

Seeds come from DIRECTORY. Sparrow is also measured for each kind of rule (pst, lpi) and for clauses (cnf). No
solver is asked, and reading a seed is not counted. With `--yinyang`, an interpreter that has yinyang 0.3.0,
its opfuzz and fusion are measured in the same run, all on the seeds that it reads.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from bench.command import command_parser

from falsum.errors import ScriptError
from falsum.smtlib import read_script
from falsum.strategies import ALL, Seed, Strategy
from falsum.strategies.sparrow import Sparrow

SPARROWS: Final = {
    "sparrow pst": Sparrow(rules=("pst",), form="place"),
    "sparrow lpi": Sparrow(rules=("lpi",), form="place"),
    "sparrow both": Sparrow(form="place"),
    "sparrow cnf": Sparrow(form="cnf"),
}
# Reads file names from its standard input; writes the number of mutants and the CPU seconds of each tool.
YINYANG: Final = """
import json, os, sys, time
from types import SimpleNamespace
import yinyang
from yinyang.src.mutators.SemanticFusion.SemanticFusion import SemanticFusion
from yinyang.src.mutators.TypeAwareOpMutation import TypeAwareOpMutation
from yinyang.src.parsing.Parse import parse_file
from yinyang.src.parsing.Typechecker import typecheck
sys.setrecursionlimit(100000)
pipe = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
config = os.path.join(list(yinyang.__path__)[0], "config")
opfuzz = SimpleNamespace(config=config + "/operator_mutations.txt", modulo=1)
fusion = SimpleNamespace(config=config + "/fusion_functions.txt", oracle="sat")
count, names = int(sys.argv[1]), sys.stdin.read().splitlines()
scripts = []
for name in names:
    try:
        script, variables = parse_file(name, silent=True)
        typecheck(script, variables)
    except Exception:
        continue
    if script and script.op_occs:
        scripts.append((name, script))
def measured(mutator, made):
    start, done = time.process_time(), 0
    try:
        for _ in range(made):
            str(mutator.mutate()[0])
            done += 1
    except Exception:
        pass
    return done, time.process_time() - start
def total(runs):
    runs = list(runs)
    return [sum(made for made, _ in runs), sum(seconds for _, seconds in runs)]
pairs = [(a, b) for (_, a), (_, b) in zip(scripts, scripts[1:]) if a.global_vars and b.global_vars]
fused = total(measured(SemanticFusion(a, b, fusion), max(1, count // 20)) for a, b in pairs)
mutated = total(measured(TypeAwareOpMutation(script, opfuzz), count) for _, script in scripts)
pipe.write(json.dumps({"read": [name for name, _ in scripts], "opfuzz": mutated, "fusion": fused}))
"""


def readable_seeds(directory: Path, most: int, longest: int, shortest: int = 0) -> Iterator[Seed]:
    """Seeds in a fixed random order, named by their files."""
    files = sorted(directory.rglob("*.smt2"))
    Random(1).shuffle(files)
    found = 0
    for file in files:
        if found == most:
            return
        if shortest <= file.stat().st_size <= longest:
            seed = Seed(str(file), file.read_bytes().decode(errors="replace"))
            try:
                _ = seed.script
            except ScriptError:
                continue
            found += 1
            yield seed


def measure(strategy: Strategy, seeds: list[Seed], count: int) -> tuple[int, float, int, int]:
    """Mutants made, CPU seconds, unreadable ones in a sample of 1,000, seeds without a mutant."""
    texts: list[str] = []
    without_mutants = 0
    start = time.process_time()
    for number, seed in enumerate(seeds):
        given = [seed, *seeds[: max(strategy.arity - 1, 0)]]
        mutants = [m.text for m in islice(strategy.mutants(given, Random(number), None), count)]
        without_mutants += not mutants
        texts += mutants
    seconds = time.process_time() - start
    unreadable = 0
    for text in texts[:: max(1, len(texts) // 1000)]:
        try:
            read_script(text)
        except ScriptError:
            unreadable += 1
    return len(texts), seconds, unreadable, without_mutants


def report(name: str, made: int, seconds: float, rest: str = "") -> None:
    each = seconds / made * 1000 if made else 0.0
    print(f"{name:16}{made:8} mutants{each:9.3f} ms each{rest}", flush=True)


def yinyang(python: str, seeds: list[Seed], count: int) -> list[Seed]:
    """Measure yinyang; returns the seeds it reads."""
    names = "\n".join(seed.name for seed in seeds)
    command = [python, "-c", YINYANG, str(count)]
    run = subprocess.run(command, input=names, capture_output=True, text=True, check=True)
    output = json.loads(run.stdout)
    read = set(output["read"])
    print(f"yinyang reads {len(read)} of them; on these:")
    for tool in ("opfuzz", "fusion"):
        report(f"yinyang {tool}", *output[tool])
    return [seed for seed in seeds if seed.name in read]


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.strategies.mutants", __doc__)
    made.add_argument("directory", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument("--seeds", type=int, default=300, metavar="N", help="number of seeds (default 300)")
    made.add_argument("--count", type=int, default=20, metavar="N", help="mutants per seed (default 20)")
    made.add_argument("--shortest", type=int, default=0, metavar="BYTES", help="shortest seed (default 0)")
    made.add_argument(
        "--longest", type=int, default=3000, metavar="BYTES", help="longest seed (default 3,000)"
    )
    made.add_argument(
        "--strategy", nargs="+", metavar="NAME", help="only strategies whose name starts like this"
    )
    made.add_argument("--yinyang", metavar="PYTHON", help="interpreter with yinyang 0.3.0")
    return made


def main() -> None:
    options = parser().parse_args()
    seeds = list(readable_seeds(options.directory, options.seeds, options.longest, options.shortest))
    size = sum(len(seed.text) for seed in seeds) // max(1, len(seeds))
    print(f"{len(seeds)} seeds of {options.shortest} to {options.longest} bytes, {size} on average")
    if options.yinyang:
        seeds = yinyang(options.yinyang, seeds, options.count)
    for name, strategy in {**{s.name: s for s in ALL}, **SPARROWS}.items():
        if options.strategy and not name.startswith(tuple(options.strategy)):
            continue
        made, seconds, unreadable, without_mutants = measure(strategy, seeds, options.count)
        report(name, made, seconds, f"; {unreadable} unreadable; {without_mutants} seeds without mutants")


if __name__ == "__main__":
    main()
