"""Prints every script of CORPUS that falsum reads: whether it reads back as the same script, and whether z3
and cvc5 have the same verdicts on it; lists every difference.

Only `sat` against `unsat` is a contradiction. A difference that shows in a warm solver is confirmed in fresh
ones before it is reported.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.command import command_parser
from bench.language.acceptance import HOSTILE, Z3_OTHER, cvc5_flags, scripts
from bench.solvers.warm_solver import WarmSolver

from falsum.errors import ScriptError
from falsum.smtlib import print_script, read_script

if TYPE_CHECKING:
    from collections.abc import Iterator

PRODUCTS: Final = ("z3", "cvc5")
VERDICT: Final = re.compile(r"^(sat|unsat|unknown|timeout)$", re.MULTILINE)
ERROR: Final = re.compile(r'^\(error "(?:line \d+ column \d+: )?(.*?)(?:"\)$|\n)', re.MULTILINE)
# Errors that depend on how far a solver got, not on what it has read.
TRANSIENT: Final = re.compile(r"check annotation|cancel|timeout|model is not available|interrupted")


@dataclass(frozen=True, slots=True)
class SolverOutput:
    """A solver's verdicts and errors for one script."""

    verdicts: tuple[str, ...]
    errors: tuple[str, ...]
    ending: str = ""

    @property
    def misread(self) -> bool:
        """Whether the solver reports an error of syntax or sorts, so that its verdicts mean nothing."""
        return any(not Z3_OTHER.search(error) for error in self.errors)

    @property
    def decided(self) -> bool:
        return not {"sat", "unsat"}.isdisjoint(self.verdicts)


@dataclass(frozen=True, slots=True)
class Difference:
    file: str
    kind: str
    detail: str


@dataclass(slots=True)
class Tally:
    counts: Counter[str] = field(default_factory=Counter[str])
    differences: list[Difference] = field(default_factory=list)

    def note(self, file: str, kind: str, detail: str = "") -> None:
        self.counts[kind] += 1
        self.differences.append(Difference(file, kind, detail))


def ask(warm: WarmSolver, text: str, flags: list[str]) -> SolverOutput:
    milliseconds = int(warm.seconds * 600)
    request = {"mode": "solve", "text": text, "flags": flags, "milliseconds": milliseconds}
    answer = warm.ask(request)
    if "ending" in answer:
        return SolverOutput((), (), str(answer["ending"]))
    output: str = answer["output"]
    errors = [text for where, text in answer["errors"] if where == "parse"]
    errors += [text for text in ERROR.findall(output) if not TRANSIENT.search(text)]
    return SolverOutput(tuple(VERDICT.findall(output)), tuple(errors))


def contradiction(before: SolverOutput, after: SolverOutput) -> str:
    """How a solver's answer to the printed script differs; "" if it does not."""
    if after.ending:
        return "" if after.ending == "timeout" else f"printed: {after.ending}"
    counts = Counter(after.errors) - Counter(before.errors)
    if counts:
        return f"new error: {next(iter(counts))[:200]}"
    for number, (old, new) in enumerate(zip(before.verdicts, after.verdicts, strict=False), 1):
        if {old, new} == {"sat", "unsat"}:
            return f"query {number}: {old}, printed {new}"
    if len(before.verdicts) != len(after.verdicts):
        return f"{len(before.verdicts)} answers, printed {len(after.verdicts)}"
    return ""


def confirmed(product: str, seconds: float, texts: tuple[str, str], flags: list[str]) -> str:
    """The difference in fresh solvers, one for each script, with three times the time."""
    outputs: list[SolverOutput] = []
    for text in texts:
        with WarmSolver(product, seconds=3 * seconds) as fresh:
            outputs.append(ask(fresh, text, flags))
    return "" if outputs[0].ending or outputs[0].misread else contradiction(*outputs)


