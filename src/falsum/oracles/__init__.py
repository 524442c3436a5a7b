"""→ Finding. Ways to know that an answer is wrong; a new one joins by a line in ALL.

The order matters: an oracle that needs less evidence comes first, and those that follow leave out the solvers
it suspects.
"""

from __future__ import annotations

from typing import Final

from falsum.errors import UsageError
from falsum.oracles.claim import ClaimOracle
from falsum.oracles.consequences.assumptions import AssumptionsOracle
from falsum.oracles.consequences.core import CoreOracle
from falsum.oracles.consequences.law import LawOracle
from falsum.oracles.consequences.optimum import OptimumOracle
from falsum.oracles.consequences.proof import ProofOracle
from falsum.oracles.crash import CrashOracle
from falsum.oracles.disagreement import DisagreementOracle
from falsum.oracles.finding import FLAKY
from falsum.oracles.incompleteness import IncompletenessOracle
from falsum.oracles.leak import LeakOracle
from falsum.oracles.model import ModelOracle
from falsum.oracles.oracle import Oracle
from falsum.oracles.reference import ReferenceOracle
from falsum.oracles.slow import SlowOracle
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
