"""Reduction of known triggers grown back to 5 to 30 kB: our reducer with warm solvers against ddSMT.

    python -m bench.reduce_grown KNOWN_BUGS SEEDS [--count N] [--ddsmt PROGRAM] [--limit SECONDS] [--out DIR]

KNOWN_BUGS as for `bench.bisect`; soundness bugs and crashes that show with default options on an installed
release. Each trigger is joined with the assertions of renamed seeds (of status sat where the trigger must
stay sat) while the bug shows; where joining hides the bug, the seed's assertions are put beside `true` under
an `or`. Every second script is folded into a single assertion. Both reducers get the same file. ddSMT runs
the buggy release and, for soundness, the newest one as its cross check, one test at a time. CPU includes
every process started. Readers are falsum's, z3's and cvc5's: a result must be taken by those that took the
grown script.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

import click
from bench.bisect import Bug, read_bugs

from falsum.campaign.sameness import SameFinding
from falsum.campaign.shrinking import guided
from falsum.campaign.symptom import Kind, Standing, Symptom, message_of
from falsum.errors import FalsumError, ScriptError
from falsum.oracles.signature import operators_of
from falsum.reducer import reduce
from falsum.reducer.parts import DECLARATIONS
from falsum.reducer.passes import ALL
from falsum.reducer.rewriting import Rewriting
from falsum.smtlib import Script, print_script, read_file, read_script
from falsum.smtlib.scripts import (
    Assert,
    CheckSat,
    Command,
    DeclareDatatypes,
    DeclareSort,
    DefineSort,
    Pop,
    Push,
    SetLogic,
)
from falsum.smtlib.terms import Head, Term, app
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.theories.literals import NAMED_VALUES
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.profiles.profile import numbers
from falsum.solvers.question import Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.store.records import FindingRecord

_TIMEOUT = 5.0
_SMALLEST, _LARGEST = 5_000, 30_000
_GROWING_SECONDS = 90.0
_MOST_FAILED = 40
_READERS = ("z3", "cvc5")


@dataclass(frozen=True)
class Run:
    length: int
    tests: int
    cpu: float
    seconds: float
    text: str
    is_whole: bool = True

    def __str__(self) -> str:
        cut = "" if self.is_whole else "  (stopped at the limit)"
        tests = f"{self.tests:6} tests" if self.tests else " " * 12
        return f"{self.length:6} bytes {tests} {self.cpu:8.1f} s CPU {self.seconds:7.1f} s{cut}"


class _Prefix(Rewriting):
    """Every function gets a name no other script has."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def function_name(self, name: str) -> str:
        return f"{self._prefix}{name}"


@dataclass(frozen=True)
class Padding:
    """Declarations and assertions of a seed, its names changed."""

    commands: tuple[Command, ...]
    theories: frozenset[str]
    is_sat: bool


def paddings(seeds: Path, lab: LiveLab) -> list[Padding]:
    """What there is to grow with; seeds with levels or sorts of their own are left out."""
    own = (DeclareSort, DefineSort, DeclareDatatypes, Push, Pop)
    found = []
    for number, file in enumerate(sorted(seeds.glob("**/*.smt2"))):
        if file.stat().st_size > 8_000:
            continue
        try:
            made = _Prefix(f"s{number}_").script(read_file(file))
        except (FalsumError, OSError, ValueError):
            continue
        if made is None or any(isinstance(command, own) for command in made.commands):
            continue
        kept = tuple(c for c in made.commands if isinstance(c, (Assert, *DECLARATIONS)))
        text = print_script(Script((*kept, CheckSat())))
        is_sat = lab.ask("z3", text, seconds=1.0).verdicts == (Verdict.SAT,)
        found.append(Padding(kept, frozenset(operators_of(made.assertions)[0]), is_sat))
    return found


def grown(text: str, same: SameFinding, pool: list[Padding], size: int) -> str:
    """The script with more in front of its first check, as long as it shows the same.

    Seeds of the same theories first: they disturb a solver's choice of engine the least.
    """
    script, started, failed = read_script(text), time.monotonic(), 0
    # A logic keeps other theories out; where the bug does not need it, it goes.
    wider = Script(tuple(c for c in script.commands if not isinstance(c, SetLogic)))
    if same(print_script(wider)):
        script = wider
    theories = frozenset(operators_of(script.assertions)[0])
    fitting = [one for one in pool if one.is_sat or same.symptom.truth is not Verdict.SAT]
    Random(text).shuffle(fitting)
    fitting.sort(key=lambda one: not one.theories <= theories)
    for one in fitting:
        over = time.monotonic() - started > _GROWING_SECONDS or failed >= _MOST_FAILED
        if len(print_script(script)) >= size or over:
            break
        at = next((n for n, c in enumerate(script.commands) if isinstance(c, CheckSat)), len(script.commands))
        wider = Script((*script.commands[:at], *one.commands, *script.commands[at:]))
        idle = Script((*script.commands[:at], *_idle(one), *script.commands[at:]))
        for candidate in (wider, idle):
            if len(text := print_script(candidate)) <= _LARGEST and same(text):
                script, failed = candidate, 0
                break
        else:
            failed += 1
    return print_script(script)