class Worker:
    """Compares a share of the files with its own warm solvers."""

    def __init__(self, seconds: float, *, solvers: bool) -> None:
        self.seconds = seconds
        names = PRODUCTS if solvers else ()
        self.warm = {name: WarmSolver(name, seconds=seconds) for name in names}
        self.tally = Tally()

    def run(self, root: Path, files: list[Path]) -> Tally:
        for file in files:
            name = str(file.relative_to(root)) if file != root else file.name
            try:
                self.compare(file, name)
            except Exception:
                self.tally.note(name, "traceback", traceback.format_exc(limit=-3))
        for warm in self.warm.values():
            warm.close()
        return self.tally

    def compare(self, file: Path, name: str) -> None:
        self.tally.counts["scripts"] += 1
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
        try:
            script = read_script(text, name)
        except ScriptError:
            self.tally.counts["not read"] += 1
            return
        self.tally.counts["read"] += 1
        printed = print_script(script)
        try:
            again = read_script(printed, name)
        except ScriptError as error:
            self.tally.note(name, "printed, not read again", str(error))
            return
        if again != script:
            self.tally.note(name, "another script", first_change(printed, print_script(again)))
        else:
            self.tally.counts["same script"] += 1
        if not HOSTILE.search(text):
            for product in self.warm:
                self.compare_verdicts(product, name, text, printed)

    def compare_verdicts(self, product: str, name: str, text: str, printed: str) -> None:
        warm = self.warm[product]
        flags = cvc5_flags(text) if product == "cvc5" else []
        text = text.encode(errors="replace").decode()
        before = ask(warm, text, flags)
        reason = before.ending or ("not read" if before.misread else "")
        if reason or not before.decided:
            self.tally.counts[f"{product}: nothing to compare ({reason or 'no verdict'})"] += 1
        if reason:
            return
        after = ask(warm, printed, flags)
        found = contradiction(before, after)
        if found:
            found = confirmed(product, self.seconds, (text, printed), flags)
            if not found:
                self.tally.counts[f"{product}: only when warm"] += 1
        if found:
            self.tally.note(name, f"{product} differs", found)
        elif before.decided:
            self.tally.counts[f"{product}: same verdicts"] += 1


def first_change(one: str, two: str) -> str:
    """The first line in which two printed scripts differ."""
    for number, (left, right) in enumerate(lines_of(one, two), 1):
        if left != right:
            return f"line {number}: {left[:120]!r}, then {right[:120]!r}"
    return "printed the same"


def lines_of(one: str, two: str) -> Iterator[tuple[str, str]]:
    left, right = one.splitlines(), two.splitlines()
    size = max(len(left), len(right))
    left += [""] * (size - len(left))
    right += [""] * (size - len(right))
    return zip(left, right, strict=True)


def compare_all(root: Path, seconds: float, jobs: int, *, solvers: bool) -> Tally:
    files = scripts(root)
    shares = [files[start::jobs] for start in range(jobs)]
    total = Tally()
    with ThreadPoolExecutor(jobs) as pool:
        workers = [Worker(seconds, solvers=solvers) for _ in shares]
        for tally in pool.map(Worker.run, workers, [root] * jobs, shares):
            total.counts += tally.counts
            total.differences += tally.differences
    total.differences.sort(key=lambda difference: (difference.kind, difference.file))
    return total


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.language.round_trip", __doc__)
    made.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument(
        "--seconds", type=float, default=1.0, metavar="S", help="limit of a solver call (default 1)"
    )
    made.add_argument("--jobs", type=int, default=2, metavar="N", help="threads (default 2)")
    made.add_argument("--no-solvers", action="store_true", help="do not compare verdicts")
    made.add_argument("--json", action="store_true", help="write JSON lines")
    return made


def main() -> int:
    args = parser().parse_args()
    start = time.monotonic()
    tally = compare_all(args.corpus, args.seconds, args.jobs, solvers=not args.no_solvers)
    if args.json:
        print(json.dumps({"counts": tally.counts, "seconds": time.monotonic() - start}))
        for difference in tally.differences:
            print(json.dumps(asdict(difference)))
    else:
        for name, count in sorted(tally.counts.items()):
            print(f"{name:<45}{count:>7}")
        print(f"{'seconds':<45}{time.monotonic() - start:>7.0f}")
        for difference in tally.differences:
            print(f"{difference.kind}: {difference.file}\n    {difference.detail}")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
