"""Re-tests findings on another release or build, and updates their states."""

from __future__ import annotations

from pathlib import Path

import msgspec

from falsum.campaign.lifecycle.finding_check import FindingCheck, ScriptCheck, check_of
from falsum.campaign.triage import result
from falsum.campaign.triage.bisection import bisect
from falsum.campaign.triage.releases import ScriptReleases
from falsum.campaign.triage.result import Triage
from falsum.defects.targets.standing import Standing
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver
from falsum.solvers.versions import UNKNOWN, parse_version
from falsum.solvers.zoo import Origin, Zoo
from falsum.store.states import FindingState, StateChange, note_change, state_of


class RetestResult(msgspec.Struct, frozen=True):
    """The result of one finding on one solver, and its state before and after."""

    finding: str
    solver: str
    release: str
    standing: Standing
    said: str
    before: str
    after: str

    @property
    def shows(self) -> bool:
        return self.standing is Standing.BAD

    @property
    def has_moved(self) -> bool:
        return self.before != self.after


def product_of_finding(folder: Path) -> str:
    """The product that a finding is about; "" if it is not triaged."""
    triage = result.read(folder)
    return triage.product if triage is not None else ""


def retest(
    folder: Path,
    solver: Solver,
    limits: Limits,
    zoo: Zoo,
    *,
    commit: str = "",
    bisects: bool = True,
    jobs: int = 1,
) -> RetestResult:
    """Test a triaged finding on a solver, and update its state.

    If the solver shows it, it is confirmed, or back. If not, and the solver is not older than the one it was
    found on, it is fixed; the first release without it is looked up among those installed.
    """
    before = state_of(folder, is_triaged=True)
    check = check_of(folder, limits, zoo)
    row = check.row(solver)
    triage = result.read(folder)
    assert triage is not None  # or there would be no check
    if row.standing is Standing.BAD:
        _note_shown(folder, before, solver, commit)
    elif row.standing is Standing.GOOD and before.state.is_open and not _is_older(solver, triage):
        fixed_in = _fixing_release(folder, check, solver, triage, zoo, jobs) if bisects else ""
        is_build = solver.release is None or solver.release.origin is Origin.FILE
        release = fixed_in or ("" if is_build and commit else solver.version)
        note_change([folder], FindingState.FIXED, release=release, commit=commit if not fixed_in else "")
    after = state_of(folder, is_triaged=True)
    return RetestResult(
        folder.name, solver.name, solver.version, row.standing, row.said, before.text, after.text
    )


def _note_shown(folder: Path, before: StateChange, solver: Solver, commit: str) -> None:
    if before.state is FindingState.FIXED:
        note_change([folder], FindingState.BACK, release=solver.version, commit=commit)
    elif before.state in {FindingState.NEW, FindingState.TRIAGED}:
        note_change([folder], FindingState.CONFIRMED, note=f"shown by {solver.name} {solver.version}".strip())


def _is_older(solver: Solver, triage: Triage) -> bool:
    """Whether the solver is an older release than the one the finding is about."""
    release, reported = parse_version(solver.version), parse_version(triage.release)
    return UNKNOWN not in (release, reported) and release < reported


def _fixing_release(
    folder: Path, check: FindingCheck, solver: Solver, triage: Triage, zoo: Zoo, jobs: int
) -> str:
    """The first installed release without the finding, up to the one tested; "" if unknown."""
    if not isinstance(check, ScriptCheck):
        return ""
    with ScriptReleases(
        check.product,
        check.case,
        check.target,
        check.limits,
        references=check.resolved_references(),
        settings=solver.settings or check.settings,
        zoo=zoo,
    ) as answers:
        bisection = bisect(answers, jobs)
    result.write(folder, result.BISECTION, bisection)
    result.write(folder, result.TRIAGE, msgspec.structs.replace(triage, bisection=bisection))
    fixed_in = bisection.fixed_in
    return fixed_in if fixed_in and parse_version(fixed_in) <= parse_version(solver.version) else ""
