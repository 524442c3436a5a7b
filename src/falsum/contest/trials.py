"""Trials: each fuzzer on each benchmark, a number of times, with equal CPU time and memory; resumable."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from falsum.contest.benchmarks import Benchmark
from falsum.contest.entrants import Entrant
from falsum.contest.reports import Report, judged
from falsum.errors import SurroundingsError
from falsum.smtlib.text.lexer import decode
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.solver import resolve
from falsum.solvers.supervision import cpu_limit
from falsum.solvers.supervision.cpu_limit import CpuHistory
from falsum.solvers.zoo import Zoo
from falsum.store import atomic

FILE: Final = "trials.jsonl"
_SHORTEST: Final = 1.0  # CPU seconds; less is left unused
_PATIENCE: Final = 30.0  # elapsed seconds for a CPU second: a busy machine, tools that wait


class ContestTrial(msgspec.Struct, frozen=True):
    """The result of one fuzzer on one benchmark: bugs of the atlas, by name, and others, each with the
    CPU seconds after which it was reported first. `left` reports were not judged; `note` says what went
    wrong.
    """

    fuzzer: str
    benchmark: str
    number: int
    seconds: float
    cpu: float
    reports: int
    bugs: dict[str, float]
    others: dict[str, float]
    false_alarms: int
    unclear: int
    left: int = 0
    note: str = ""

    @property
    def key(self) -> tuple[str, str, int, float]:
        return self.fuzzer, self.benchmark, self.number, self.seconds


@dataclass(frozen=True, slots=True)
class Rules:
    """The conditions, equal for all fuzzers: CPU seconds, megabytes, trials, and the number of different
    reports judged per trial.
    """

    seconds: float = 60.0
    memory: int = 4096
    trials: int = 10
    judged: int = 60


def read_trials(folder: Path) -> list[ContestTrial]:
    """The finished trials; an incomplete line is left out."""
    file = folder / FILE
    if not file.exists():
        return []
    lines = file.read_bytes().split(b"\n")
    return [msgspec.json.decode(line, type=ContestTrial) for line in lines[:-1]]


class TrialTask(msgspec.Struct, frozen=True):
    """A trial that is to be run."""

    fuzzer: Entrant
    benchmark: Benchmark
    rules: Rules
    number: int


def missing_trials(
    fuzzers: Sequence[Entrant], entries: Sequence[Benchmark], rules: Rules, folder: Path
) -> list[TrialTask]:
    """The trials that are not finished, all fuzzers in turn, so that disturbances hit all alike."""
    keys = {trial.key for trial in read_trials(folder)}
    return [
        TrialTask(fuzzer, entry, rules, number)
        for number in range(rules.trials)
        for entry in entries
        for fuzzer in fuzzers
        if (fuzzer.name, entry.name, number, rules.seconds) not in keys
    ]


def kept(trials: Iterable[ContestTrial], folder: Path) -> Iterator[ContestTrial]:
    """The trials, each written as soon as it is finished."""
    folder.mkdir(parents=True, exist_ok=True)
    _mend(folder / FILE)
    for trial in trials:
        with (folder / FILE).open("ab") as file:
            file.write(msgspec.json.encode(trial) + b"\n")
        yield trial


def _mend(file: Path) -> None:
    """Cut off an incomplete last line, left by a writer that was killed."""
    if file.exists():
        whole, _, torn = file.read_bytes().rpartition(b"\n")
        if torn:
            atomic.write_file(file, (whole + b"\n" if whole else b"").decode())


def run_trial(task: TrialTask) -> ContestTrial:
    fuzzer, entry, rules, number = task.fuzzer, task.benchmark, task.rules, task.number
    with tempfile.TemporaryDirectory(prefix="falsum-contest-") as name:
        place = Path(name)
        cpu, reports, note = _fuzz(fuzzer, entry, rules, number, place)
    verdicts = judged(reports, entry, rules.judged)
    return ContestTrial(
        fuzzer.name, entry.name, number, rules.seconds, round(cpu, 1), len(reports),
        _rounded(verdicts.bugs), _rounded(verdicts.others), verdicts.false_alarms, verdicts.unclear,
        verdicts.left, note,
    )  # fmt: skip


def _fuzz(
    fuzzer: Entrant, entry: Benchmark, rules: Rules, number: int, place: Path
) -> tuple[float, list[Report], str]:
    """The CPU seconds and reports of a fuzzer, and a note if it failed."""
    seeds, out = place / "seeds", place / "out"
    seeds.mkdir()
    (out / "scratch").mkdir(parents=True)
    files = []
    for name, text in entry.seeds:
        (seeds / f"{name}.smt2").write_text(text, encoding="utf-8")
        files.append(str(seeds / f"{name}.smt2"))
    lines = [command_line(name) for name in (entry.release, entry.reference)]
    values = {
        "seeds": str(seeds), "solvers": ";".join(lines), "tested": entry.release, "out": str(out),
        "reference": entry.reference, "seconds": f"{rules.seconds:g}", "rng": str(number),
        "python": sys.executable,
    }  # fmt: skip
    history, seconds, starts = CpuHistory(), 0.0, 0
    until = time.monotonic() + _PATIENCE * rules.seconds + 30
    while not starts or (
        seconds < rules.seconds - _SHORTEST and starts < fuzzer.starts and time.monotonic() < until
    ):
        words, elapsed = fuzzer.arguments(values, files), until - time.monotonic()
        seconds += _run(fuzzer, words, place, rules, seconds, elapsed, history)
        starts += 1
    scratch = out / "scratch"
    found = [file for file in sorted(out.glob(fuzzer.reports)) if scratch not in file.parents]
    reports = [Report(decode(file.read_bytes()), history.at(file.stat().st_mtime)) for file in found]
    note = "" if seconds > rules.seconds / 2 else f"it ended after {seconds:.0f} CPU s: {_last_line(place)}"
    return seconds, reports, note


def _run(
    fuzzer: Entrant,
    words: Sequence[str],
    place: Path,
    rules: Rules,
    seconds: float,
    elapsed: float,
    history: CpuHistory,
) -> float:
    """Run a fuzzer once in the remaining CPU time; return the CPU seconds it used."""
    try:
        return cpu_limit.run(
            words, rules.seconds - seconds, place, memory=rules.memory,
            elapsed=elapsed, history=history, before=seconds,
        )  # fmt: skip
    except OSError as error:
        raise SurroundingsError(f"{fuzzer.name} cannot be started: {words[0]}: {error.strerror}") from error


def command_line(name: str) -> str:
    """The command line by which fuzzers call a release."""
    solver = resolve(name, Zoo())
    program = solver.command[0] if solver.command else str(solver.served_release.program)
    return " ".join((program, *BY_PRODUCT[solver.profile.product].arguments))


def _last_line(place: Path) -> str:
    text = (place / "output.txt").read_text(errors="replace") if (place / "output.txt").exists() else ""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "no output")[:200]


def _rounded(seconds: dict[str, float]) -> dict[str, float]:
    return {name: round(cpu, 1) for name, cpu in sorted(seconds.items())}
