"""Judgement: the defect a finding shows, the solvers that have it, the right verdict, and the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from falsum.smtlib.verdict import Verdict


class Defect(StrEnum):
    """The defects, the gravest first. The values are stored with findings."""

    REFUTATION_UNSOUNDNESS = "refutation unsoundness"  # unsat for a satisfiable script
    SOLUTION_UNSOUNDNESS = "solution unsoundness"  # sat for an unsatisfiable script
    INVALID_MODEL = "invalid model"
    INVALID_INVARIANT = "invalid invariant"
    CRASH = "crash"
    WRONG_CORE = "wrong core"
    WRONG_ASSUMPTIONS = "wrong assumptions"
    WRONG_OPTIMUM = "wrong optimum"
    FAULTY_PROOF = "faulty proof"
    SELF_CONTRADICTION = "self-contradiction"
    STATE_LEAK = "state leak"
    INCOMPLETENESS = "incompleteness"
    SLOW = "slow"
    UNDECIDED = "undecided"


# The right verdict, and the defect of a solver that contradicts it.
WRONG_VERDICTS: Final = {
    Verdict.SAT: Defect.REFUTATION_UNSOUNDNESS,
    Verdict.UNSAT: Defect.SOLUTION_UNSOUNDNESS,
}
MAJORITY: Final = "majority"
OPEN_POINT: Final = "open point"
# Not evidence, but what a bound on the work has left out.
BOUND: Final = "bound"
# Evidence that no answer of another solver could change.
PROVEN: Final = frozenset({"model", "witness", "evaluation", "derivation", "invariant"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece of evidence. `text` is one or more sentences that a maintainer can read without knowing
    falsum; `details` is what they refer to (a model, a core, a script, a message) as text, mostly
    SMT-LIB.
    """

    kind: str
    text: str
    details: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judgement: `suspects` are the wrong solvers, none if that is undecided. `truth` is the right
    verdict at the check in question, if known. `evidence` has the strongest first.
    """

    defect: str
    suspects: tuple[str, ...]
    truth: Verdict | None
    evidence: tuple[Evidence, ...]
    check: int = 0

    @property
    def by_majority(self) -> bool:
        """Whether a majority is the only evidence."""
        return all(each.kind == MAJORITY for each in self.evidence)

    def __str__(self) -> str:
        suspects = ", ".join(self.suspects)
        about = f"{self.defect}: {suspects}" if suspects else str(self.defect)
        return f"{about}; {self.evidence[0].text}" if self.evidence else about


def clause(solvers: Sequence[str], verb: str, rest: object) -> str:
    """`z3 answers sat`, or `z3, cvc5 answer sat`."""
    return f"{', '.join(solvers)} {verb}{'s' if len(solvers) == 1 else ''} {rest}"
