"""Lines, functions and branches of a solver that the seeds, falsum's strategies and yinyang's tools reach.

PROGRAM is a solver's program with coverage, as `python -m bench.solvers.build bitwuzla BUILDS --coverage`
makes it, and BUILD the folder it was built in. Every side gets the same seeds of CORPUS and the same number
of mutants of each; each mutant is run in a process of its own, so that all sides are counted alike. `falsum`
is all strategies in turn, `campaign` is `falsum fuzz` with safe options and engines. `--yinyang` adds
opfuzz, typefuzz and fusion. Results are kept in DIRECTORY; an interrupted run continues.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from bench import charts
from bench.campaign.fuzz_process import fuzz
from bench.command import command_parser
from bench.coverage.gcov import reached
from bench.experiment import Experiment, Record
from bench.strategies.mutants import readable_seeds

from falsum.errors import FalsumError
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME, Seed, find_strategy

LONGEST = 3000
# How each product is told its time limit, so that it ends by itself and writes its counts.
LIMITS = {"bitwuzla": "--time-limit={milliseconds}", "z3": "-T:{seconds}"}
SECONDS = 2
TOOLS = ("opfuzz", "typefuzz", "fusion")
WHOLE, CAMPAIGN, SEEDS = "falsum", "campaign", "seeds"


@dataclass(frozen=True)
class Comparison:
    """One program, the seeds, and the number of mutants of each."""

    program: Path
    build: Path
    seeds: tuple[Seed, ...]
    each: int
    yinyang: Path | None = None
    within: str = "/src/"

    @property
    def limit(self) -> str:
        form = LIMITS.get(self.program.name, "")
        return form.format(milliseconds=SECONDS * 1000, seconds=SECONDS)

    def sides(self) -> list[str]:
        tools = [f"yinyang {name}" for name in TOOLS] if self.yinyang is not None else []
        return [SEEDS, *BY_NAME, WHOLE, CAMPAIGN, *tools]

    def measure(self, side: str) -> dict[str, Any]:
        """Scripts, CPU seconds of the program, and what was reached, the seeds included."""
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder, "data")
            before = _cpu()
            count = self.run(data, (seed.text for seed in self.seeds))
            if side.startswith("yinyang "):
                count += self._yinyang(side.removeprefix("yinyang "), data, Path(folder))
            elif side == CAMPAIGN:
                count += self._campaign(data, Path(folder))
            elif side != SEEDS:
                count += self.run(data, self.mutants(side))
            spent = _cpu() - before
            return {
                "scripts": count, "cpu": round(spent, 1), **reached(self.build, data, self.within).counts()
            }  # fmt: skip

    def run(self, data: Path, scripts: Iterator[str]) -> int:
        """Run the program on scripts, one process each."""
        count = 0
        for script in scripts:
            subprocess.run(
                [str(self.program), *filter(None, [self.limit])] + (["-in"] if self._is_z3 else []),
                input=script.encode(errors="surrogateescape"),
                env=os.environ | {"GCOV_PREFIX": str(data)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=60,
                check=False,
            )
            count += 1
        return count

    @property
    def _is_z3(self) -> bool:
        return self.program.name == "z3"

    def mutants(self, side: str) -> Iterator[str]:
        """So many mutants of each seed; of all strategies in turn if the side is falsum as a whole."""
        with LiveLab([resolve(name, Zoo()) for name in ("z3", "bitwuzla")], Limits(seconds=1.0)) as lab:
            for number, seed in enumerate(self.seeds):
                names = list(BY_NAME) if side == WHOLE else [side]
                names = names[number % len(names) :] + names[: number % len(names)]
                made = 0
                while made < self.each and names:
                    strategy = find_strategy(names[0], BY_NAME)
                    partners = [self.seeds[(number + step) % len(self.seeds)] for step in range(4)]
                    given = [seed, *partners[1 : max(strategy.arity, 1)]][: max(strategy.arity, 0)]
                    share = -(-self.each // len(BY_NAME)) if side == WHOLE else self.each
                    most = min(share, self.each - made)
                    try:
                        for mutant in islice(strategy.mutants(given, Random(number), lab), most):
                            made += 1
                            yield mutant.text
                    except FalsumError as error:
                        print(f"{names[0]} on {seed.name}: {error}", file=sys.stderr)
                    names = names[1:]

    def _campaign(self, data: Path, folder: Path) -> int:
        seeds = self._written(folder)
        most = str(self.each * len(self.seeds))
        fixed = ("-j", "1", "--rng", "1", "--no-triage", "--timeout", str(SECONDS), "--coverage", str(data))
        end = fuzz(
            str(folder / "out"), str(seeds), "-s", str(self.program), "-s", "z3", "--count", most, *fixed
        )
        return int(end["mutants"])

    def _yinyang(self, tool: str, data: Path, folder: Path) -> int:
        """One of yinyang's tools; returns its mutants.

        It wants two solvers: the second one repeats what the program has said.
        """
        assert self.yinyang is not None
        seeds = self._written(folder)
        first, second, calls = folder / "first", folder / "second", folder / "calls"
        first.write_text(
            f'#!/bin/sh\necho >> {calls}\n{self.program} {self.limit} "$@" | tee {folder}/said\n'
        )
        second.write_text(f"#!/bin/sh\ncat {folder}/said\n")
        for script in (first, second):
            script.chmod(0o755)
        calls.touch()
        program = self.yinyang / ("yinyang" if tool == "fusion" else tool)
        words = ["-o", "sat"] if tool == "fusion" else []
        limits = ["-i", str(self.each), "-t", str(2 * SECONDS)]
        argv = [str(program), *words, *limits, f"{first};{second}", str(seeds)]
        ran = subprocess.run(
            argv, cwd=folder, env=os.environ | {"GCOV_PREFIX": str(data)}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        if "Runtime error" in ran.stdout + ran.stderr:
            print(f"yinyang {tool}: {(ran.stdout + ran.stderr).strip()[-300:]}", file=sys.stderr)
        return len(calls.read_text())

    def _written(self, folder: Path) -> Path:
        """The seeds as files."""
        home = folder / "seeds"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        for number, seed in enumerate(self.seeds):
            (home / f"{number:04}.smt2").write_text(seed.text, encoding="utf-8", errors="surrogateescape")
        return home


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compare(
    directory: Path, name: str, title: str, comparison: Comparison, sides: Sequence[str], kinds: Sequence[str]
) -> list[Record]:
    """Measure the sides, and write the table and the chart."""
    units = [
        {"side": side, "program": comparison.program.name, "seeds": len(comparison.seeds),
         "each": comparison.each}
        for side in sides
    ]  # fmt: skip
    experiment = Experiment(directory, name)
    records = experiment.run(units, lambda unit: comparison.measure(unit["side"]))
    base = next((one.result for one in records if one.unit["side"] == SEEDS), records[0].result)
    rows, bars = [], {}
    for record in records:
        result, side = record.result, record.unit["side"]
        shares = {kind: 100 * result[kind] / max(1, result[f"all_{kind}"]) for kind in kinds}
        gains = {kind: shares[kind] - 100 * base[kind] / max(1, base[f"all_{kind}"]) for kind in kinds}
        texts = [f"{shares[kind]:.1f} (+{gains[kind]:.1f})" for kind in kinds]
        rows.append([side, result["scripts"], result["cpu"], *texts])
        bars[side] = shares
    print(
        experiment.write(
            title,
            ("side", "scripts", "CPU s", *(f"{kind} % (gain)" for kind in kinds)),
            rows,
            note=f"{len(comparison.seeds)} seeds, {comparison.each} mutants of each.",
            chart=lambda file: charts.bars(file, bars, "reached (%)"),
        )
    )
    return records


def comparison_of(
    program: Path, build: Path, corpus: Path, count: int, each: int, yinyang: Path | None, accept: bool = True
) -> Comparison:
    """Seeds of the corpus that the program accepts, so that no side wins by being rejected."""
    taken: Callable[[Seed], bool] = lambda seed: not accept or _accepts(program, seed)  # noqa: E731
    seeds = islice((seed for seed in readable_seeds(corpus, 10**9, LONGEST) if taken(seed)), count)
    return Comparison(program.absolute(), build.absolute(), tuple(seeds), each, yinyang)


def _accepts(program: Path, seed: Seed) -> bool:
    ran = subprocess.run(
        [str(program), *(["-in", "-T:2"] if program.name == "z3" else ["--time-limit=2000"])],
        input=seed.text.encode(errors="surrogateescape"), capture_output=True, timeout=60, check=False,
        env=os.environ | {"GCOV_PREFIX": "/nonexistent"},
    )  # fmt: skip
    return ran.returncode == 0 and b"sat" in ran.stdout and b"error" not in ran.stdout + ran.stderr


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.coverage.solver_code", __doc__)
    made.add_argument("program", type=Path, metavar="PROGRAM", help="program built with coverage")
    made.add_argument("build", type=Path, metavar="BUILD", help="folder it was built in")
    made.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument("directory", type=Path, metavar="DIRECTORY", help="where results are kept")
    made.add_argument("--seeds", type=int, metavar="N", help="number of seeds (default 200; small: 20)")
    made.add_argument("--each", type=int, metavar="N", help="mutants of a seed (default 100; small: 10)")
    made.add_argument("--yinyang", type=Path, metavar="YINYANG_BIN", help="folder with yinyang's programs")
    made.add_argument("--side", action="append", metavar="NAME", help="only this side (default: all)")
    made.add_argument("--small", action="store_true", help="a version of some minutes")
    return made


def main() -> None:
    args = parser().parse_args()
    seeds, each = args.seeds or (20 if args.small else 200), args.each or (10 if args.small else 100)
    comparison = comparison_of(args.program, args.build, args.corpus, seeds, each, args.yinyang)
    compare(
        args.directory, f"coverage-{args.program.name}", f"Code of {args.program.name} that was reached",
        comparison, args.side or comparison.sides(), ("lines", "functions", "branches"),
    )  # fmt: skip


if __name__ == "__main__":
    main()
