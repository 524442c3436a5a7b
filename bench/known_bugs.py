"""Known solver bugs: which release shows each, and whether a script shows it.

A directory of known bugs has `bugs.tsv`: identifier, kind, releases that show it, release with the fix,
trigger, and seeds that do not show it. A script shows a bug if it gets the same kind of wrong answer from a
release that has the bug, but neither from the first installed release with the fix nor from the newest one.
This does not distinguish two bugs of one kind that were fixed in the same release.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path

from falsum.defects.case import Case
from falsum.defects.kinds.invalid_model import ModelOracle
from falsum.defects.open_points import choose_alike
from falsum.errors import FalsumError
from falsum.smtlib.text.lexer import decode
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause
from falsum.solvers.lab import Lab, LiveLab
from falsum.solvers.lab_views import SubsetLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.versions import is_same_release, parse_version
from falsum.solvers.zoo import Release, Zoo
from falsum.strategies.mutant import Mutant, Seed

_CVC4 = "1.8"
MOST_LOAD = 60  # elapsed seconds in which a solver gets a CPU second
WRONG = {"refutation-soundness": Verdict.UNSAT, "solution-soundness": Verdict.SAT}


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug: `buggy` is an installed release that shows it, `fixed` the first one with the fix."""

    name: str
    kind: str
    theories: str
    buggy: str
    fixed: str
    newest: str
    trigger: Seed
    seeds: tuple[Seed, ...]

    @property
    def is_soundness(self) -> bool:
        return self.kind in WRONG

    @property
    def solvers(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.buggy, self.fixed, self.newest)))


