"""→ Finding. Ways to know that an answer is wrong; a new one joins by a line in ALL.

The order matters: an oracle that needs less evidence comes first, and those that follow leave out the solvers
it suspects.
"""

from __future__ import annotations

from typing import Final

from falsum.defects.broken_law import LawOracle
from falsum.defects.claim import ClaimOracle
from falsum.defects.crash import CrashOracle
from falsum.defects.defect import Oracle
from falsum.defects.disagreement import DisagreementOracle
from falsum.defects.faulty_proof import ProofOracle
from falsum.defects.finding import FLAKY
from falsum.defects.incompleteness import IncompletenessOracle
from falsum.defects.invalid_model import ModelOracle
from falsum.defects.reference import ReferenceOracle
from falsum.defects.slow import SlowOracle
from falsum.defects.state_leak import LeakOracle
from falsum.defects.wrong_assumptions import AssumptionsOracle
from falsum.defects.wrong_core import CoreOracle
from falsum.defects.wrong_optimum import OptimumOracle
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
        IncompletenessOracle(),
        SlowOracle(),
        CoreOracle(),
        AssumptionsOracle(),
        OptimumOracle(),
        ProofOracle(),
        LawOracle(),
        LeakOracle(),
    ),
    having("name", "subject", "want", "compares_solvers", "needs_history", "every", "judge"),
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


__all__ = ["ALL", "BY_NAME", "Oracle", "needs_history", "oracle_named"]
