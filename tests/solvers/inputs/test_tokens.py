"""Tokens as they are sent."""

from __future__ import annotations

import pytest

from falsum.solvers.inputs.tokens import is_plain, joined, safe_string, safe_token


@pytest.mark.parametrize(
    ("token", "sent"),
    [
        ('"a"', '"a"'),
        ('"a""b"', '"a""b"'),
        ('"a\\"', '"a\\u{5c}"'),
        ('"\\""x"', '"\\u{5c}""x"'),
        ('"é\n"', '"\\u{e9}\\u{a}"'),
        ('"\U0002ffff"', '"\\u{2ffff}"'),
        ('"\U00030000"', ""),
        ('"\udc80"', ""),
        ('"', ""),
    ],
)
def test_strings_are_printable_ascii(token: str, sent: str) -> None:
    text, change = safe_string(token)
    assert text == sent
    assert bool(change) is (text not in {token, ""})


@pytest.mark.parametrize("token", ["x", "|a b|", "a.b/c", "#b01", "1.5", "(", ")", ":named", "|x'|"])
def test_tokens_that_everybody_reads_alike_stay(token: str) -> None:
    assert safe_token(token) == token


@pytest.mark.parametrize("token", ["a#b", "|", "a\0", ":a:b", ":UNREACHABLE", "a:b", "1a:", "\u00a0"])
def test_tokens_that_somebody_reads_differently_are_not_sent(token: str) -> None:
    assert safe_token(token) == ""


def test_spaces_stand_where_they_are_needed() -> None:
    assert joined(["(", "f", "(", "g", ")", "x", ")"]) == "(f (g) x)"
    assert is_plain("x")
    assert not is_plain("|x|")