def _idle(one: Padding) -> tuple[Command, ...]:
    """The same with assertions that say nothing."""
    either, true = Head(OPERATORS["or"]), NAMED_VALUES["true"]
    return tuple(Assert(app(either, (c.term, true))) if isinstance(c, Assert) else c for c in one.commands)


def folded(text: str) -> str:
    """All assertions of a one-shot script as one conjunction of two halves each, as deep as it gets."""
    script = read_script(text)
    if any(isinstance(command, Push | Pop) for command in script.commands):
        return text
    terms: list[Term] = list(script.assertions)
    conjunction = Head(OPERATORS["and"])
    while len(terms) > 1:
        pairs = [terms[n : n + 2] for n in range(0, len(terms), 2)]
        terms = [app(conjunction, tuple(pair)) if len(pair) > 1 else pair[0] for pair in pairs]
    last = max((n for n, c in enumerate(script.commands) if isinstance(c, Assert)), default=-1)
    commands: list[Command] = []
    for number, command in enumerate(script.commands):
        if number == last:
            commands.append(Assert(terms[0]))
        elif not isinstance(command, Assert):
            commands.append(command)
    return print_script(Script(tuple(commands)))


def with_falsum(text: str, same: SameFinding) -> Run:
    record = FindingRecord("", "", (), "", "", "", "", 0, 0, "", text, (), (), None, "", None, ())
    script = read_script(text)
    cpu, solver_cpu, started = time.process_time(), same.solver_cpu, time.monotonic()
    passes = (*guided(same, record, script, text), *ALL)
    result = reduce(script, same, passes=passes, confirm=same.cold)
    spent = time.process_time() - cpu + same.solver_cpu - solver_cpu
    return Run(
        len(result.text), result.tests, spent, time.monotonic() - started, result.text, result.is_confirmed
    )


def with_ddsmt(program: str, text: str, same: SameFinding, limit: float) -> Run:
    """ddSMT on the same file, its own time-outs; what it has so far when the time is over."""
    question = same.suspect.pose(text, Want.VERDICT)
    suspect = [*same.suspect.cold(question).argv]
    with tempfile.TemporaryDirectory() as folder:
        given, out = Path(folder, "in.smt2"), Path(folder, "out.smt2")
        given.write_text(text)
        cross = []
        if same.references:
            reference = same.references[0]
            cross = ["-c", shlex.join(reference.cold(reference.pose(text, Want.VERDICT)).argv)]
        command = ["timeout", "-s", "INT", "-k", "10", str(limit), program, "-j", "1", *cross]
        before, started = os.times(), time.monotonic()
        done = subprocess.run([*command, str(given), str(out), *suspect], capture_output=True, check=False)
        seconds, after = time.monotonic() - started, os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        left = out.read_text(errors="replace") if out.exists() else text
        return Run(len(left), 0, cpu, seconds, left, done.returncode == 0)


def accepted(text: str, lab: LiveLab) -> set[str]:
    """Whose readers take a script; falsum's is called so."""
    taking = {
        name for name in _READERS if lab.ask(name, text, cold=True).ending.kind is not EndingKind.REJECTED
    }
    try:
        read_script(text)
    except ScriptError:
        return taking
    return taking | {"falsum"}


