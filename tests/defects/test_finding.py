"""Findings: how they are named and quoted."""

from __future__ import annotations

import pytest
from tests.defects import liars

from falsum.defects.finding import Finding, digest_of, shortened


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [("abc", 4, "abc"), ("abcd", 4, "abcd"), ("abcde", 4, "abcd …"), ("a" * 300, 300, "a" * 300)],
)
def test_long_text_is_cut_off(text: str, most: int, shown: str) -> None:
    assert shortened(text, most) == shown


def test_a_finding_is_named_by_its_signature() -> None:
    one, other = (
        Finding("crash", ("z3",), signature, "z3 crashes", liars.case_of()) for signature in ("a", "b")
    )
    assert one.digest == digest_of("a") != other.digest
