"""→ Finding. What is wrong with answers, whether it still shows, and which solver is wrong."""

from __future__ import annotations

from falsum.defects.defect import Oracle
from falsum.defects.kind import DefectKind
from falsum.defects.table import ALL, BY_NAME, kind_of, kinds, needs_history, oracle_named

__all__ = ["ALL", "BY_NAME", "DefectKind", "Oracle", "kind_of", "kinds", "needs_history", "oracle_named"]
