"""Which different bugs of a release scripts show: by what is wrong, and the last release that does it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bench.campaign.sides import Suspicion

from falsum.oracles import oracle_named
from falsum.oracles.case import Case
from falsum.oracles.model import ModelOracle
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import SubsetLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Mutant

_SECONDS = 3.0


def different_bugs(
    suspicions: Iterable[Suspicion], tested: str, later: Sequence[str], newest: str
) -> dict[tuple[str, str], float]:
    """The bugs that scripts show in the tested release, with the CPU seconds after which each was there.

    Two scripts show one bug if they get the same kind of wrong answer (crash, wrong sat, wrong unsat, invalid
    model; or a wrong core, optimum and the like, as an oracle says), and the same release is the last in a
    row that gives it.
    """
    found: dict[tuple[str, str], float] = {}
    with LiveLab([resolve(newest, Zoo())], Limits(seconds=_SECONDS)) as lab:
        for one in suspicions:
            kind = _wrong(one, one.solver, lab)
            if not kind:
                continue
            settings = one.solver.removeprefix(tested)
            last = tested
            for release in later:
                if _wrong(one, f"{release}{settings}", lab) != kind:
                    break
                last = release
            found[kind, last] = min(one.cpu, found.get((kind, last), one.cpu))
    return found


def _wrong(one: Suspicion, solver: str, lab: LiveLab) -> str:
    """What a solver does wrong with a script; "" if nothing, or if that cannot be told."""
    if solver not in lab.solvers:
        lab.add(resolve(solver, Zoo()))
    answer = lab.ask(Request(solver, one.script, one.want, cold=True))
    if answer.crashed:
        return "crash"
    if one.oracle:
        both = SubsetLab(lab, (solver, lab.solvers[0]))
        found = oracle_named(one.oracle).judge(Case(Mutant(one.script), want=one.want), both)
        return one.oracle if found is not None and solver in found.suspects else ""
    truth = lab.ask(Request(lab.solvers[0], one.script, cold=True)).verdicts
    for mine, right in zip(answer.verdicts, truth, strict=False):
        if mine.contradicts(right):
            return f"wrong {mine}"
    if one.want is Want.MODEL:
        case = Case(Mutant(one.script), want=one.want)
        return "model" if ModelOracle().judge(case, SubsetLab(lab, (solver,))) is not None else ""
    return ""
