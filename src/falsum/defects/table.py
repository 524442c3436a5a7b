"""The oracles, and the kinds of defects that they find; a new one joins by a line in ORACLES.

The order of oracles matters: one that needs less evidence comes first, and those that follow leave out the
solvers it suspects.
"""

from __future__ import annotations

from typing import Final

from falsum.defects.defect import Oracle
from falsum.defects.finding import FLAKY
from falsum.defects.kind import DefectKind
from falsum.defects.kinds.broken_law.broken_law import LawOracle
from falsum.defects.kinds.broken_limit import LimitOracle
from falsum.defects.kinds.crash import CrashOracle
from falsum.defects.kinds.faulty_proof.faulty_proof import ProofOracle
from falsum.defects.kinds.incompleteness import IncompletenessOracle
from falsum.defects.kinds.invalid_invariant import InvariantOracle
from falsum.defects.kinds.invalid_model import ModelOracle
from falsum.defects.kinds.slow import SlowOracle
from falsum.defects.kinds.state_leak import LeakOracle
from falsum.defects.kinds.wrong_assumptions import AssumptionsOracle
from falsum.defects.kinds.wrong_core import CoreOracle
from falsum.defects.kinds.wrong_optimum import OptimumOracle
from falsum.defects.kinds.wrong_verdict.claim import ClaimOracle
from falsum.defects.kinds.wrong_verdict.disagreement import DisagreementOracle
from falsum.defects.kinds.wrong_verdict.drawn import DrawnOracle
from falsum.defects.kinds.wrong_verdict.reference import ReferenceOracle
from falsum.errors import UsageError
from falsum.plugins import Registry, having

ALL: Final[Registry[Oracle]] = Registry(
    "oracles",
    (
        CrashOracle(),
        ClaimOracle(),
        ModelOracle(),
        DisagreementOracle(),
        ReferenceOracle(),
        DrawnOracle(),
        InvariantOracle(),
        IncompletenessOracle(),
        SlowOracle(),
        CoreOracle(),
        AssumptionsOracle(),
        OptimumOracle(),
        ProofOracle(),
        LawOracle(),
        LimitOracle(),
        LeakOracle(),
    ),
    having("name", "defect", "want", "compares_solvers", "needs_history", "every", "find"),
)

BY_NAME: Final = ALL.by_name


def oracle_named(name: str) -> Oracle:
    """The oracle that makes findings of this kind; raises UsageError if there is none."""
    if name not in BY_NAME:
        hint = "if a plug-in has it, install it or give --plugin FILE"
        raise UsageError(f"unknown oracle {name!r}; falsum has {', '.join(BY_NAME)}; {hint}")
    return BY_NAME[name]


def needs_history(kind: str) -> bool:
    """Whether findings of a kind depend on the scripts that the same process has answered before."""
    return kind != FLAKY and oracle_named(kind).needs_history


def kinds() -> tuple[DefectKind, ...]:
    """The kinds of defects, the gravest first."""
    by_name = {oracle.defect.name: oracle.defect for oracle in ALL}
    return tuple(sorted(by_name.values(), key=lambda kind: kind.rank))


def kind_of(defect: str) -> DefectKind | None:
    """The kind by the judge's word for it; None for undecided."""
    return next((kind for kind in kinds() if defect in kind.words), None)


def kind_named(defect: str) -> DefectKind:
    """The kind of a defect by name; raises UsageError if there is none."""
    kind = kind_of(defect)
    if kind is None:
        names = ", ".join(word for one in kinds() for word in one.words)
        raise UsageError(f"unknown defect {defect!r}; falsum has {names}")
    return kind


def oracles_of(kind: DefectKind) -> tuple[Oracle, ...]:
    """The oracles that find a kind of defect."""
    return tuple(oracle for oracle in ALL if oracle.defect.name == kind.name)


def kind_of_library_check(check: str) -> DefectKind | None:
    """The kind of defect of a failed library check, or of the ending of a run."""
    return next((kind for kind in kinds() if check in kind.library_checks), None)
