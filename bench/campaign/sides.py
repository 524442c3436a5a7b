"""Sides of a comparison: ways to look for bugs in a release with the same seeds and the same CPU time.

Each side runs in a folder of its own and returns scripts with what they are believed to show. Sides are
falsum as a whole, falsum without one of its parts, one strategy alone, an earlier falsum, scripts made at
random, and the tools of yinyang.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from falsum.smtlib.text.lexer import decode
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.supervision import cpu_limit
from falsum.solvers.supervision.cpu_limit import CpuHistory
from falsum.solvers.zoo import Zoo
from falsum.store.finding_folder import read
from falsum.store.reader import StoreReader
from falsum.store.store import FINDINGS
from falsum.strategies import BY_NAME

_FALSUM = (
    sys.executable,
    "-c",
    "from falsum.app.main import main\nif __name__ == '__main__': main()",
)
_LIMIT = "2"  # seconds for a solver, in all tools
_ITERATIONS = "30"  # of yinyang with a seed; it is started again until its CPU time is used
_MOST_STARTS = 20  # some of its runs end at once, with an error over a seed
_ASKING_MORE = frozenset({"core", "assumptions", "optimum", "proof", "law"})
_REFUSAL_SHARE = 0.2  # of the CPU time; it goes on until it is interrupted
_SHORTEST = 1.0  # CPU seconds; less is left unused


@dataclass(frozen=True, slots=True)
class Hunt:
    """What all sides of a comparison share: the tested release, the one it is compared with, the seeds.

    `programs` are the two as command lines; `sat` and `unsat` are the seeds whose status is known.
    """

    tested: str
    reference: str
    programs: tuple[str, str]
    seeds: tuple[Path, ...]
    sat: tuple[Path, ...]
    unsat: tuple[Path, ...]
    cpu_seconds: float
    rng: int

    @property
    def longest(self) -> float:
        """A limit of elapsed seconds, for tools that wait more than they work."""
        return 6 * self.cpu_seconds + 60


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A script that is believed to show a bug of `solver`, which may have settings.

    `oracle` is the one of falsum that says so, if it is about more than the answers to the script; `cpu` are
    the CPU seconds after which it was there, and `seeds` the names of the seeds, where they are known.
    """

    script: str
    solver: str
    want: Want
    oracle: str = ""
    cpu: float = 0.0
    seeds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Yield:
    """What a side has found, and the CPU seconds it took."""

    suspicions: tuple[Suspicion, ...]
    cpu: float


Side = Callable[[Hunt, Path], Yield]


def falsum(arguments: Sequence[str], program: Sequence[str] = _FALSUM) -> Side:
    """falsum with these arguments; `program` starts it."""

    def side(hunt: Hunt, folder: Path) -> Yield:
        seeds = [str(seed) for seed in hunt.seeds]
        fixed = ("-s", hunt.tested, "-s", hunt.reference, "-j", "1", "--no-triage", "--timeout", _LIMIT)
        command = (*program, "fuzz", *seeds, *fixed, "--rng", str(hunt.rng), "--out", "out", *arguments)
        history = CpuHistory()
        used = cpu_limit.run(command, hunt.cpu_seconds, folder, elapsed=hunt.longest, history=history)
        # It refused to start, which is not finding nothing; nor is having no use for the seeds.
        if used < _REFUSAL_SHARE * hunt.cpu_seconds and not (folder / "out").exists():
            told = (folder / "output.txt").read_text(errors="replace").strip().splitlines()
            raise SystemExit(f"falsum did not start: {told[-1] if told else 'it said nothing'}")
        return Yield(tuple(_findings(folder / "out", hunt.tested, history)), used)

    return side


def _findings(out: Path, tested: str, history: CpuHistory) -> Iterator[Suspicion]:
    with StoreReader(out) as store:
        folders = [finding.folder for finding in store.findings()]
    for folder in folders:
        record = read(out / FINDINGS / folder)
        name = next((s for s in record.suspects if s.split(":")[0] == tested), "")
        if name:
            oracle = record.kind if record.kind in _ASKING_MORE else ""
            cpu = history.at((out / FINDINGS / folder).stat().st_mtime)
            seeds = tuple(seed.rpartition(" of ")[2] for seed, _text in record.seeds)
            yield Suspicion(record.script, name, Want(record.want), oracle, cpu, seeds)


def yinyang(tool: Path) -> Side:
    """opfuzz or typefuzz of yinyang: all that they keep is a suspicion."""

    def side(hunt: Hunt, folder: Path) -> Yield:
        seeds = survived(tool, hunt.seeds) if tool.name == "typefuzz" else hunt.seeds
        history = CpuHistory()
        used = _run_yinyang(hunt, folder, (str(tool),), seeds, hunt.cpu_seconds, history)
        return Yield(tuple(_triggers(folder, hunt.tested, history)), used)

    return side


