"""Reports about libraries: the program, the script and the trace."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.api.conftest import library_named

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.trace import read_trace
from falsum.app.commands import bisect
from falsum.app.report import files
from falsum.campaign.library.confirmation import Confirmation
from falsum.campaign.triage.job import Job
from falsum.campaign.triage.result import read
from falsum.campaign.triage.steps import triage
from falsum.store import finding_folder
from falsum.store.records import record_of

TRACE = """# falsum trace 1
# solver: bitwuzla
# theories: core uf
# rng: 7
new
s1 = sort Bool
s2 = declare-sort U!s2
t1 = const s2 x1
t2 = term distinct t1 t1 t1
assert t2
check
"""


@pytest.fixture
def finding(tmp_path: Path) -> Path:
    """The folder of a finding in bitwuzla 0.9.1, as a campaign leaves it."""
    solver = library_named("bitwuzla")
    if solver.version != "0.9.1":
        pytest.skip("the defect is one of bitwuzla 0.9.1")
    with Fuzzer(solver, Settings(seconds=5)) as fuzzer:
        result = fuzzer.replay(read_trace(TRACE))
        confirmed = Confirmation().confirmed(result, fuzzer, lambda: False)
        assert confirmed is not None
        found, trace = confirmed
    return finding_folder.write(tmp_path, record_of(found, "api", "7", 0, 0, trace))


def test_a_report_has_program_script_and_trace(finding: Path) -> None:
    triaged = triage(Job(str(finding), timeout=5.0))
    assert triaged.cold.always
    assert triaged.readers
    assert triaged.bisection is not None
    assert triaged.bisection.last_bad == "0.9.1"
    text = files.write(finding).read_text()
    assert text.startswith("# Crash on a Boolean formula with distinct: signal 6")
    for part in (
        "```python\n# bitwuzla@0.9.1",
        "(assert (distinct x1 x1 x1))",
        "t2 = term distinct t1 t1 t1",
    ):
        assert text.count(part) == 1, part
    assert "`python3 program.py` on bitwuzla 0.9.1, Python package" in text
    assert "Reproduced in 3 of 3 fresh processes" in text
    assert "(random calls, run 7). Reduced from 7 to 6 calls." in text
    checklist = (finding / "checklist.md").read_text()
    assert "[x] reproduces in fresh processes: 3 of 3" in checklist
    assert "[x] accepted by two other parsers" in checklist
    assert "(assert (distinct x1 x1 x1))" in (finding / "regression.smt2").read_text()


def test_bisect_replays_the_calls_on_every_release(finding: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        bisect.command.main([str(finding)], "falsum bisect")
    assert left.value.code == 0
    assert "bad" in capsys.readouterr().out
    made = read(finding)
    assert made is not None
    assert made.bisection is not None
    assert "0.9.1 | bad" in (finding / "report.md").read_text()


def test_the_program_of_a_report_runs_alone(finding: Path) -> None:
    library = library_named("bitwuzla").release
    assert library is not None
    result = subprocess.run(
        [sys.executable, "-S", str(finding / "program.py")],
        env={"PYTHONPATH": library.folder or ""}, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert result.returncode == -6
