"""Whether a solver shows a finding: wrong verdicts, slow and incomplete answers; real processes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.app.report.example import RECORD, TRIAGE

from falsum.campaign.lifecycle.finding_check import ScriptCheck, check_of
from falsum.campaign.triage import result
from falsum.defects.case import Case
from falsum.defects.evidence.judgement import Defect
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.errors import UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.strategies.mutant import Mutant

SCRIPT = "(declare-const x Int)(assert (> x 3))(check-sat)"
BUSY = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo sat"
CASE = Case(Mutant(SCRIPT))
WRONG = Target(Defect.REFUTATION_UNSOUNDNESS, truth=Verdict.SAT)
UNKNOWN = Target(Defect.INCOMPLETENESS).on(SCRIPT)
SLOW = Target(Defect.SLOW, seconds=0.15).on(SCRIPT)


def solver(folder: Path, body: str) -> str:
    program = folder / "solver.sh"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize(
    ("body", "target", "standing"),
    [
        ("echo sat", WRONG, Standing.GOOD),
        ("echo unsat", WRONG, Standing.BAD),
        ("echo unknown", WRONG, Standing.UNKNOWN),
        ("echo unknown", UNKNOWN, Standing.BAD),
        ("echo sat", UNKNOWN, Standing.GOOD),
        ("echo sat", SLOW, Standing.GOOD),
        (BUSY, SLOW, Standing.BAD),
        ("kill -SEGV $$", SLOW, Standing.CRASHES),
        ('[ -e mark ] || grep -q "(> x 3)" "$1" && echo sat || echo unsat', WRONG, Standing.GOOD),
    ],
)
def test_standings(tmp_path: Path, body: str, target: Target, standing: Standing) -> None:
    check = ScriptCheck("generic", CASE, target, Limits(seconds=10.0))
    assert check.row(resolve(solver(tmp_path, body), Zoo())).standing is standing


def test_the_original_can_show_what_the_reduced_script_does_not(tmp_path: Path) -> None:
    name = solver(tmp_path, 'grep -q "original" "$1" && echo unsat || echo sat')
    original = "(declare-const original Int)(assert (> original 3))(check-sat)"
    check = ScriptCheck("generic", CASE, WRONG, Limits(seconds=10.0), Case(Mutant(original)))
    row = check.row(resolve(name, Zoo()))
    assert (row.standing, row.said) == (Standing.BAD, "unsat (original script)")


def test_the_check_of_a_finding(tmp_path: Path) -> None:
    folder = finding_folder.write(tmp_path, RECORD)
    with pytest.raises(UsageError, match="not triaged"):
        check_of(folder, Limits(), Zoo())
    small = msgspec.structs.replace(TRIAGE, script=SCRIPT)
    result.write(folder, result.TRIAGE, small)
    check = check_of(folder, Limits(), Zoo())
    assert isinstance(check, ScriptCheck)
    assert check.case.text == SCRIPT
    assert check.original is not None
    assert check.original.text == RECORD.script
    assert check.settings == ()
    needed = msgspec.structs.replace(small, suspect="z3@4.8.6:smt.arith.solver=2,a.b=true")
    result.write(folder, result.TRIAGE, needed)
    check = check_of(folder, Limits(), Zoo())
    assert isinstance(check, ScriptCheck)
    assert check.settings == (("smt.arith.solver", "2"), ("a.b", "true"))
    more = msgspec.structs.replace(small, script=f"{SCRIPT}(check-sat)")
    result.write(folder, result.TRIAGE, more)
    check = check_of(folder, Limits(), Zoo())
    assert isinstance(check, ScriptCheck)
    assert not check.original
