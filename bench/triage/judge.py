"""The judge on known soundness bugs of old releases: how often it names the wrong solver, and by which
evidence.

KNOWN_BUGS has `bugs.tsv` and the triggers. Every soundness bug that shows on an installed release is judged
with that release and the jury; the expected verdict is used only to check the judge. Prints the share that is
decided by evidence other than a majority, for quantifier-free bugs and for the others, and whether a solver
that is right is ever blamed. Exit code 1 if one is.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.command import command_parser
from packaging.version import Version

from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.judge import judge
from falsum.errors import FalsumError
from falsum.smtlib.text.lexer import decode
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.versions import UNKNOWN, parse_version
from falsum.solvers.zoo import Zoo

_JURY = ("z3", "cvc5", "bitwuzla", "yices", "boolector", "cvc4", "z3@4.8.10.0", "z3@4.12.6.0", "cvc5@1.1.2")
_KINDS = frozenset({"refutation-soundness", "solution-soundness"})
_MAJORITY = "by majority"
_NAMED = "named"
_BLAMED = "BLAMED THE RIGHT ONE"


@dataclass(frozen=True, slots=True)
class Bug:
    name: str
    text: str
    expected: tuple[str, ...]
    observed: tuple[str, ...]
    solvers: tuple[str, ...]
    kind: str


def bugs(folder: Path, zoo: Zoo) -> Iterator[Bug]:
    """Soundness bugs, each with the installed releases that should show it."""
    with (folder / "bugs.tsv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["kind"] not in _KINDS:
                continue
            text = decode((folder / row["trigger"]).read_bytes())
            shown = tuple(_installed(row, zoo))
            expected, observed = (tuple(row[column].split(",")) for column in ("expected", "observed"))
            kind = "quantified" if "Quant" in row["theories"] else "quantifier-free"
            yield Bug(row["id"], text, expected, observed, shown, kind)


def _installed(row: dict[str, str], zoo: Zoo) -> Iterator[str]:
    products = ("cvc4", "cvc5") if row["solver"] == "cvc4/cvc5" else (row["solver"],)
    options = row["config"].removeprefix("cli:").split() if row["config"].startswith("cli:") else []
    listed = ",".join(option.lstrip("-") + ("" if "=" in option else "=true") for option in options)
    for release in zoo.all():
        if release.product in products and _is_within(release.version, row["releases"]):
            yield release.name + (f":{listed}" if listed else "")


def _is_within(release: str, ranges: str) -> bool:
    for piece in ranges.split(","):
        first, _, last = piece.strip().partition("..")
        if _version(first) <= _version(release) <= _version(last or first):
            return True
    return False


def _version(release: str) -> Version:
    # cvc4 1.8 is older than cvc5 0.0.2.
    return UNKNOWN if release == "1.8" else parse_version(release)


def rating(bug: Bug, judgement: Judgement, lab: LiveLab) -> str:
    """How well the judge did."""
    wrong = _wrong(bug, judgement, lab)
    if set(judgement.suspects) - wrong:
        return f"{_BLAMED}: {', '.join(sorted(set(judgement.suspects) - wrong))}"
    if judgement.defect == Defect.UNDECIDED:
        return "undecided"
    if judgement.defect not in (Defect.REFUTATION_UNSOUNDNESS, Defect.SOLUTION_UNSOUNDNESS):
        return f"only {judgement.defect}"
    return _MAJORITY if judgement.by_majority else _NAMED


def _wrong(bug: Bug, judgement: Judgement, lab: LiveLab) -> set[str]:
    """The solvers whose verdict is not the expected one."""
    expected = bug.expected[judgement.check] if judgement.check < len(bug.expected) else ""
    found = set()
    for solver in lab.solvers:
        said = lab.ask(Request(solver, bug.text, cold=True)).verdicts
        if judgement.check < len(said) and said[judgement.check] not in (expected, "unknown"):
            found.add(solver)
    return found


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.triage.judge", __doc__)
    made.add_argument("known_bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument("--files", type=int, metavar="N", help="number of bugs (default: all)")
    made.add_argument("--match", default="", metavar="TEXT", help="only bugs whose name contains TEXT")
    made.add_argument("--jury", action="append", metavar="S", help=f"default: {' '.join(_JURY)}")
    made.add_argument(
        "--timeout", type=float, default=4.0, metavar="S", help="limit of a solver call (default 4)"
    )
    made.add_argument(
        "--only", choices=("quantified", "quantifier-free"), help="only bugs of this kind (default: both)"
    )
    made.add_argument("--verbose", action="store_true", help="print the evidence")
    return made


def main() -> None:
    args = parser().parse_args()
    jury = tuple(args.jury or _JURY)
    zoo = Zoo()
    counts: dict[str, Counter[str]] = {}
    evidence: Counter[str] = Counter()
    number = 0
    for bug in bugs(args.known_bugs, zoo):
        if args.match not in bug.name or args.only not in (None, bug.kind):
            continue
        if args.files is not None and number >= args.files:
            break
        number += 1
        start = time.monotonic()
        try:
            outcome, judgement = _judged(bug, jury, zoo, args.timeout)
        except FalsumError as error:
            outcome, judgement = f"ERROR {error}", None
        counts.setdefault(bug.kind, Counter())[outcome.partition(":")[0]] += 1
        shown_judgement = (
            f"{judgement.defect} {', '.join(judgement.suspects)} [{_kinds(judgement)}]" if judgement else ""
        )
        seconds = time.monotonic() - start
        print(f"{bug.name:40.40} {bug.kind:15} {outcome:12} {shown_judgement}  {seconds:.1f} s", flush=True)
        if judgement and outcome == _NAMED:
            evidence[judgement.evidence[0].kind] += 1
        if args.verbose and judgement:
            for each in judgement.evidence:
                print(f"    {each.kind}: {each.text}\n{each.details}")
    for kind, count in counts.items():
        print(_summary(kind, count))
    print(f"first evidence: {dict(evidence)}")
    sys.exit(any(count[_BLAMED] for count in counts.values()))


def _summary(kind: str, count: Counter[str]) -> str:
    shown = count.total() - count["not shown"]
    share = f"{100 * count[_NAMED] / shown:.1f} %" if shown else "nothing"
    return f"{kind}: {shown} bugs shown, {share} decided by evidence other than a majority; {dict(count)}"


def _judged(bug: Bug, jury: tuple[str, ...], zoo: Zoo, timeout: float) -> tuple[str, Judgement | None]:
    """The judgement for the first installed release that shows the bug."""
    for name in bug.solvers:
        solvers = {resolve(each, zoo).name: resolve(each, zoo) for each in (name, *jury)}
        with LiveLab(solvers.values(), Limits(seconds=timeout)) as lab:
            said = tuple(map(str, lab.ask(Request(name, bug.text, cold=True)).verdicts))
            if not any(
                one == wrong != right
                for one, wrong, right in zip(said, bug.observed, bug.expected, strict=False)
            ):
                continue
            judgement = judge(bug.text, (name,), tuple(solvers), lab)
            return rating(bug, judgement, lab), judgement
    return "not shown", None


def _kinds(judgement: Judgement) -> str:
    return ", ".join(each.kind for each in judgement.evidence)


if __name__ == "__main__":
    main()