def load(directory: Path, zoo: Zoo) -> list[Bug]:
    """The bugs that an installed release shows with default options."""
    releases = zoo.all()
    with (directory / "bugs.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [bug for row in rows if (bug := _bug(row, directory, releases)) is not None]


def _bug(row: dict[str, str], directory: Path, releases: list[Release]) -> Bug | None:
    if row["config"].startswith("cli:"):
        return None
    mine = _releases_of(row, releases)
    showing = releases_showing(row, releases)
    fixed_releases = _fixed_releases(mine, row["fixed_in"])
    if not showing or not fixed_releases:
        return None
    return Bug(
        row["id"],
        row["kind"],
        row["theories"],
        showing[-1].name,
        fixed_releases[0].name,
        mine[-1].name,
        _seed(directory / row["trigger"]),
        tuple(_seed(directory / name) for name in row["seeds"].split(",") if name),
    )


def _releases_of(row: dict[str, str], releases: list[Release]) -> list[Release]:
    """The installed releases of the product of a bug, the oldest first."""
    products = ("z3",) if row["solver"] == "z3" else ("cvc5", "cvc4")
    mine = sorted((r for r in releases if r.product in products), key=lambda r: parse_version(r.version))
    # cvc4 1.8 comes before cvc5 1.0.
    return sorted(mine, key=lambda r: r.product != "cvc4")


def releases_showing(row: dict[str, str], releases: list[Release]) -> list[Release]:
    """The installed releases that show a bug, the oldest first."""
    return [one for one in _releases_of(row, releases) if _is_listed(one, row["releases"])]


def _is_listed(release: Release, listed: str) -> bool:
    version = parse_version(release.version)
    for part in listed.split(","):
        first, _, last = part.strip().partition("..")
        if (release.product == "cvc4") != is_same_release(release.version, _CVC4):
            continue
        last = last or first
        if release.product == "cvc5" and first == _CVC4:
            first = "1.0"  # `1.8..1.1.2` are cvc4 1.8 and all cvc5 up to 1.1.2
            if last == _CVC4:
                continue
        if parse_version(first) <= version <= parse_version(last):
            return True
    return False


def _fixed_releases(mine: list[Release], fixed_in: str) -> list[Release]:
    if fixed_in.startswith("open"):
        return []
    if "-" not in fixed_in:
        return mine[-1:]
    product, _, version = fixed_in.partition("-")
    return [r for r in mine if r.product == product and parse_version(r.version) >= parse_version(version)]


def _seed(file: Path) -> Seed:
    return Seed(file.stem, decode(file.read_bytes()))


def readable(seed: Seed) -> bool:
    try:
        return bool(seed.script.commands)
    except FalsumError:
        return False


def lab_for(bugs: Iterable[Bug], others: Sequence[str], zoo: Zoo, seconds: float) -> LiveLab:
    """A lab with all releases that the bugs need, and other solvers; the limit is one of CPU time.

    Otherwise what is found would depend on the load. The elapsed time has a limit for solvers that wait.
    """
    names = dict.fromkeys([*(name for bug in bugs for name in bug.solvers), *others])
    limits = Limits(seconds=MOST_LOAD * seconds, cpu=seconds)
    return LiveLab([resolve(name, zoo) for name in names], limits)


def shows(bug: Bug, text: str, lab: Lab) -> bool:
    """Whether a script shows the bug, confirmed in a fresh process."""
    if not _looks_like(bug, text, lab):
        return False
    want = Want.MODEL if bug.kind == "invalid-model" else Want.VERDICT
    warm, cold = lab.ask(Request(bug.buggy, text, want)), lab.ask(Request(bug.buggy, text, want, cold=True))
    return warm.verdicts == cold.verdicts and warm.ending.kind is cold.ending.kind


def _looks_like(bug: Bug, text: str, lab: Lab) -> bool:
    if bug.is_soundness:
        return _contradicts(bug, text, lab)
    if bug.kind == "crash":
        return _crashes(lab.ask(Request(bug.buggy, text))) and not any(
            _crashes(lab.ask(Request(name, text))) for name in (bug.fixed, bug.newest)
        )
    case = Case(Mutant(text), want=Want.MODEL)
    accused = ModelOracle().find(case, SubsetLab(lab, (bug.buggy,)))
    others = tuple(dict.fromkeys((bug.fixed, bug.newest)))
    return accused is not None and ModelOracle().find(case, SubsetLab(lab, others)) is None


def _contradicts(bug: Bug, text: str, lab: Lab) -> bool:
    wrong = WRONG[bug.kind]
    said = lab.ask(Request(bug.buggy, text)).verdicts
    if wrong not in said:
        return False
    answers = [lab.ask(Request(name, text)).verdicts for name in (bug.newest, bug.fixed)]
    right = Verdict.SAT if wrong is Verdict.UNSAT else Verdict.UNSAT
    for mine, newest, fixed in zip_longest(said, *answers):
        if mine is wrong and newest is right and fixed is not wrong:
            return choose_alike(Case(Mutant(text)), bug.solvers, lab)
    return False


def _crashes(answer: Answer) -> bool:
    return answer.crashed and answer.ending.cause is not Cause.SELF_CHECK


@dataclass(slots=True)
class CountingLab:
    """Some solvers of a lab, with a count of the calls that a strategy makes.

    A strategy may limit the elapsed time of its calls. On a busy machine that would be a limit of the load:
    here the CPU time has the limit of the lab.
    """

    lab: Lab
    names: tuple[str, ...]
    count: int = field(default=0)

    @property
    def solvers(self) -> tuple[str, ...]:
        return self.names

    def ask(self, request: Request) -> Answer:
        self.count += 1
        seconds = None if request.seconds is None else MOST_LOAD * request.seconds
        return self.lab.ask(replace(request, seconds=seconds))


def is_step(mutant: Mutant) -> bool:
    """Whether a mutant begins an iteration: an enforcement and the mutants that follow from it are one."""
    first = mutant.lineage[0] if mutant.lineage else ""
    return "solved by" not in first and not first.startswith("valfuzz: the skeleton")


def iterations(mutants: Iterator[Mutant], most: int) -> Iterator[Mutant]:
    """The mutants of the first iterations."""
    count = 0
    for mutant in mutants:
        count += is_step(mutant)
        if count > most:
            return
        yield mutant
