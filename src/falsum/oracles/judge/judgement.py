"""Judgement: the word on a finding, whom it is about, what is true, and the evidence in plain sentences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from falsum.smtlib.verdict import Verdict


class Defect(StrEnum):
    """What is wrong, the gravest first."""

    REFUTATION_UNSOUNDNESS = "refutation unsoundness"  # unsat for what is sat
    SOLUTION_UNSOUNDNESS = "solution unsoundness"  # sat for what is unsat
    INVALID_MODEL = "invalid model"
    CRASH = "crash"
    WRONG_CORE = "wrong core"
    WRONG_ASSUMPTIONS = "wrong assumptions"
    STATE_LEAK = "state leak"
    INCOMPLETENESS = "incompleteness"
    SLOW = "slow"
    UNDECIDED = "undecided"


# The truth, and what is wrong with an answer that contradicts it.
WRONG_VERDICTS: Final = {
    Verdict.SAT: Defect.REFUTATION_UNSOUNDNESS,
    Verdict.UNSAT: Defect.SOLUTION_UNSOUNDNESS,
}
MAJORITY: Final = "majority"
OPEN_POINT: Final = "open point"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason. `text` is one or more whole sentences a maintainer can read without knowing falsum;
    `details` is what they speak of (a model, a core, a script, a message) as text, mostly SMT-LIB.
    """

    kind: str
    text: str
    details: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """`suspects` are those who are wrong; empty if that is undecided. `truth`: the verdict that is right at
    the check in question, where that is known. `evidence` has the strongest first.
    """

    defect: Defect
    suspects: tuple[str, ...]
    truth: Verdict | None
    evidence: tuple[Evidence, ...]
    check: int = 0

    @property
    def by_majority(self) -> bool:
        """Whether nothing but a majority speaks for it."""
        return all(each.kind == MAJORITY for each in self.evidence)

    def __str__(self) -> str:
        whom = ", ".join(self.suspects)
        about = f"{self.defect}: {whom}" if whom else str(self.defect)
        return f"{about}; {self.evidence[0].text}" if self.evidence else about
