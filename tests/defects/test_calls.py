"""Defects that calls of a library show: their kinds, and how another library stands to them."""

from __future__ import annotations

import pytest

from falsum.api.run_result import RunResult, RunStatus
from falsum.api.trace import Trace
from falsum.defects.calls import defect_kind, finding_kind, standing_of_run, target_of_run, text_of_run
from falsum.defects.evidence.judgement import Defect
from falsum.defects.targets.standing import Standing

TRACE = Trace(())


def run(status: RunStatus, kind: str = "", evidence: str = "", skipped: int = 0) -> RunResult:
    return RunResult(TRACE, status, kind, evidence, verdicts=("sat",), skipped=skipped)


CRASH = run(RunStatus.CRASHED, "check", "assertion: n > 0 failed at rewriter.cpp")
RAISED = run(RunStatus.RAISED, "check-sat-assuming", "Error: bad sort")
MODEL = run(RunStatus.CHECK_FAILED, "model", "the model makes an assertion false")


@pytest.mark.parametrize(
    ("failure", "finding", "defect"),
    [
        (CRASH, "api-crash", Defect.CRASH),
        (run(RunStatus.RAISED, "check", "Oops"), "api-exception", Defect.CRASH),
        (run(RunStatus.OUT_OF_MEMORY, "check"), "api-memory", Defect.CRASH),
        (MODEL, "api-model", Defect.INVALID_MODEL),
        (run(RunStatus.CHECK_FAILED, "verdict"), "api-verdict", Defect.REFUTATION_UNSOUNDNESS),
        # A check that no script has.
        (run(RunStatus.CHECK_FAILED, "printed"), "api-printed", Defect.UNDECIDED),
    ],
)
def test_a_failure_is_a_kind_of_finding_and_of_defect(
    failure: RunResult, finding: str, defect: Defect
) -> None:
    assert finding_kind(failure) == finding
    kind = defect_kind(finding)
    assert (kind.name if kind is not None else Defect.UNDECIDED) == defect
    target = target_of_run(failure)
    assert (target.defect, target.oracle, target.message) == (defect, finding, failure.signature)


@pytest.mark.parametrize(
    ("failure", "replay", "standing"),
    [
        (CRASH, CRASH, Standing.BAD),
        # Where the crash has a source file, another call may lead to it; a line number is noise.
        (
            CRASH,
            run(RunStatus.CRASHED, "assert", "assertion: n > 0 failed at rewriter.cpp"),
            Standing.BAD,
        ),
        (
            CRASH,
            run(RunStatus.CRASHED, "check", "assertion: unreachable code in the simplex tableau"),
            Standing.CRASHES,
        ),
        # What stands before two short messages does not make them one.
        (RAISED, run(RunStatus.RAISED, "check-sat-assuming", "Error: no row"), Standing.CRASHES),
        (RAISED, run(RunStatus.RAISED, "check-sat-assuming", "Error: bad sorts"), Standing.BAD),
        (CRASH, MODEL, Standing.CRASHES),
        (CRASH, run(RunStatus.DONE), Standing.GOOD),
        # Of calls that were left out nobody knows what they would have done.
        (CRASH, run(RunStatus.DONE, skipped=2), Standing.UNKNOWN),
        (CRASH, run(RunStatus.TIMED_OUT), Standing.TIMED_OUT),
        (CRASH, run(RunStatus.REFUSED), Standing.REJECTS),
        (CRASH, run(RunStatus.RAISED, "check", "no such option"), Standing.REJECTS),
        (CRASH, run(RunStatus.OUT_OF_MEMORY), Standing.CRASHES),
        (CRASH, run(RunStatus.FLOODED), Standing.UNKNOWN),
        (CRASH, run(RunStatus.EMPTY), Standing.UNKNOWN),
        # A check fails for the same reason whatever its evidence is.
        (MODEL, run(RunStatus.CHECK_FAILED, "model", "another value"), Standing.BAD),
        (MODEL, run(RunStatus.CHECK_FAILED, "verdict", "sat"), Standing.CRASHES),
    ],
)
def test_a_library_stands_to_a_failure_by_a_replay(
    failure: RunResult, replay: RunResult, standing: Standing
) -> None:
    assert standing_of_run(target_of_run(failure), replay) is standing


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (run(RunStatus.DONE), "sat"),
        (run(RunStatus.DONE, skipped=3), "sat 3 calls left out"),
        (MODEL, "sat check failed model the model makes an assertion false"),
        (run(RunStatus.TIMED_OUT), "sat timed out"),
    ],
)
def test_a_replay_in_a_table(result: RunResult, text: str) -> None:
    assert text_of_run(result) == text


def test_a_replay_is_cut_for_a_table() -> None:
    assert len(text_of_run(run(RunStatus.CRASHED, "check", "a" * 300))) == 160
