"""Tokens and places."""

from __future__ import annotations

import pytest

from falsum.errors import ScriptError
from falsum.smtlib.text import lexer


def tokens(text: str) -> list[str]:
    return [token for chunk in lexer.chunks(text) for token in chunk.tokens]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a b)", ["(", "a", "b", ")"]),
        ("(a;c)\n)", ["(", "a", ")"]),
        ('"a""b" "c"', ['"a""b"', '"c"']),
        ("|a b|c", ["|a b|", "c"]),
        ('|;"|', ['|;"|']),
        ('";|"', ['";|"']),
        ("a|b|", ["a", "|b|"]),
        ("#b01 #xF :k 1.5 -1", ["#b01", "#xF", ":k", "1.5", "-1"]),
        ("a\r\n\t\f\vb", ["a", "b"]),
        ("", []),
        (" ; x", []),
        ('"open', ['"', "open"]),
        ("|open", ["|", "open"]),
        ("a\x00b", ["a", "\x00", "b"]),
        ("é\u00a0x", ["é", "\u00a0", "x"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13])
def test_cutting_into_chunks_changes_nothing(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    text = '(a "x)y" |b)c| ; d)e\n (f)) ("") (g) ) ; )'
    whole = tokens(text)
    monkeypatch.setattr(lexer, "_CHUNK", size)
    assert tokens(text) == whole
    places = [
        lexer.offset_of(text, chunk, index)
        for chunk in lexer.chunks(text)
        for index in range(len(chunk.tokens))
    ]
    assert [text.startswith(token, place) for token, place in zip(whole, places, strict=True)] == [
        True
    ] * len(whole)


@pytest.mark.parametrize(
    ("offset", "place"), [(0, (1, 1)), (1, (1, 2)), (2, (1, 3)), (3, (2, 1)), (4, (3, 1)), (6, (3, 3))]
)
def test_places(offset: int, place: tuple[int, int]) -> None:
    assert lexer.place_of("ab\n\ncd", offset) == place


@pytest.mark.parametrize(
    ("name", "token"),
    [("x", "x"), ("a b", "|a b|"), ("let", "|let|"), ("", "||"), ("1", "|1|"), ("a1", "a1"), (":k", "|:k|")],
)
def test_quote(name: str, token: str) -> None:
    assert lexer.quote(name) == token
    assert lexer.symbol_name(token) == name
    assert lexer.is_symbol(token)


@pytest.mark.parametrize("token", ["(", ")", "1", "1.5", "#b1", '"a"', '"', "|", ":k", "\x00"])
def test_not_a_symbol(token: str) -> None:
    assert not lexer.is_symbol(token)


def test_messages_stay_on_one_line() -> None:
    assert lexer.one_line("a\nb\x00") == "a\\nb\\x00"
    assert len(lexer.one_line("x" * 5000)) == 1000
    assert lexer.token_text("x" * 100) == "x" * 37 + "…"


@pytest.mark.parametrize(
    ("data", "line", "column"), [(b"\xff", 1, 1), (b"a\n\xc3", 2, 1), (b"a\n\nb\xed\xa0\x80", 3, 2)]
)
def test_not_utf_8(data: bytes, line: int, column: int) -> None:
    with pytest.raises(ScriptError) as caught:
        lexer.decode(data, "f")
    assert (caught.value.line, caught.value.column, caught.value.file) == (line, column, "f")
