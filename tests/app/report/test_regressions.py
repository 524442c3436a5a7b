"""Findings as tests of the solvers' own suites."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.app.report.example import RECORD, TRIAGE

from falsum.app.report.regressions import write_regressions
from falsum.campaign.triage import result
from falsum.smtlib.verdict import Verdict
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.records import TraceRecord

NAME = f"z3-{RECORD.digest}"
TITLE = "; Refutation unsoundness: unsat for a satisfiable arithmetic formula with div\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = finding_folder.write(tmp_path / "findings", RECORD)
    result.write(folder, result.TRIAGE, TRIAGE)
    return folder


def _why(folder: Path, to: Path, form: str = "") -> str:
    """Why there is no test of a finding; "" if there is one."""
    return write_regressions([folder], to, form, Zoo())[folder.name]


@pytest.mark.parametrize(
    ("form", "files"),
    [
        (
            "cvc5",
            {
                f"{NAME}.smt2": "; COMMAND-LINE: --smt.arith.solver=2\n; EXPECT: sat\n"
                f"{TITLE}(set-logic ALL)\n{TRIAGE.script}"
            },
        ),
        (
            "",
            {
                f"{NAME}.smt2": f"{TITLE}(set-option :smt.arith.solver 2)\n{TRIAGE.script}",
                f"{NAME}.expected.out": "sat\n",
            },
        ),
        (
            "plain",
            {
                f"{NAME}.smt2": TITLE
                + "; option: smt.arith.solver=2\n"
                + TRIAGE.script.replace("(check-sat)", "(set-info :status sat)\n(check-sat)")
            },
        ),
    ],
)
def test_each_suite_has_its_format(folder: Path, tmp_path: Path, form: str, files: dict[str, str]) -> None:
    to = tmp_path / "tests"
    to.mkdir()
    assert _why(folder, to, form) == ""
    assert {file.name: file.read_text() for file in to.iterdir()} == files
    script = str(to / f"{NAME}.smt2")
    assert resolve("z3", Zoo()).prepare(Path(script).read_text()).text  # comments do no harm


def test_every_check_has_its_expectation(folder: Path, tmp_path: Path) -> None:
    script = "(declare-const x Int)\n(assert (> x 2))\n(check-sat)\n(assert (< x 1))\n(check-sat)\n"
    judged = msgspec.structs.replace(TRIAGE.judgement, check=1, truth=Verdict.UNSAT)
    result.write(folder, result.TRIAGE, msgspec.structs.replace(TRIAGE, script=script, judgement=judged))
    assert _why(folder, tmp_path, "cvc5") == ""
    assert "; EXPECT: sat\n; EXPECT: unsat\n" in (tmp_path / f"{NAME}.smt2").read_text()


def test_without_a_script_or_a_verdict_there_is_no_test(folder: Path, tmp_path: Path) -> None:
    unknown = "(check-sat)\n(assert (= x 1))\n(check-sat)\n"
    result.write(folder, result.TRIAGE, msgspec.structs.replace(TRIAGE, script=unknown))
    assert "not every verdict" in _why(folder, tmp_path)
    result.write(folder, result.TRIAGE, msgspec.structs.replace(TRIAGE, history=("(check-sat)",)))
    assert "history" in _why(folder, tmp_path)
    (folder / result.TRIAGE).unlink()
    assert _why(folder, tmp_path) == "not triaged"
    trace = finding_folder.write(
        tmp_path, msgspec.structs.replace(RECORD, trace=TraceRecord("z3", "1", "", "", ""))
    )
    result.write(trace, result.TRIAGE, TRIAGE)
    assert "no script" in _why(trace, tmp_path)
    assert not list(tmp_path.glob("*.smt2"))


def test_a_test_is_written_once(folder: Path, tmp_path: Path) -> None:
    """A campaign finds one bug many times, and the reduced scripts are the same."""
    again = finding_folder.write(
        tmp_path / "findings", msgspec.structs.replace(RECORD, signature=f"{RECORD.signature} again")
    )
    result.write(again, result.TRIAGE, TRIAGE)
    assert again != folder
    reasons = write_regressions([folder, again], tmp_path, "cvc5", Zoo())
    assert reasons == {folder.name: "", again.name: f"it would be the same as {NAME}"}
    assert [file.name for file in tmp_path.glob("*.smt2")] == [f"{NAME}.smt2"]
