"""Defects of library calls: the kind of a replayed failure, and whether it still shows."""

from __future__ import annotations

from typing import Final

from falsum.api.run_result import RunResult, RunStatus
from falsum.defects.evidence.judgement import Defect
from falsum.defects.kind import DefectKind
from falsum.defects.table import kind_of_library_check
from falsum.defects.targets.standing import Standing, cut
from falsum.defects.targets.target import Target
from falsum.solvers.messages import alike

PREFIX: Final = "api-"
# What a failure is called; a failed check is called by its own name.
_ENDINGS: Final = {
    RunStatus.CRASHED: "crash",
    RunStatus.RAISED: "exception",
    RunStatus.OUT_OF_MEMORY: "memory",
}
_MESSAGES: Final = frozenset({RunStatus.CRASHED, RunStatus.RAISED})


def finding_kind(result: RunResult) -> str:
    """The kind of finding that a failure is."""
    return f"{PREFIX}{_ENDINGS.get(result.status, result.kind)}"


def defect_kind(finding: str) -> DefectKind | None:
    """The kind of defect behind a kind of finding; None for checks that no script has."""
    return kind_of_library_check(finding.removeprefix(PREFIX))


def target_of_run(failure: RunResult) -> Target:
    """What to look for: the same failure of the same calls."""
    kind = defect_kind(finding_kind(failure))
    defect = kind.name if kind is not None else str(Defect.UNDECIDED)
    return Target(defect, finding_kind(failure), message=failure.signature)


def standing_of_run(target: Target, result: RunResult) -> Standing:
    """Whether a library shows a failure, by a replay of the calls that have shown it."""
    if result.signature == target.message:
        return Standing.BAD
    if result.is_wrong and finding_kind(result) == target.oracle:
        is_same = result.status not in _MESSAGES or alike(
            _message(result.signature), _message(target.message)
        )
        return Standing.BAD if is_same else Standing.CRASHES
    match result.status:
        case RunStatus.DONE:
            return Standing.UNKNOWN if result.skipped else Standing.GOOD
        case RunStatus.TIMED_OUT:
            return Standing.TIMED_OUT
        case RunStatus.REFUSED | RunStatus.RAISED:
            return Standing.REJECTS
        case _:
            return Standing.CRASHES if result.is_wrong else Standing.UNKNOWN


def _message(signature: str) -> str:
    """The message in the signature of a failure, without its prefix, which is always the same."""
    return signature.rpartition(" | ")[2]


def text_of_run(result: RunResult) -> str:
    """A replay, short enough for a table."""
    ending = f"{result.status} {result.kind} {result.evidence}".strip()
    if result.status is RunStatus.DONE:
        ending = f"{result.skipped} calls left out" if result.skipped else ""
    return cut(" ".join((*result.verdicts, ending)).strip())