def yinyang_fusion(tool: Path) -> Side:
    """Semantic fusion of yinyang, half of the time with seeds that are sat, half with those that are not."""

    def side(hunt: Hunt, folder: Path) -> Yield:
        used, history = 0.0, CpuHistory()
        for status, seeds in (("sat", hunt.sat), ("unsat", hunt.unsat)):
            if len(seeds) > 1:
                command = (str(tool), "-o", status)
                used = _run_yinyang(hunt, folder, command, seeds, used + hunt.cpu_seconds / 2, history, used)
        return Yield(tuple(_triggers(folder, hunt.tested, history)), used)

    return side


@cache
def by_status(seeds: tuple[Path, ...], solver: str) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The seeds that a solver calls sat, and those it calls unsat."""
    known: dict[Verdict, list[Path]] = {Verdict.SAT: [], Verdict.UNSAT: []}
    with LiveLab([resolve(solver, Zoo())], Limits(seconds=1.0)) as lab:
        for seed in seeds:
            verdicts = lab.ask(Request(solver, seed.read_text(encoding="utf-8"))).verdicts
            if len(verdicts) == 1 and verdicts[0] in known:
                known[verdicts[0]].append(seed)
    return tuple(known[Verdict.SAT]), tuple(known[Verdict.UNSAT])


@cache
def survived(tool: Path, seeds: tuple[Path, ...]) -> tuple[Path, ...]:
    """The seeds that do not end a tool of yinyang: one that it cannot type ends the whole run."""
    made = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            command = (str(tool), "-i", "2", "-t", _LIMIT, "-n", "true;true", str(seed))
            try:
                run = subprocess.run(
                    command, check=False, capture_output=True, text=True, cwd=folder, timeout=20
                )
            except subprocess.TimeoutExpired:
                continue
            if "Runtime error" not in run.stdout + run.stderr:
                made.append(seed)
    return tuple(made)


def _run_yinyang(
    hunt: Hunt,
    folder: Path,
    command: Sequence[str],
    seeds: Sequence[Path],
    cpu_seconds: float,
    history: CpuHistory,
    used: float = 0.0,
) -> float:
    """Start it again and again until `cpu_seconds` are used, those `used` before included; what was used."""
    options = ("-i", _ITERATIONS, "-t", _LIMIT, "-n", "-b", "bugs", "-s", "scratch")
    given = (*command, *options, ";".join(hunt.programs), *(str(seed) for seed in seeds))
    (folder / "bugs").mkdir(exist_ok=True)
    (folder / "scratch").mkdir(exist_ok=True)
    starts = 0
    while used < cpu_seconds - _SHORTEST and starts < _MOST_STARTS:
        left = cpu_seconds - used
        used += cpu_limit.run(given, left, folder, elapsed=hunt.longest, history=history, before=used)
        starts += 1
    return used


def _triggers(folder: Path, tested: str, history: CpuHistory) -> Iterator[Suspicion]:
    for file in sorted((folder / "bugs").glob("*.smt2")):
        cpu = history.at(file.stat().st_mtime)
        yield Suspicion(decode(file.read_bytes()), tested, Want.MODEL, cpu=cpu)


_WHOLE = ("--schedule", "learn", "--engines", "--options", "safe")
_WITHOUT_HISTFUZZ = tuple(part for name in BY_NAME if name != "histfuzz" for part in ("-t", name))
PARTS: dict[str, tuple[str, ...]] = {
    "falsum": _WHOLE,
    "without learning": ("--schedule", "even", "--engines", "--options", "safe"),
    "without options": ("--schedule", "learn", "--engines", "--options", "off"),
    "without engines": ("--schedule", "learn", "--no-engines", "--options", "safe"),
    "without histfuzz": (*_WHOLE, *_WITHOUT_HISTFUZZ),
    "random scripts": ("--schedule", "even", "--no-engines", "-t", "generate"),
}
ALONE: dict[str, tuple[str, ...]] = {
    f"{name} alone": ("--schedule", "even", "--no-engines", "-t", name) for name in BY_NAME
}


def sides(old: Path | None, tools: Path | None) -> dict[str, Side]:
    """All sides by name, strategies alone at the end; those of other programs if they are given."""
    made = {name: falsum(arguments) for name, arguments in PARTS.items()}
    if old is not None:
        made["earlier falsum"] = falsum((), (str(old.absolute()),))
    if tools is not None:
        folder = tools.absolute()
        made |= {f"yinyang {name}": yinyang(folder / name) for name in ("opfuzz", "typefuzz")}
        made["yinyang fusion"] = yinyang_fusion(folder / "yinyang")
    return made | {name: falsum(arguments) for name, arguments in ALONE.items()}
