"""Verdicts of a library against its earlier ones: the same formulas, more and fewer."""

from __future__ import annotations

import pytest
from tests.api.checks.stories import failures

SAME = "sat now, unsat before with the same formulas or fewer: t4 t7"


@pytest.mark.parametrize(
    ("before", "now", "evidence"),
    [
        ("check t4 t7\n-> unsat\n", "check t4 t7\n-> sat\n", SAME),
        ("check t4 t7\n-> unsat\n", "check t4 t7 t8\n-> sat\n", SAME),
        ("check t4 t7\n-> unsat\n", "check t4\n-> sat\n", ""),
        ("check t4 t7\n-> unsat\n", "check t4 t7\n-> unknown\n", ""),
        ("check t4 t7\n-> unsat\n", "check t4 t7\n-! Error: no\n", ""),
    ],
)
def test_what_was_unsat_stays_unsat(before: str, now: str, evidence: str) -> None:
    assert [each.evidence for each in failures(before + now)] == ([evidence] if evidence else [])
