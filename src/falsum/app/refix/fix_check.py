"""FixCheck: confirms that an older release shows the defect of a trigger, and the release with the fix does
not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from falsum.app.own_script import own_case
from falsum.app.refix.triggers import Trigger
from falsum.campaign.triage.releases import usable_releases
from falsum.defects.case import Case
from falsum.defects.diagnosis import diagnose
from falsum.defects.recheck import shows_as_release
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.errors import SurroundingsError
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import ColdLab, SubsetLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.versions import parse_version
from falsum.solvers.zoo import Zoo


class FixState(StrEnum):
    FIXED = "fixed"
    NOT_FIXED = "not fixed"
    NOT_SHOWN = "not shown"  # no older release shows it
    UNDECIDED = "undecided"  # the release with the fix gives no answer that could be compared


@dataclass(frozen=True, slots=True)
class FixCheck:
    """Whether a fix can be confirmed: `broken` is the newest older release that shows the target in the case,
    "" if none does.
    """

    state: FixState
    case: Case
    broken: str = ""
    target: Target | None = None
    text: str = ""


def check_fix(
    trigger: Trigger, script: str, fixed: Solver, references: Sequence[Solver], limits: Limits, zoo: Zoo
) -> FixCheck:
    """Run the older releases on this machine, or the one that the trigger names, and the one with the fix."""
    older = [resolve(trigger.broken, zoo)] if trigger.broken else _older(fixed, zoo)
    others = [solver for solver in references if solver.profile.product != fixed.profile.product]
    case = own_case(trigger.name, script)
    with LiveLab([*older, fixed, *others], limits) as lab:
        suspects = [solver.name for solver in older]
        lab_asked = SubsetLab(lab, (*suspects, *(solver.name for solver in others)))
        diagnosis = diagnose(case, lab_asked, suspects=suspects, thoroughly=bool(trigger.broken))
        target = diagnosis.target
        if target is None or not diagnosis.is_about or diagnosis.suspect not in suspects:
            return FixCheck(FixState.NOT_SHOWN, case, text=str(diagnosis.judgement))
        compared = SubsetLab(lab, (fixed.name, *(solver.name for solver in others)))
        sight = shows_as_release(target, diagnosis.case, fixed.name, ColdLab(compared))
    state = {Standing.BAD: FixState.NOT_FIXED, Standing.GOOD: FixState.FIXED}.get(
        sight.standing, FixState.UNDECIDED
    )
    return FixCheck(state, diagnosis.case, diagnosis.suspect, target, sight.text)


def _older(fixed: Solver, zoo: Zoo) -> list[Solver]:
    """The releases of the product on this machine that are older than the one with the fix."""
    profile = fixed.profile
    limit = parse_version(fixed.version)
    older = [each for each in usable_releases(zoo, profile) if parse_version(each.version) < limit]
    if not older:
        raise SurroundingsError(
            f"no release of {profile.product} older than {fixed.version} is installed; "
            f"run: falsum solvers add {profile.product}@RELEASE"
        )
    return [resolve(each.name, zoo) for each in older]
