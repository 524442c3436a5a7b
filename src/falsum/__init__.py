"""falsum finds bugs in SMT solvers and delivers them proved, small and ready to report.

The names in `__all__` are the public API; docs/python.md describes them. Everything else in this package may
change with any release. Names are imported when they are first used, so that `import falsum` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from falsum.version import __version__

if TYPE_CHECKING:
    from falsum.audits.rows import AuditRow, StabilityRow, UpgradeRow
    from falsum.defects.evidence.judgement import Defect, Evidence, Judgement
    from falsum.errors import FalsumError, ScriptError, SurroundingsError, UsageError
    from falsum.public.audits import audit, stability, upgrade
    from falsum.public.campaign import Campaign, CampaignSummary
    from falsum.public.functions import evaluate, evaluate_term, judge, mutate, reduce, solve
    from falsum.reducer import Reduction
    from falsum.smtlib import Script, print_script, read_file, read_script
    from falsum.smtlib.values.cannot_say import CannotSay
    from falsum.smtlib.verdict import Verdict
    from falsum.solvers.answer import Answer
    from falsum.store.records import FindingRecord
    from falsum.strategies.mutant import Claim, Mutant

__all__ = [
    "Answer",
    "AuditRow",
    "Campaign",
    "CampaignSummary",
    "CannotSay",
    "Claim",
    "Defect",
    "Evidence",
    "FalsumError",
    "FindingRecord",
    "Judgement",
    "Mutant",
    "Reduction",
    "Script",
    "ScriptError",
    "StabilityRow",
    "SurroundingsError",
    "UpgradeRow",
    "UsageError",
    "Verdict",
    "__version__",
    "audit",
    "evaluate",
    "evaluate_term",
    "judge",
    "mutate",
    "print_script",
    "read_file",
    "read_script",
    "reduce",
    "solve",
    "stability",
    "upgrade",
]

_MODULES = {
    "Answer": "falsum.solvers.answer",
    "AuditRow": "falsum.audits.rows",
    "Campaign": "falsum.public.campaign",
    "CampaignSummary": "falsum.public.campaign",
    "CannotSay": "falsum.smtlib.values.cannot_say",
    "Claim": "falsum.strategies.mutant",
    "Defect": "falsum.defects.evidence.judgement",
    "Evidence": "falsum.defects.evidence.judgement",
    "FalsumError": "falsum.errors",
    "FindingRecord": "falsum.store.records",
    "Judgement": "falsum.defects.evidence.judgement",
    "Mutant": "falsum.strategies.mutant",
    "Reduction": "falsum.reducer",
    "Script": "falsum.smtlib",
    "ScriptError": "falsum.errors",
    "StabilityRow": "falsum.audits.rows",
    "SurroundingsError": "falsum.errors",
    "UpgradeRow": "falsum.audits.rows",
    "UsageError": "falsum.errors",
    "Verdict": "falsum.smtlib.verdict",
    "audit": "falsum.public.audits",
    "print_script": "falsum.smtlib",
    "read_file": "falsum.smtlib",
    "read_script": "falsum.smtlib",
    "stability": "falsum.public.audits",
    "upgrade": "falsum.public.audits",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'falsum' has no attribute {name!r}")
    return getattr(importlib.import_module(_MODULES.get(name, "falsum.public.functions")), name)


def __dir__() -> list[str]:
    return sorted(__all__)
