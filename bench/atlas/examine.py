"""Examines a mutant that seems to show a bug of a release: judged, reduced, judged again, bisected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final

from bench.atlas.plain_names import with_plain_names

from falsum.audits.query.features import features_of
from falsum.campaign.triage.reduction import may_replace
from falsum.campaign.triage.releases import ScriptReleases, usable_releases
from falsum.defects.case import Case
from falsum.defects.diagnosis import Diagnosis, diagnose
from falsum.defects.evidence.judgement import Defect
from falsum.defects.identity.fingerprint import fingerprint
from falsum.defects.recheck import case_of_text
from falsum.defects.same_defect import Kept, SameDefect
from falsum.defects.targets.standing import Standing
from falsum.errors import FalsumError
from falsum.reducer import Budget, reduce
from falsum.reducer.passes import ALL
from falsum.smtlib import print_script, read_script
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Mutant

JURY: Final = ("z3", "cvc5")
# Products whose releases follow each other.
_SUCCESSION: Final = ("cvc4", "cvc5")
KINDS: Final = frozenset(
    {Defect.REFUTATION_UNSOUNDNESS, Defect.SOLUTION_UNSOUNDNESS, Defect.INVALID_MODEL, Defect.CRASH}
)
_LIMITS: Final = Limits(seconds=20.0, cpu=2.0)
_REDUCTION: Final = Budget(tests=800, seconds=60.0)
_STEP: Final = 6  # releases between those that are asked first


def examined(text: str, release: str, lineage: Sequence[str], *, renames: bool = True) -> dict[str, Any]:
    """The facts about a bug, or `left_out` with the reason why there are none.

    The newest release is asked first; the others only if that is no evidence.
    """
    zoo = Zoo()
    case = Case(Mutant(text, lineage=tuple(lineage)))
    own = line_of(release, zoo)[-1]
    facts: dict[str, Any] = {}
    for jury in dict.fromkeys(((own,), (own, *(name for name in JURY if name != own)))):
        solvers = [resolve(name, zoo) for name in dict.fromkeys((release, *jury))]
        try:
            with LiveLab(solvers, _LIMITS) as lab:
                facts = _examined(case, release, solvers, lab, renames=renames)
        except FalsumError as error:
            return {"left_out": str(error)}
        if "left_out" not in facts:
            break
    return facts


def _examined(
    case: Case, release: str, solvers: Sequence[Solver], lab: LiveLab, *, renames: bool
) -> dict[str, Any]:
    before = diagnose(case, lab, suspects=(release,), thoroughly=False)
    if not _is_sure(before, release):
        return {"left_out": "not shown"}
    after = before
    small = _reduced(before, release, solvers)
    small = with_plain_names(small) if renames else small
    if small != before.case.text:
        after = diagnose(case_of_text(case, small), lab, suspects=(release,), thoroughly=False)
        alike = after.judgement.defect == before.judgement.defect
        if not _is_sure(after, release) or not (alike or may_replace(after.judgement, before.judgement)):
            return {"left_out": "the reduced script is judged differently"}
    assert after.target is not None
    rows = bisected(after, release)
    if Standing.BAD not in rows.values():
        return {"left_out": "not shown in a fresh process"}
    judgement = after.judgement
    answer = lab.ask(Request(release, after.case.text, after.target.want, cold=True))
    features = features_of(after.case.text)
    return {
        "kind": str(judgement.defect),
        "evidence": [[each.kind, each.text] for each in judgement.evidence],
        "truth": str(judgement.truth or ""),
        "check": judgement.check,
        "answer": " ".join(answer.words) or str(answer.ending),
        "message": after.target.message,
        "want": str(after.target.want),
        "signature": fingerprint(after.case.text, judgement, lab, backtrace=lab.backtrace).signature,
        "script": after.case.text,
        "operators": sorted(features.words),
        "theories": list(features.theories),
        "options": sorted(features.options),
        "rows": {name: str(standing) for name, standing in rows.items()},
    }


def line_of(release: str, zoo: Zoo) -> tuple[str, ...]:
    """The products whose releases follow each other, the one of the newest last."""
    product = resolve(release, zoo).profile.product
    return _SUCCESSION if product in _SUCCESSION else (product,)


def _is_sure(diagnosis: Diagnosis, release: str) -> bool:
    judgement = diagnosis.judgement
    if judgement.defect not in KINDS or release not in judgement.suspects or diagnosis.target is None:
        return False
    return judgement.defect == Defect.CRASH or not judgement.by_majority


def _reduced(diagnosis: Diagnosis, release: str, solvers: Sequence[Solver]) -> str:
    """The smallest script found in the time; the one given if it cannot be made smaller."""
    target = diagnosis.target
    assert target is not None
    asked = {release, *target.references}
    chosen = [solver for solver in solvers if solver.name in asked]
    script = read_script(diagnosis.case.text)
    case = case_of_text(diagnosis.case, print_script(script))
    try:
        kept = Kept(target, (release,))
        with SameDefect(case, kept, partial(LiveLab, chosen), _LIMITS) as predicate:
            reduction = reduce(
                script, predicate, passes=tuple(ALL), budget=_REDUCTION, confirm=predicate.cold
            )
    except FalsumError:
        return case.text
    return reduction.text if reduction.is_confirmed else case.text


def bisected(diagnosis: Diagnosis, release: str) -> Mapping[str, Standing]:
    """How releases stand, the oldest first: some of them, and all between those that differ."""
    zoo, target = Zoo(), diagnosis.target
    assert target is not None
    products = line_of(release, zoo)
    line = [each for one in products for each in usable_releases(zoo, BY_PRODUCT[one])]
    names = [each.name for each in line]
    rows: dict[int, Standing] = {}
    labs = {
        one: ScriptReleases(one, diagnosis.case, target, _LIMITS, zoo=zoo) for one in products
    }  # fmt: skip

    def ask(place: int) -> None:
        rows[place] = labs[line[place].product].row(line[place]).standing

    try:
        own = resolve(release, zoo).served_release.name
        for place in sorted({*range(0, len(line), _STEP), len(line) - 1, names.index(own)}):
            ask(place)
        while (place := _between(rows)) is not None:
            ask(place)
    finally:
        for each in labs.values():
            each.close()
    return {names[place]: rows[place] for place in sorted(rows)}


def _between(rows: Mapping[int, Standing]) -> int | None:
    """An untested release between two that differ, or between one that shows the bug and one that refuses
    the script.
    """
    telling = [place for place in sorted(rows) if rows[place].decided or rows[place] is Standing.REJECTS]
    for low, high in pairwise(telling):
        untested = [place for place in range(low + 1, high) if place not in rows]
        if rows[low] is not rows[high] and Standing.BAD in {rows[low], rows[high]} and untested:
            return untested[len(untested) // 2]
    return None
