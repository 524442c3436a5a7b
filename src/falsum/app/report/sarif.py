"""SARIF 2.1.0: the findings of a campaign as results of an analysis, for code scanning."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from falsum.app.report.summary import SummarisedFinding
from falsum.printable import printable
from falsum.version import __version__

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(findings: Sequence[SummarisedFinding], *, has_baseline: bool = False) -> str:
    """A log with one run: a rule for each defect, a result for each finding."""
    rules = sorted({one.rule for one in findings})
    driver = {
        "name": "falsum",
        "version": __version__,
        "rules": [{"id": rule, "shortDescription": {"text": rule.replace("-", " ")}} for rule in rules],
    }
    results = [_result(one, rules.index(one.rule), has_baseline=has_baseline) for one in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _result(one: SummarisedFinding, rule: int, *, has_baseline: bool) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": one.script_uri}, "region": {"startLine": 1}}
    fields: dict[str, Any] = {
        "ruleId": one.rule,
        "ruleIndex": rule,
        "level": "note" if one.reference else "warning" if one.is_undecided else "error",
        "message": {
            "text": printable(
                "\n\n".join(filter(None, (f"{one.product}: {one.title}", one.pardon, one.evidence)))
            )
        },
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"falsumSignature/v1": one.digest},
    }
    if has_baseline:
        fields["baselineState"] = "unchanged" if one.is_known else "new"
    return fields
