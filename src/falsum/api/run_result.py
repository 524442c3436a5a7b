"""RunResult: how a run ended, and with which trace."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from falsum.api.trace import Trace
from falsum.solvers.messages import names_source_file, without_call_noise


class RunStatus(StrEnum):
    """How a run ended."""

    DONE = "done"
    EMPTY = "empty"  # generated without an assertion and a check
    REFUSED = "refused"  # the library reports that something is not supported
    RAISED = "raised"  # an unexpected exception
    CHECK_FAILED = "check failed"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    FLOODED = "flooded"  # too much output
    KILLED = "killed"  # by somebody, or by a kernel that is short of memory
    KNOWN = "known"  # a failure that the settings mute

    @property
    def is_wrong(self) -> bool:
        """Whether this ending is reported."""
        return self in (
            RunStatus.RAISED,
            RunStatus.CHECK_FAILED,
            RunStatus.CRASHED,
            RunStatus.OUT_OF_MEMORY,
        )


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a run.

    `kind` is the check that failed, else the word of the last line; `evidence` is one line for people;
    `skipped` counts the lines that a replay could not execute.
    """

    trace: Trace
    status: RunStatus
    kind: str = ""
    evidence: str = ""
    seconds: float = 0.0
    verdicts: tuple[str, ...] = ()
    skipped: int = 0

    @property
    def is_wrong(self) -> bool:
        return self.status.is_wrong

    @property
    def signature(self) -> str:
        """What two failures by the same defect have in common: status, kind and the message without noise.

        If the message names a source file of the library, the kind of call does not matter.
        """
        has_message = self.status in (RunStatus.RAISED, RunStatus.CRASHED)
        message = without_call_noise(self.evidence) if has_message else ""
        parts = (str(self.status), "" if names_source_file(message) else self.kind, message)
        return " | ".join(part for part in parts if part)

    def is_same_failure(self, other: RunResult) -> bool:
        return self.signature == other.signature
