"""Pieces of Markdown, whatever the text in them."""

from __future__ import annotations

import pytest

from falsum.app.report.markdown import fenced, joined, section, shortened


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sat\n", "```text\nsat\n```"),
        ("a\n```\nb", "````text\na\n```\nb\n````"),
        ("`````", "``````text\n`````\n``````"),
        (" \n", ""),
    ],
)
def test_nothing_closes_a_block_from_inside(text: str, expected: str) -> None:
    assert fenced(text) == expected


def test_parts_are_joined_and_empty_ones_left_out() -> None:
    assert joined("a\n", "", "\nb") == "a\n\nb\n"
    assert section("Title", "text", 3) == "### Title\n\ntext"


@pytest.mark.parametrize(
    ("text", "length", "expected"), [("abc", 3, "abc"), ("abcd", 3, "ab…"), (" a ", 1, "a")]
)
def test_long_text_is_cut_visibly(text: str, length: int, expected: str) -> None:
    assert shortened(text, length) == expected
