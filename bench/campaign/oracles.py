"""What an oracle costs, and whether it is silent: every mutant is put to it, as if its share were 1.

Mutants of all strategies that need one seed are made from the seeds in CORPUS. For each oracle: of how many
mutants it asked anything, requests and CPU seconds beyond those of the mutant itself, the cost as a part of
the CPU of the mutants when it runs on its share of them, and what it found. Findings are confirmed and stored
in the directory of `--out`. With `--as-is`, the scripts of CORPUS themselves are put to the oracles: known
bugs on an old release, for example.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random

from bench.command import command_parser

from falsum.app.own_script import completed
from falsum.defects import ALL, Oracle, oracle_named
from falsum.defects.case import Case
from falsum.defects.confirmation import confirmed
from falsum.errors import FalsumError
from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import RecordingLab, TimeLimitLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.records import record_of
from falsum.strategies import BY_NAME, Mutant, Seed

_PROGRESS_SECONDS = 60.0


class Measure:
    """Oracles on the mutants of a run."""

    def __init__(self, oracles: list[Oracle], lab: LiveLab, warm_seconds: float, out: Path | None) -> None:
        self.oracles = oracles
        self.lab = lab
        self.warm = TimeLimitLab(lab, warm_seconds)
        self.out = out
        self.mutants = 0
        self.cpu = 0.0
        self.counts: dict[str, Counter[str]] = {oracle.name: Counter() for oracle in oracles}
        self.costs: dict[str, float] = dict.fromkeys(self.counts, 0.0)
        self.known: set[str] = set()

    def take(self, case: Case, strategy: str) -> bool:
        """Put a mutant to the oracles; whether a solver decides it in time."""
        before = self.lab.usage.cpu + time.process_time()
        answers = [self.warm.ask(Request(solver, case.text, case.want)) for solver in self.lab.solvers]
        self.cpu += self.lab.usage.cpu + time.process_time() - before
        self.mutants += 1
        if all(answer.ending.kind is not EndingKind.FINISHED for answer in answers):
            return False
        for oracle in self.oracles:
            if oracle.want in (Want.VERDICT, case.want):
                self._judge(oracle, case, strategy)
        return True

    def _judge(self, oracle: Oracle, case: Case, strategy: str) -> None:
        counts, usage = self.counts[oracle.name], self.lab.usage
        before, asked = usage.cpu + time.process_time(), usage.warm + usage.cold
        recorded = RecordingLab(self.warm)
        first = oracle.find(case, recorded)
        more = usage.warm + usage.cold - asked
        counts["asked"] += bool(more)
        counts["requests"] += more
        self.costs[oracle.name] += usage.cpu + time.process_time() - before
        if first is None or first.signature in self.known:
            return
        self.known.add(first.signature)
        found = confirmed(oracle, first, self.lab)
        if found is None:
            counts["not confirmed"] += 1
            return
        counts[f"found {found.kind}"] += 1
        print(f"{strategy}: {found.kind}: {found.evidence}", flush=True)
        if self.out is not None:
            solvers = {name: resolve(name, Zoo()) for name in self.lab.solvers}
            self.out.mkdir(parents=True, exist_ok=True)
            finding_folder.write(self.out, record_of(completed(found, solvers), strategy, "0", 0, 0))

    def print_table(self) -> None:
        print(f"{self.mutants} mutants, {self.cpu:.1f} s of CPU")
        print(f"{'oracle':16}{'every':>6}{'asked':>8}{'requests':>9}{'CPU s':>9}{'cost':>8}  findings")
        for oracle in self.oracles:
            counts, spent = self.counts[oracle.name], self.costs[oracle.name]
            cost = spent / oracle.every / self.cpu if self.cpu else 0.0
            rest = {name: n for name, n in counts.items() if name.startswith(("found", "not"))}
            print(
                f"{oracle.name:16}{oracle.every:6}{counts['asked']:8}{counts['requests']:9}{spent:9.1f}"
                f"{cost:8.2%}  {rest or 'none'}",
                flush=True,
            )


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.oracles", __doc__)
    made.add_argument("corpus", metavar="CORPUS", type=Path, help="directory of scripts")
    made.add_argument("--oracle", action="append", help="one of the oracles (default: all that ask more)")
    made.add_argument("--solver", action="append", help="default: z3 and cvc5")
    made.add_argument("--count", type=int, default=1000, help="mutants (default 1000)")
    made.add_argument("--each", type=int, default=5, help="mutants of a seed and strategy (default 5)")
    made.add_argument("--seconds", type=float, default=0.5, help="limit for a warm request (default 0.5)")
    made.add_argument("--as-is", action="store_true", help="the scripts themselves instead of mutants")
    made.add_argument("--rng", type=int, default=1, help="random number (default 1)")
    made.add_argument("--out", type=Path, help="directory for findings")
    return made


def main() -> None:
    args = parser().parse_args()
    names = args.oracle or [oracle.name for oracle in ALL if oracle.every > 1 and not oracle.needs_history]
    files = [file for file in sorted(args.corpus.rglob("*.smt2")) if file.stat().st_size < 20_000]
    rng = Random(args.rng)
    strategies = [strategy for strategy in BY_NAME.values() if strategy.arity == 1]
    shown = time.monotonic()
    with LiveLab(
        [resolve(name, Zoo()) for name in args.solver or ("z3", "cvc5")], Limits(seconds=10.0)
    ) as lab:
        measure = Measure([oracle_named(name) for name in names], lab, args.seconds, args.out)
        for file in files[: args.count] if args.as_is else ():
            text = file.read_bytes().decode(errors="replace")
            measure.take(Case(Mutant(text, lineage=(file.name,))), file.name)
        while not args.as_is and measure.mutants < args.count:
            file, strategy = rng.choice(files), rng.choice(strategies)
            seed = Seed(str(file), file.read_bytes().decode(errors="replace"))
            try:
                for mutant in islice(strategy.mutants((seed,), rng, measure.warm), args.each):
                    want = Want.MODEL if rng.random() < 0.5 else Want.VERDICT
                    if not measure.take(Case(mutant, (seed,), want), strategy.name):
                        break
            except FalsumError:
                continue
            if time.monotonic() - shown > _PROGRESS_SECONDS:
                shown = time.monotonic()
                measure.print_table()
        measure.print_table()


if __name__ == "__main__":
    main()
