"""Texts on pages: highlighted, compared, escaped."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.app.pages.sample_store import HOSTILE, PROGRAM, TRACE

from falsum.app.pages.environment import html_templates, markdown_cell, share_text, web_address
from falsum.app.pages.highlight import MOST_SHOWN, highlighted
from falsum.app.pages.script_diff import script_diff
from falsum.printable import printable

SCRIPT = '(set-logic QF_LIA) ; why\n(assert (forall ((x Int)) (= x #x0f "a""b" |b c|)))\n(check-sat)\n'


@pytest.mark.parametrize("language", ["smt2", "trace", "python", "", "unknown"])
@given(text=st.text(max_size=60) | st.sampled_from([HOSTILE, SCRIPT, TRACE, PROGRAM, "(" * 50, '"', "|", ""]))
def test_highlighted_text_is_the_text_and_nothing_else(language: str, text: str) -> None:
    shown = str(highlighted(text, language))
    assert not set(re.findall(r"<[^>]*>", shown)) - set(
        re.findall(r'<span class="[a-z0-9 ]+">|</span>', shown)
    )
    # Pygments reads all kinds of ends of lines as one, and ends every text with one.
    assert html.unescape(re.sub("<[^>]*>", "", shown)).strip("\n") == printable(text).strip("\n")


def test_words_of_scripts_have_colours() -> None:
    shown = str(highlighted(SCRIPT, "smt2"))
    for piece in ('"k">set-logic', '"c1">; why', '"kt">forall', '"o">=', ">#x0f</span>"):
        assert piece in shown, piece


def test_long_texts_are_cut_and_say_so() -> None:
    shown = str(highlighted("(check-sat)\n" * 30_000, "smt2"))
    assert len(shown) < MOST_SHOWN + 200
    assert "more characters; the file has all of it" in shown
    assert "<span" not in shown


def test_differences_of_scripts_ignore_layout() -> None:
    before = "(declare-const x Int)(assert\n (> x 1))\n(check-sat)"
    after = "(declare-const x Int)\n(assert (< x 1))\n(check-sat)\n"
    changes = script_diff(before, after)
    assert changes is not None
    assert [(line.change, line.text) for line in changes if line.change != "same"] == [
        ("removed", "(assert (> x 1))"),
        ("added", "(assert (< x 1))"),
    ]
    assert script_diff(before, before) == []


def test_scripts_nobody_can_read_are_compared_as_text() -> None:
    changes = script_diff("(not a script", "((not a script")
    assert changes is not None
    assert {line.change for line in changes} == {"removed", "added"}
    assert script_diff("(x\n" * 5000, "") is None


def test_templates_escape_markup_and_control_characters() -> None:
    shown = html_templates().from_string('<a title="{{ x }}">{{ x }}</a>').render(x=HOSTILE + "\udcff")
    assert "<script" not in shown
    assert "\x1b" not in shown
    assert "\\x1b" in shown
    assert shown.count('"') == 2
    shown.encode()


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://a.org/1", "https://a.org/1"),
        ("javascript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("//a.org", ""),
        ("", ""),
    ],
)
def test_only_web_addresses_are_linked(address: str, shown: str) -> None:
    assert web_address(address) == shown


def test_cells_of_markdown_have_no_markup() -> None:
    assert markdown_cell("a|b\n[x](y) <b> `c` *d*") == r"a\|b\\n\[x\](y) \<b\> \`c\` \*d\*"


@pytest.mark.parametrize(
    ("share", "text"), [(None, "–"), (0.0, "0%"), (0.004, "0.4%"), (0.5, "50%"), (1, "100%")]
)
def test_shares_in_words(share: float | None, text: str) -> None:
    assert share_text(share) == text
