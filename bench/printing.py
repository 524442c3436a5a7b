"""Print every script falsum reads: is it the same script, and do the solvers still agree?

    python -m bench.printing CORPUS [--seconds 1] [--jobs 2] [--no-solvers] [--json]

Only `sat` against `unsat` is a contradiction. A difference seen in a warm solver is asked again in
fresh ones before it is reported.
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

from bench.reading import HOSTILE, Z3_OTHER, cvc5_flags, scripts
from bench.warm import WarmSolver

from falsum.errors import ScriptError
from falsum.smtlib import print_script, read_script

if TYPE_CHECKING:
    from collections.abc import Iterator

PRODUCTS: Final = ("z3", "cvc5")
VERDICT: Final = re.compile(r"^(sat|unsat|unknown|timeout)$", re.MULTILINE)
ERROR: Final = re.compile(r'^\(error "(?:line \d+ column \d+: )?(.*?)(?:"\)$|\n)', re.MULTILINE)
# Errors that depend on how far a solver got, not on what it read.
PASSING: Final = re.compile(r"check annotation|cancel|timeout|model is not available|interrupted")


@dataclass(frozen=True, slots=True)
class Said:
    """A solver's verdicts and errors for one text."""

    verdicts: tuple[str, ...]
    errors: tuple[str, ...]
    ending: str = ""

    @property
    def misread(self) -> bool:
        """Whether the solver found an error of syntax or sort; what it says then means nothing."""
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


def ask(warm: WarmSolver, text: str, flags: list[str]) -> Said:
    milliseconds = int(warm.seconds * 600)
    request = {"mode": "solve", "text": text, "flags": flags, "milliseconds": milliseconds}
    answer = warm.ask(request)
    if "ending" in answer:
        return Said((), (), str(answer["ending"]))
    output: str = answer["output"]
    complaints = [text for where, text in answer["errors"] if where == "parse"]
    complaints += [text for text in ERROR.findall(output) if not PASSING.search(text)]
    return Said(tuple(VERDICT.findall(output)), tuple(complaints))


def contradiction(before: Said, after: Said) -> str:
    """What the printed text changed in a solver's eyes; empty when nothing that counts."""
    if after.ending:
        return "" if after.ending == "timeout" else f"printed: {after.ending}"
    fresh = Counter(after.errors) - Counter(before.errors)
    if fresh:
        return f"new error: {next(iter(fresh))[:200]}"
    for number, (old, new) in enumerate(zip(before.verdicts, after.verdicts, strict=False), 1):
        if {old, new} == {"sat", "unsat"}:
            return f"query {number}: {old}, printed {new}"
    if len(before.verdicts) != len(after.verdicts):
        return f"{len(before.verdicts)} answers, printed {len(after.verdicts)}"
    return ""


def confirmed(product: str, seconds: float, texts: tuple[str, str], flags: list[str]) -> str:
    """The same question to fresh solvers, one for each text, with three times the time."""
    said: list[Said] = []
    for text in texts:
        with WarmSolver(product, seconds=3 * seconds) as fresh:
            said.append(ask(fresh, text, flags))
    return "" if said[0].ending or said[0].misread else contradiction(*said)


class Examiner:
    """Examines a share of the files with its own warm solvers."""

    def __init__(self, seconds: float, *, solvers: bool) -> None:
        self.seconds = seconds
        names = PRODUCTS if solvers else ()
        self.warm = {name: WarmSolver(name, seconds=seconds) for name in names}
        self.tally = Tally()

    def run(self, root: Path, files: list[Path]) -> Tally:
        for file in files:
            name = str(file.relative_to(root)) if file != root else file.name
            try:
                self.examine(file, name)
            except Exception:
                self.tally.note(name, "traceback", traceback.format_exc(limit=-3))
        for warm in self.warm.values():
            warm.close()
        return self.tally

    def examine(self, file: Path, name: str) -> None:
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
                self.question(product, name, text, printed)

    def question(self, product: str, name: str, text: str, printed: str) -> None:
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
    """Where two prints of a script part; the same print hides a difference deeper down."""
    for number, (left, right) in enumerate(lines_of(one, two), 1):
        if left != right:
            return f"line {number}: {left[:120]!r}, again {right[:120]!r}"
    return "prints the same"


def lines_of(one: str, two: str) -> Iterator[tuple[str, str]]:
    left, right = one.splitlines(), two.splitlines()
    size = max(len(left), len(right))
    left += [""] * (size - len(left))
    right += [""] * (size - len(right))
    return zip(left, right, strict=True)


def examine_all(root: Path, seconds: float, jobs: int, *, solvers: bool) -> Tally:
    files = scripts(root)
    shares = [files[start::jobs] for start in range(jobs)]
    total = Tally()
    with ThreadPoolExecutor(jobs) as pool:
        examiners = [Examiner(seconds, solvers=solvers) for _ in shares]
        for tally in pool.map(Examiner.run, examiners, [root] * jobs, shares):
            total.counts += tally.counts
            total.differences += tally.differences
    total.differences.sort(key=lambda difference: (difference.kind, difference.file))
    return total


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.printing", description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--seconds", type=float, default=1.0, help="for one script, one solver")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-solvers", action="store_true")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    start = time.monotonic()
    tally = examine_all(given.corpus, given.seconds, given.jobs, solvers=not given.no_solvers)
    if given.json:
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