def same_of(bug: Bug, text: str, zoo: Zoo) -> SameFinding | None:
    """The newest installed release that shows the bug, against the newest of all."""
    profile = BY_PRODUCT[bug.product]
    releases = [r for r in (*zoo.installed(profile), *zoo.on_path(profile)) if bug.is_bad(r.release)]
    symptom = bug.symptom
    reference = resolve(bug.product, zoo)
    limits = Limits(seconds=_TIMEOUT)
    for release in sorted(releases, key=lambda r: numbers(r.release), reverse=True):
        if release.program is None and not profile.reads_text(release.release):
            continue
        suspect = Solver(release.name, profile, release)
        assert symptom is not None
        with LiveLab((suspect,), limits) as lab:
            answer = lab.ask(suspect.name, text, cold=True)
        if symptom.kind is Kind.CRASH and answer.crashed:
            symptom = Symptom(Kind.CRASH, message=message_of(answer))
        if symptom.standing(answer, text) is not Standing.BAD:
            continue
        references = () if symptom.kind is Kind.CRASH else (reference,)
        try:
            return SameFinding(text, symptom, suspect, references, limits)
        except FalsumError:
            continue
    return None


@click.command()
@click.argument("home", type=click.Path(exists=True, path_type=Path), metavar="KNOWN_BUGS")
@click.argument("seeds", type=click.Path(exists=True, path_type=Path))
@click.option("--count", default=20, show_default=True)
@click.option("--skip", default=0, help="Leave out so many triggers at the start.")
@click.option("--ddsmt", help="The program ddsmt; without it only falsum is measured.")
@click.option("--limit", default=600.0, show_default=True, help="Seconds ddSMT may take for one script.")
@click.option("--out", type=click.Path(path_type=Path), help="Keep all scripts here.")
def main(
    home: Path, seeds: Path, count: int, skip: int, ddsmt: str | None, limit: float, out: Path | None
) -> None:
    """Grow, reduce, compare."""
    bugs = [bug for bug in read_bugs(home)[0] if bug.kind != "invalid-model"]
    # One bug of each cause and release, spread over products and kinds.
    bugs.sort(key=lambda bug: (int.from_bytes(bug.id.encode()[-3:], "big") % 97, bug.id))
    zoo = Zoo()
    ours: list[Run] = []
    theirs: list[Run] = []
    bad = {"falsum": 0, "ddSMT": 0}
    with LiveLab([resolve(name, zoo) for name in _READERS], Limits(seconds=_TIMEOUT)) as lab:
        pool = paddings(seeds, lab)
        click.echo(f"{len(pool)} seeds to grow with, {sum(one.is_sat for one in pool)} of them sat")
        for bug in bugs[skip:]:
            if len(ours) >= count:
                break
            place = len(ours)
            size = _SMALLEST + (_LARGEST - _SMALLEST) * place // max(count, 2) // 2
            text = bug.trigger.read_text(errors="surrogateescape")
            try:
                text = print_script(read_script(text))
            except ScriptError:
                continue
            same = same_of(bug, text, zoo)
            if same is None:
                continue
            with same:
                large = grown(text, same, pool, size)
                if place % 2 and same(flat := folded(large)):
                    large = flat
                if len(large) < _SMALLEST or not same.cold(large):
                    click.echo(f"{bug.id}: does not grow ({len(large)} bytes)", err=True)
                    continue
                before = accepted(large, lab)
                click.echo(
                    f"{bug.id} {bug.kind} {same.suspect.name}: {len(text)} → {len(large)} bytes;"
                    f" {same.manner}"
                )
                for label in ("falsum", "ddSMT") if ddsmt else ("falsum",):
                    if label == "ddSMT":
                        run = with_ddsmt(ddsmt or "", large, same, limit)
                        theirs.append(run)
                    else:
                        run = with_falsum(large, same)
                        ours.append(run)
                    missing = before - accepted(run.text, lab)
                    bad[label] += bool(missing)
                    wrong = f"  NOT TAKEN BY {', '.join(sorted(missing))}" if missing else ""
                    lost = "" if same.cold(run.text) else "  DOES NOT SHOW IT"
                    click.echo(f"  {label:7} {run}{wrong}{lost}")
                    if out is not None:
                        out.mkdir(parents=True, exist_ok=True)
                        (out / f"{bug.id}.{label}.smt2").write_text(run.text)
                if out is not None:
                    (out / f"{bug.id}.grown.smt2").write_text(large)
    for label, some in (("falsum", ours), ("ddSMT", theirs)):
        if some:
            mean = sum(run.length for run in some) / len(some)
            click.echo(
                f"{label:7} {len(some)} triggers: {mean:.0f} bytes on average,"
                f" {sum(run.cpu for run in some):.1f} s CPU, {bad[label]} not taken by all readers"
            )
    if theirs:
        ratio = sum(run.cpu for run in theirs) / max(1e-9, sum(run.cpu for run in ours))
        click.echo(f"ddSMT takes {ratio:.1f} times the CPU")


if __name__ == "__main__":
    main()
