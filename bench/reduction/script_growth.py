"""Grows a trigger with the assertions of seeds, while it still shows its bug.

Only satisfiable seeds are used if the trigger must stay sat. If adding assertions hides the bug, they are
weakened to `(or … true)`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import msgspec
from bench.triage.bisection import Bug

from falsum.defects.case import Case
from falsum.defects.evidence.judgement import Defect
from falsum.defects.identity.signature import operators_of
from falsum.defects.recheck import shows
from falsum.defects.same_defect import Kept, SameDefect
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.errors import FalsumError
from falsum.smtlib import Script, print_script, read_file, read_script
from falsum.smtlib.maps.command_terms import INTRODUCING
from falsum.smtlib.maps.script_map import ScriptMap
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
from falsum.smtlib.theories import NAMED_VALUES, OPERATORS
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import ColdLab
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.versions import parse_version
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Mutant

SMALLEST, LARGEST = 5_000, 30_000
_LONGEST_SEED = 8_000
_GROWING_SECONDS = 90.0
_MAX_FAILURES = 40


class Prefix(ScriptMap):
    """Renames every function to a unique name."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def function_name(self, name: str) -> str:
        return f"{self._prefix}{name}"


@dataclass(frozen=True)
class Padding:
    """Declarations and assertions of a seed, with its functions renamed."""

    commands: tuple[Command, ...]
    length: int
    theories: frozenset[str]
    is_sat: bool


def paddings(seeds: Path, lab: LiveLab) -> list[Padding]:
    """The seeds that the solvers accept, without those that declare sorts or use levels."""
    own = (DeclareSort, DefineSort, DeclareDatatypes, Push, Pop)
    found = []
    for number, file in enumerate(sorted(seeds.glob("**/*.smt2"))):
        if file.stat().st_size > _LONGEST_SEED:
            continue
        try:
            prefix = Prefix(f"s{number}_").script(read_file(file))
        except (FalsumError, OSError, ValueError):
            continue
        if prefix is None or any(isinstance(command, own) for command in prefix.commands):
            continue
        kept = tuple(c for c in prefix.commands if isinstance(c, (Assert, *INTRODUCING)))
        text = print_script(Script((*kept, CheckSat())))
        is_sat = lab.ask(Request("z3", text, seconds=1.0)).verdicts == (Verdict.SAT,)
        length = len(text)
        text = text.replace("(check-sat)", "")
        if all(lab.ask(Request(name, text)).ending.kind is EndingKind.FINISHED for name in lab.solvers):
            found.append(Padding(kept, length, frozenset(operators_of(prefix.assertions)[0]), is_sat))
    return found


class SameBug(SameDefect):
    """Holds for a script that shows a bug on one release, but not on the references."""

    def __init__(
        self, text: str, target: Target, suspect: Solver, references: Sequence[Solver], limits: Limits
    ) -> None:
        self.target = target
        self.suspect = suspect
        self.references = tuple(references)
        names = tuple(solver.name for solver in references)
        kept = Kept(msgspec.structs.replace(target.on(text), references=names), (suspect.name,))
        super().__init__(Case(Mutant(text)), kept, partial(LiveLab, (suspect, *references)), limits)


def grown(text: str, same: SameBug, pool: list[Padding], size: int) -> str:
    """The script with assertions of seeds before its first check, as long as it shows the same.

    Seeds of the same theories come first: they rarely change a solver's choice of engine. As many are added
    at once as are needed, and half of them if that hides the bug.
    """
    script, started, failed = read_script(text), time.monotonic(), 0
    # A logic excludes other theories; it is removed if the bug does not need it.
    wider = Script(tuple(c for c in script.commands if not isinstance(c, SetLogic)))
    if same(print_script(wider)):
        script = wider
    theories = frozenset(operators_of(script.assertions)[0])
    fitting = [one for one in pool if one.is_sat or same.target.truth is not Verdict.SAT]
    Random(text).shuffle(fitting)
    fitting.sort(key=lambda one: not one.theories <= theories)
    todo, most = fitting[::-1], len(fitting)
    while todo and (missing := size - len(print_script(script))) > 0:
        if time.monotonic() - started > _GROWING_SECONDS or failed >= _MAX_FAILURES:
            break
        some: list[Padding] = []
        while todo and len(some) < most and sum(one.length for one in some) < missing:
            some.append(todo.pop())
        for weakened in (False, True):
            candidate = _joined(script, some, weakened=weakened)
            if len(text := print_script(candidate)) <= LARGEST and same(text):
                script, failed, most = candidate, 0, len(fitting)
                break
        else:
            failed += 1
            most = max(1, len(some) // 2)
            if len(some) > 1:
                todo += some[::-1]
    return print_script(script)


def _joined(script: Script, some: list[Padding], *, weakened: bool) -> Script:
    commands = script.commands
    at = next((n for n, c in enumerate(commands) if isinstance(c, CheckSat)), len(commands))
    more = [command for one in some for command in (_weakened(one) if weakened else one.commands)]
    return Script((*commands[:at], *more, *commands[at:]))


def _weakened(one: Padding) -> tuple[Command, ...]:
    """The same with assertions that are always true."""
    either, true = Head(OPERATORS["or"]), NAMED_VALUES["true"]
    return tuple(Assert(app(either, (c.term, true))) if isinstance(c, Assert) else c for c in one.commands)


def folded(text: str) -> str:
    """All assertions of a script without levels as one balanced conjunction."""
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


def same_of(bug: Bug, text: str, zoo: Zoo, limits: Limits) -> SameBug | None:
    """The predicate for the newest installed release that shows the bug; None if there is none."""
    profile = BY_PRODUCT[bug.product]
    releases = [r for r in (*zoo.installed(profile), *zoo.on_path(profile)) if bug.is_bad(r.version)]
    target = bug.target
    assert target is not None
    is_crash = target.defect == Defect.CRASH
    references = () if is_crash else (resolve(bug.product, zoo),)
    for release in sorted(releases, key=lambda r: parse_version(r.version), reverse=True):
        if release.program is None and not profile.parses_scripts(release.version):
            continue
        suspect = Solver(release.name, profile, release)
        with LiveLab((suspect,), limits) as lab:
            if is_crash:
                ending = lab.ask(Request(suspect.name, text, cold=True)).ending
                target = Target(Defect.CRASH, message=ending.message)
            if shows(target, Case(Mutant(text)), suspect.name, ColdLab(lab)).standing is not Standing.BAD:
                continue
        try:
            return SameBug(text, target, suspect, references, limits)
        except FalsumError:
            continue
    return None
