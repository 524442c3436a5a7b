"""Which different bugs of a release scripts show: by what is wrong, the last release that does it, theories.

Many bugs are mended in one release. Of 131 known bugs of z3, with 118 causes as far as is known, kind and
release tell 47 apart, and with the theories 86.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bench.campaign.sides import Suspicion

from falsum import reduce
from falsum.defects import oracle_named
from falsum.defects.case import Case
from falsum.defects.identity.signature import operators_of
from falsum.defects.kinds.invalid_model import ModelOracle
from falsum.errors import FalsumError
from falsum.smtlib import read_script
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import SubsetLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Mutant

_SECONDS = 3.0
_REDUCTION_SECONDS = 3.0
_CORE = "core"


# Kind, last release that shows it, theories of a reduced script.
Bug = tuple[str, str, str]


class KnownBug(NamedTuple):
    """A known bug of the tested release: `last` is the last release in a row that shows it."""

    name: str
    kind: str
    last: str


def different_bugs(
    suspicions: Iterable[Suspicion],
    tested: str,
    later: Sequence[str],
    newest: str,
    known: Mapping[str, Sequence[KnownBug]],
) -> tuple[dict[Bug, float], dict[str, float]]:
    """The bugs that scripts show in the tested release, and the `known` ones among them, by name, each with
    the CPU seconds after which it was there.

    Two scripts show one bug if they get the same kind of wrong answer (crash, wrong sat, wrong unsat, invalid
    model; or a wrong core, optimum and the like, as an oracle says), the same release is the last in a row
    that gives it, and one needs no theory that the other does not need. Of scripts of one kind and release
    that have the same theories, only the first is reduced.

    A known bug is found again if a script that was made from one of its seeds, which do not show it, shows a
    bug of its kind that disappears in the same release. `known` has the bugs of each seed.
    """
    found: dict[Bug, float] = {}
    again: dict[str, float] = {}
    reduced: dict[Bug, str] = {}
    with LiveLab([resolve(newest, Zoo())], Limits(seconds=_SECONDS)) as lab:
        for one in suspicions:
            kind = _wrong(one, one.solver, lab)
            if not kind:
                continue
            settings = one.solver.removeprefix(tested)
            last, fixed = tested, ""
            for release in later:
                if _wrong(one, f"{release}{settings}", lab) != kind:
                    fixed = f"{release}{settings}"
                    break
                last = release
            for bug in (bug for seed in one.seeds for bug in known.get(seed, ())):
                if bug[1:] == (kind, last):
                    again[bug.name] = min(one.cpu, again.get(bug.name, one.cpu))
            alike = kind, last, theories_of(one.script)
            if alike not in reduced:
                reduced[alike] = _needed_theories(one, kind, fixed, lab)
            different = kind, last, reduced[alike]
            found[different] = min(one.cpu, found.get(different, one.cpu))
    return told_apart(found), again


def told_apart(found: Mapping[Bug, float]) -> dict[Bug, float]:
    """The bugs, without those that need all theories of another of their kind and release, and more."""
    kept: dict[Bug, float] = {}
    for bug, cpu in sorted(found.items(), key=lambda item: (len(_theories(item[0])), item[0])):
        same = next((k for k in kept if k[:2] == bug[:2] and _theories(k) <= _theories(bug)), bug)
        kept[same] = min(cpu, kept.get(same, cpu))
    return kept


def _theories(bug: Bug) -> frozenset[str]:
    return frozenset(bug[2].split()) - {_CORE}


def theories_of(script: str) -> str:
    """The theories of the assertions of a script, "core" if there are only connectives."""
    try:
        theories, _operators = operators_of(read_script(script).assertions)
    except FalsumError:
        return "unreadable"
    return " ".join(theories) or _CORE


def _needed_theories(one: Suspicion, kind: str, fixed: str, lab: LiveLab) -> str:
    """The theories of a script after it was reduced for a moment: some mutants have more than the bug needs.

    It stays wrong in the same way, and does not in the release that has mended it.
    """
    given = theories_of(one.script)
    if " " not in given:
        return given

    def keeps(text: str) -> bool:
        smaller = replace(one, script=text)
        return _wrong(smaller, one.solver, lab) == kind and (not fixed or _wrong(smaller, fixed, lab) != kind)

    return theories_of(reduce(one.script, keeps, seconds=_REDUCTION_SECONDS).text)


def _wrong(one: Suspicion, solver: str, lab: LiveLab) -> str:
    """What a solver does wrong with a script; "" if nothing, or if that cannot be told."""
    if solver not in lab.solvers:
        lab.add(resolve(solver, Zoo()))
    answer = lab.ask(Request(solver, one.script, one.want, cold=True))
    if answer.crashed:
        return "crash"
    if one.oracle:
        both = SubsetLab(lab, (solver, lab.solvers[0]))
        found = oracle_named(one.oracle).find(Case(Mutant(one.script), want=one.want), both)
        return one.oracle if found is not None and solver in found.suspects else ""
    truth = lab.ask(Request(lab.solvers[0], one.script, cold=True)).verdicts
    for mine, right in zip(answer.verdicts, truth, strict=False):
        if mine.contradicts(right):
            return f"wrong {mine}"
    if one.want is Want.MODEL:
        case = Case(Mutant(one.script), want=one.want)
        return "model" if ModelOracle().find(case, SubsetLab(lab, (solver,))) is not None else ""
    return ""
