"""Different bugs per CPU minute with and without a part of the search: schedule, engines, options, histfuzz.

Both sides of a comparison run the same campaigns in turn, with the same random numbers: an old release
against the newest of its product, from the seeds of its known bugs (near) or from the bundled seeds (far).
KNOWN_BUGS has `bugs.tsv` and its seeds. Findings count as one bug if they are of one kind (crash, wrong sat,
wrong unsat, invalid model) and disappear in the same installed release. Prints medians, the two-sided
Mann-Whitney U test and the effect size A12 (0.5: no difference, 1: the second side always does better).
Needs scipy (`pip install falsum[bench]`).
"""

from __future__ import annotations

import argparse
import csv
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.campaign.fuzz_process import fuzz
from bench.command import command_parser
from bench.known_bugs import releases_showing
from bench.significance import effect_size, mann_whitney

from falsum.oracles.case import Case
from falsum.oracles.model import ModelOracle
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import SubsetLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.versions import parse_version
from falsum.solvers.zoo import Zoo
from falsum.store.finding_folder import read
from falsum.store.reader import StoreReader
from falsum.store.records import FindingRecord
from falsum.store.store import FINDINGS
from falsum.strategies import BY_NAME
from falsum.strategies.mutant import Mutant

_WITHOUT_HISTFUZZ = tuple(part for name in BY_NAME if name != "histfuzz" for part in ("-t", name))
_EVEN = ("--schedule", "even", "--no-engines", "--options", "off")
_LEARN = ("--schedule", "learn", "--no-engines", "--options", "off")
# By name: the arguments of the side without, and of the side with.
COMPARISONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "schedule": (_EVEN, _LEARN),
    "engines": (_LEARN, ("--schedule", "learn", "--engines", "--options", "off")),
    "options": (_LEARN, ("--schedule", "learn", "--no-engines", "--options", "safe")),
    "histfuzz": ((*_LEARN, *_WITHOUT_HISTFUZZ), _LEARN),
    "all": ((*_EVEN, *_WITHOUT_HISTFUZZ), ("--schedule", "learn", "--engines", "--options", "safe")),
}


def bugs_in(out: Path, tested: str, lab: LiveLab, later: Sequence[str]) -> set[tuple[str, str]]:
    """The different bugs that a campaign has found in the tested release."""
    with StoreReader(out) as store:
        folders = [finding.folder for finding in store.findings()]
    found = set()
    for folder in folders:
        record = read(out / FINDINGS / folder)
        name = next((s for s in record.suspects if s.split(":")[0] == tested), "")
        kind = _wrong(record, name, lab) if name else ""
        if kind:
            settings = name.removeprefix(tested)
            last = tested
            for release in later:
                lab.add(resolve(f"{release}{settings}", Zoo()))
                if _wrong(record, f"{release}{settings}", lab) != kind:
                    break
                last = release
            found.add((kind, last))
    return found


def _wrong(record: FindingRecord, name: str, lab: LiveLab) -> str:
    """What a release does wrong with the script of a finding; "" if nothing, or if that cannot be told."""
    lab.add(resolve(name, Zoo()))
    want = Want(record.want)
    answer = lab.ask(Request(name, record.script, want, cold=True))
    if answer.crashed:
        return "crash"
    truth = lab.ask(Request(lab.solvers[0], record.script, cold=True)).verdicts
    for mine, right in zip(answer.verdicts, truth, strict=False):
        if mine.contradicts(right):
            return f"wrong {mine}"
    if want is Want.MODEL:
        case = Case(Mutant(record.script), want=want)
        return "model" if ModelOracle().judge(case, SubsetLab(lab, (name,))) is not None else ""
    return ""


@dataclass(frozen=True, slots=True)
class Target:
    """A release to be tested, the newest of its product, those in between and the seeds."""

    name: str
    newest: str
    later: tuple[str, ...]
    seeds: tuple[str, ...]

    def bugs_per_minute(self, arguments: Sequence[str], seconds: float, rng: int) -> float:
        """Different bugs per CPU minute of one campaign."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "out")
            fixed = ("-s", self.name, "-s", self.newest, "-j", "1", "--no-triage", "--for", f"{seconds:g}s")
            end = fuzz(str(out), *self.seeds, *fixed, "--rng", str(rng), *arguments)
            minutes: float = (end["solver_cpu"] + end["own_cpu"]) / 60
            with LiveLab([resolve(self.newest, Zoo())], Limits(seconds=5.0)) as lab:
                return len(bugs_in(out, self.name, lab, self.later)) / minutes


def target(name: str, directory: Path, zoo: Zoo, *, far: bool) -> Target:
    releases = sorted(zoo.all(), key=lambda release: parse_version(release.version))
    tested = resolve(name, zoo).served_release
    mine = [release for release in releases if release.product == tested.product]
    with (directory / "bugs.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if tested in releases_showing(row, mine)]
    near = {str(directory / seed) for row in rows for seed in row["seeds"].split(",") if seed}
    later = tuple(release.name for release in mine[mine.index(tested) + 1 :])
    return Target(name, mine[-1].name, later, () if far else tuple(sorted(near)))


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.ablation", __doc__)
    made.add_argument("known_bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument(
        "comparisons", nargs="*", metavar="COMPARISON", help=f"of {', '.join(COMPARISONS)} (default: all)"
    )
    made.add_argument(
        "--runs", type=int, default=10, metavar="N", help="runs a side and release (default 10)"
    )
    made.add_argument("--seconds", type=float, default=60.0, metavar="S", help="per run (default 60)")
    made.add_argument("--release", action="append", metavar="R", help="tested release (default: z3@4.8.5, …)")
    made.add_argument("--far", action="store_true", help="bundled seeds instead of those of the bugs")
    return made


def main() -> None:
    given = parser().parse_args()
    zoo = Zoo()
    names = given.release or ["z3@4.8.5", "z3@4.8.7", "z3@4.8.10", "cvc5@1.1.0", "cvc5@1.1.2"]
    targets = [target(name, given.known_bugs, zoo, far=given.far) for name in names]
    for comparison in given.comparisons or COMPARISONS:
        rates: tuple[list[float], list[float]] = ([], [])
        for tested in targets:
            for run in range(given.runs):
                for side, arguments in zip(rates, COMPARISONS[comparison], strict=True):
                    side.append(tested.bugs_per_minute(arguments, given.seconds, run))
                shown = " ".join(f"{side[-1]:.2f}" for side in rates)
                print(f"{comparison} {tested.name} run {run}: {shown}", flush=True)
        report(comparison, *rates)


def report(name: str, without: Sequence[float], with_: Sequence[float]) -> None:
    statistic, p = mann_whitney(without, with_)
    print(
        f"{name}: median {statistics.median(without):.2f} without, {statistics.median(with_):.2f} with; "
        f"mean {statistics.mean(without):.2f}, {statistics.mean(with_):.2f}; U = {statistic:g}, "
        f"p = {p:.3f}, A12 = {effect_size(without, with_):.2f} ({len(without)} runs a side)",
        flush=True,
    )


if __name__ == "__main__":
    main()
