"""Findings: which need their oracle to be seen again, and how they are named and quoted."""

from __future__ import annotations

import pytest
from tests.defects import liars

from falsum.defects.finding import Finding, Subject, digest_of, shortened


def test_what_solvers_answer_to_one_script_shows_some_findings_without_their_oracle() -> None:
    alone = {subject for subject in Subject if not subject.needs_oracle}
    assert alone == {Subject.VERDICT, Subject.MODEL, Subject.CRASH, Subject.STATE}


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
