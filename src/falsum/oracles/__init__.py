"""→ Finding. Ways to know that an answer is wrong; a new one joins by a line in ALL.

The order matters: an oracle that needs less evidence comes first, and those that follow leave out the solvers
it suspects.
"""

from __future__ import annotations

from typing import Final

from falsum.oracles.claim import ClaimOracle
from falsum.oracles.crash import CrashOracle
from falsum.oracles.disagreement import DisagreementOracle
from falsum.oracles.leak import LeakOracle
from falsum.oracles.model import ModelOracle
from falsum.oracles.oracle import Oracle
from falsum.oracles.reference import ReferenceOracle
from falsum.plugins import Registry, having

ALL: Final[Registry[Oracle]] = Registry(
    "oracles",
    (
        CrashOracle(),
        ClaimOracle(),
        ModelOracle(),
        DisagreementOracle(),
        ReferenceOracle(),
        LeakOracle(),
    ),
    having("name", "subject", "want", "compares_solvers", "needs_history", "is_expensive", "judge"),
)

BY_NAME: Final = ALL.by_name

__all__ = ["ALL", "BY_NAME", "Oracle"]
