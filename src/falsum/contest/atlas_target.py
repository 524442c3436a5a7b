"""Whether a solver shows a bug of the atlas, in the bug's own script or in another one."""

from __future__ import annotations

from falsum.atlas.bug import WRONG_VERDICTS, AtlasBug
from falsum.defects.case import Case
from falsum.defects.recheck import shows_as_release
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Want
from falsum.strategies.mutant import Mutant

_VERDICTS = {"sat": Verdict.SAT, "unsat": Verdict.UNSAT}


def target_of_bug(bug: AtlasBug) -> Target:
    """What to look for in the bug's script."""
    truth = _VERDICTS.get(bug.expected) if bug.kind in WRONG_VERDICTS else None
    want = Want(bug.want)
    return Target(bug.kind, want=want, check=bug.check, truth=truth, message=bug.message).on(bug.script)


def standing_of(bug: AtlasBug, solver: str, lab: Lab, text: str = "") -> Standing:
    """Whether a solver of the lab shows a bug: in the bug's own script, or in another one whose right
    verdict is assumed to be the same.
    """
    script = text or bug.script
    target = target_of_bug(bug).on(script)
    case = Case(Mutant(script), want=Want(bug.want))
    return shows_as_release(target, case, solver, lab).standing
