"""Mutation testing of what finds and judges wrong answers: which small faults in it no test notices.

Each mutant is one changed comparison, connective, condition, number, return value or call in a module; it is
killed if a test that calls the changed function fails. mutmut 3.8 does not run here (it reads an attribute of
tests that pytest no longer has), and cosmic-ray starts a new interpreter for each mutant, which takes longer
than most of the tests. So this collects the tests once, runs them once to see which functions each calls, and
then forks for every mutant: the child gives the function its changed code and runs the tests that call it,
fastest first. Faults in what runs at import take a child that imports everything again.

Survivors are printed with the changed line; those that are known, with the reason why no test can or should
notice them, are listed in docs/oracles.md. With `--results FILE` a run that was interrupted goes on where it
was; a module whose code has changed is run again.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from bench.command import command_parser
from bench.quality.faults import ROOT, SOURCE, MutatedModule, mutants_of
from bench.quality.forked_tests import run_functions, run_import, tested_functions

_MUTATED = (
    "defects",
    "api/checks",
    "solvers/output.py",
)
_TESTS = (
    "tests/defects",
    "tests/api/checks",
    "tests/solvers/test_output.py",
)
# Loaded once, for all children; nothing of what is mutated.
_LOADED = (
    "click", "rich", "msgspec", "packaging.version", "cachetools",
    "falsum.smtlib.theories", "falsum.smtlib.at_check", "falsum.smtlib.models.reader",
    "falsum.smtlib.evaluation.evaluator", "falsum.solvers.profiles",
)  # fmt: skip


def mutants() -> Iterator[MutatedModule]:
    for place in _MUTATED:
        root = SOURCE / place
        for path in sorted(root.rglob("*.py")) if root.is_dir() else (root,):
            if path.name != "__init__.py":
                yield from mutants_of(path)


class Results:
    """How mutants ended, kept as JSON lines in a file if there is one; the last line of a mutant counts."""

    def __init__(self, kept: Path | None) -> None:
        self.kept = kept
        self.endings: dict[str, str] = {}
        self.read()

    def read(self) -> None:
        if self.kept is not None and self.kept.exists():
            rows = map(json.loads, self.kept.read_text(encoding="utf-8").splitlines())
            self.endings.update((row["mutant"], row["ended"]) for row in rows)

    def has(self, mutant: MutatedModule) -> bool:
        return self.endings.get(mutant.identity, "not planted") != "not planted"

    def add(self, mutant: MutatedModule, ended: str) -> None:
        self.endings[mutant.identity] = ended
        if self.kept is not None:
            row = {"mutant": mutant.identity, "at": str(mutant), "ended": ended}
            self.kept.parent.mkdir(parents=True, exist_ok=True)
            with self.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")

    def waiting(self, found: Sequence[MutatedModule], *, again: bool) -> list[MutatedModule]:
        """The mutants without a result, or those that were not killed before: a busy machine times out."""
        if again:
            return [each for each in found if self.endings.get(each.identity) in ("survived", "timeout")]
        return [each for each in found if not self.has(each)]

    def report(self, found: Sequence[MutatedModule]) -> str:
        """Survivors, and how many were killed in each module."""
        ended = [(each, self.endings[each.identity]) for each in found if self.has(each)]
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for mutant, how in ended:
            counts[mutant.file][how] += 1
            counts["all"][how] += 1
        rows = [f"survived: {mutant}" for mutant, how in ended if how == "survived"]
        for file, count in sorted(counts.items()):
            killed = count.total() - count["survived"]
            share = 100 * killed / count.total()
            rows.append(f"{file}: {count.total()} mutants, {killed} killed ({share:.1f} %)")
        return "\n".join(rows)


def run(waiting: Sequence[MutatedModule], results: Results) -> None:
    done, started = 0, time.monotonic()
    shown = os.dup(sys.stderr.fileno())  # children write to /dev/null

    def report(mutant: MutatedModule, ended: str) -> None:
        nonlocal done
        done += 1
        results.add(mutant, ended)
        pace = (time.monotonic() - started) / done
        os.write(shown, f"{done} of {len(waiting)} ({pace:.2f} s each): {ended}: {mutant}\n".encode())

    with tempfile.TemporaryDirectory() as folder:
        pilot = results.kept.with_suffix(".tests.json") if results.kept else Path(folder) / "tests.json"
        pilot.parent.mkdir(parents=True, exist_ok=True)
        tested = tested_functions(_TESTS, {str(each.path) for each in mutants()}, pilot)
        results.kept = results.kept or Path(folder) / "results.jsonl"
        started = time.monotonic()
        run_functions(_TESTS, [each for each in waiting if tested.of(each)], tested, report)
        results.read()  # what the child has written
        for name in _LOADED:
            importlib.import_module(name)
        rest = [each for each in waiting if not tested.of(each) or not results.has(each)]
        done = len(waiting) - len(rest)
        for mutant in rest:
            report(mutant, run_import(mutant, tested))


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.quality.mutants", __doc__)
    made.add_argument(
        "--sample", type=int, metavar="N", help="only N mutants, drawn at random (default: all)"
    )
    made.add_argument("--rng", type=int, default=1, metavar="N", help="for the sample (default 1)")
    made.add_argument("--match", default="", metavar="TEXT", help="only modules whose path contains TEXT")
    made.add_argument(
        "--results", type=Path, metavar="FILE", help="keep results here; skip mutants that have one"
    )
    made.add_argument("--again", action="store_true", help="run the survivors and time-outs in FILE again")
    made.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    return made


def main() -> None:
    args = parser().parse_args()
    results = Results(args.results.absolute() if args.results else None)
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    found = [each for each in mutants() if args.match in each.path.as_posix()]
    found = Random(args.rng).sample(found, min(len(found), args.sample or len(found)))
    if args.list:
        print("\n".join(map(str, found)))
        return
    waiting = results.waiting(found, again=args.again)
    if waiting:
        run(waiting, results)
    print(results.report(found))


if __name__ == "__main__":
    main()
