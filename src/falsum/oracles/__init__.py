"""→ Finding. Ways to know that an answer is wrong; a new one joins by a line in ALL.

The order matters: what needs less to be believed comes first, and whom it accuses the later ones leave out.
"""

from __future__ import annotations

from typing import Final

from falsum.oracles.claim import Claim
from falsum.oracles.crash import Crash
from falsum.oracles.disagreement import Disagreement
from falsum.oracles.leak import Leak
from falsum.oracles.model import Model
from falsum.oracles.oracle import Oracle
from falsum.oracles.reference import Reference
from falsum.plugins import Registry, having

ALL: Final[Registry[Oracle]] = Registry(
    "oracles",
    (
        Crash(),
        Claim(),
        Model(),
        Disagreement(),
        Reference(),
        Leak(),
    ),
    having("name", "subject", "want", "compares_solvers", "needs_history", "is_expensive", "judge"),
)

BY_NAME: Final = ALL.by_name

__all__ = ["ALL", "BY_NAME", "Oracle"]
