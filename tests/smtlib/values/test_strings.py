"""String corners of the standard, and literals that read back."""

from __future__ import annotations

from random import Random

import pytest
from tests.smtlib.values.samples import word

from falsum.smtlib.values import regexes, strings
from falsum.smtlib.values.cannot_say import CannotSay

LONG = "a" * 200_000
A, B = regexes.literal("a"), regexes.literal("b")


@pytest.mark.parametrize(
    ("raw", "payload"),
    [
        ("", ""),
        ("abc", "abc"),
        (r"\u0041", "A"),
        (r"\u{41}", "A"),
        (r"\u{2FFFF}", "\U0002ffff"),
        (r"\u{2fFfF}", "\U0002ffff"),
        (r"\u{0}", "\0"),
        (r"\u{00041}", "A"),
        (r"\ud800", "\ud800"),
        (r"\u00411", "A1"),
        ('a""b', 'a"b'),
        ('""""', '""'),
        (r"\u{30000}", r"\u{30000}"),
        (r"\u{000041}", r"\u{000041}"),
        (r"\u{}", r"\u{}"),
        (r"\u{g}", r"\u{g}"),
        (r"\u{41", r"\u{41"),
        (r"\u41", r"\u41"),
        (r"\x41", r"\x41"),
        (r"\n", r"\n"),
        (r"\\", r"\\"),
        (r"\U0041", r"\U0041"),
        (r"\u{5c}u0041", r"\u0041"),
        (r"\\u0041", "\\A"),
        ("\\", "\\"),
        ("é", "é"),
    ],
)
def test_literals_are_read(raw: str, payload: str) -> None:
    assert strings.decode_literal(raw) == payload


@pytest.mark.parametrize(
    ("payload", "literal"),
    [
        ("", '""'),
        ('a"b', '"a""b"'),
        ("a\nb", r'"a\u{a}b"'),
        ("é", r'"\u{e9}"'),
        ("\x7f", r'"\u{7f}"'),
        ("\U0002ffff", r'"\u{2ffff}"'),
        (r"\u0041", r'"\u{5c}u0041"'),
        (r"\u{41}", r'"\u{5c}u{41}"'),
        (r"\x41", r'"\u{5c}x41"'),
        (r"\a", r'"\a"'),
        ("\\", '"\\"'),
        (r"\\u", r'"\\u{5c}u"'),
    ],
)
def test_literals_are_printed(payload: str, literal: str) -> None:
    assert strings.encode_literal(payload) == literal


def test_literals_read_back() -> None:
    rng = Random(5)
    pieces = ["\\", "u", "{", "}", "41", "0041", '"', "2ffff", "30000", "\\u", "\n", "é", " ", "x"]
    payloads = [word(rng, 12) for _ in range(2000)]
    payloads += ["".join(rng.choices(pieces, k=rng.randint(1, 8))) for _ in range(4000)]
    payloads += [chr(code) for code in range(0, 0x30000, 61)]
    for payload in payloads:
        literal = strings.encode_literal(payload)
        assert literal.isascii()
        assert literal.isprintable()
        assert strings.decode_literal(literal[1:-1]) == payload


@pytest.mark.parametrize(
    ("start", "count", "result"),
    [
        (0, 2, "ab"),
        (1, 100, "bcd"),
        (3, 1, "d"),
        (4, 1, ""),
        (-1, 2, ""),
        (0, 0, ""),
        (0, -1, ""),
        (1, -3, ""),
        (10**30, 10**30, ""),
        (1, 10**30, "bcd"),
    ],
)
def test_substr(start: int, count: int, result: str) -> None:
    assert strings.substr("abcd", start, count) == result


def test_at() -> None:
    assert [strings.at("ab", i) for i in (-1, 0, 1, 2)] == ["", "a", "b", ""]
    assert strings.at("", 0) == ""


@pytest.mark.parametrize(
    ("s", "part", "start", "result"),
    [
        ("abab", "ab", 0, 0),
        ("abab", "ab", 1, 2),
        ("abab", "ab", 3, -1),
        ("abab", "ab", -1, -1),
        ("abab", "", 0, 0),
        ("abab", "", 3, 3),
        ("abab", "", 4, 4),
        ("abab", "", 5, -1),
        ("abab", "", -1, -1),
        ("", "", 0, 0),
        ("", "a", 0, -1),
        ("abab", "ab", 10**30, -1),
    ],
)
def test_indexof(s: str, part: str, start: int, result: int) -> None:
    assert strings.indexof(s, part, start) == result


@pytest.mark.parametrize(
    ("s", "old", "new", "first", "every"),
    [
        ("abab", "ab", "x", "xab", "xx"),
        ("abab", "", "x", "xabab", "abab"),
        ("", "", "x", "x", ""),
        ("", "a", "x", "", ""),
        ("aaa", "aa", "b", "ba", "ba"),
        ("aaaa", "a", "", "aaa", ""),
        ("aa", "a", "aa", "aaa", "aaaa"),
        ("abc", "d", "x", "abc", "abc"),
    ],
)
def test_replace(s: str, old: str, new: str, first: str, every: str) -> None:
    assert strings.replace(s, old, new) == first
    assert strings.replace_all(s, old, new) == every


@pytest.mark.parametrize(
    ("s", "regex", "first", "every"),
    [
        ("aabb", regexes.plus(A), "xabb", "xxbb"),
        ("baab", regexes.plus(A), "bxab", "bxxb"),
        ("baab", regexes.star(A), "xbaab", "bxxb"),
        ("", regexes.star(A), "x", ""),
        ("", A, "", ""),
        ("ab", regexes.NONE, "ab", "ab"),
        ("ab", regexes.ALL, "xab", "xx"),
        ("aab", regexes.concat(regexes.star(A), B), "x", "x"),
        ("aba", regexes.union(A, regexes.literal("ab")), "xba", "xbx"),
        ("abcab", regexes.literal("ab"), "xcab", "xcx"),
        ("ab", regexes.literal("abc"), "ab", "ab"),
    ],
)
def test_replace_re_takes_the_shortest_leftmost(s: str, regex: regexes.Regex, first: str, every: str) -> None:
    assert strings.replace_re(s, regex, "x") == first
    assert strings.replace_re_all(s, regex, "x") == every


def test_indexof_re() -> None:
    assert strings.indexof_re("aab", B, 0) == 2
    assert strings.indexof_re("aab", B, 3) == -1
    assert strings.indexof_re("aab", regexes.star(B), 3) == 3
    assert strings.indexof_re("aab", regexes.ALL, 4) == -1
    assert strings.indexof_re("aab", regexes.ALL, -1) == -1
    assert strings.indexof_re("aab", regexes.NONE, 0) == -1
    assert strings.in_re("b", B) is True
    assert strings.in_re("bb", B) is False


@pytest.mark.parametrize(
    ("s", "number"),
    [("", -1), ("0", 0), ("007", 7), ("-1", -1), ("+1", -1), (" 1", -1), ("1 ", -1), ("1a", -1),
     ("٣", -1), ("1_0", -1), ("1\n", -1), ("12345678901234567890", 12345678901234567890)],
)  # fmt: skip
def test_to_int(s: str, number: int) -> None:
    assert strings.to_int(s) == number


def test_from_int() -> None:
    assert [strings.from_int(n) for n in (-1, 0, 7, 10**20)] == ["", "0", "7", "1" + "0" * 20]
    assert strings.from_int(10**5000) == "1" + "0" * 5000
    assert strings.to_int("1" + "0" * 5000) == 10**5000
    assert strings.to_int("0" * 100_000 + "5") == 5


def test_codes() -> None:
    assert [strings.to_code(s) for s in ("", "a", "ab", "\U0002ffff")] == [-1, 97, -1, 0x2FFFF]
    codes = (-1, 0, 97, 0xD800, 196607, 196608, 10**30)
    expected = ["", "\0", "a", "\ud800", "\U0002ffff", "", ""]
    assert [strings.from_code(code) for code in codes] == expected
    digits = ("0", "9", "", "12", "a", "/", ":", "٣", "²")
    assert [strings.is_digit(s) for s in digits] == [True, True] + [False] * 7


def test_order_and_parts() -> None:
    assert strings.lt("", "a")
    assert strings.lt("a", "aa")
    assert strings.lt("Z", "a")
    assert strings.lt("\uffff", "\U00010000")
    assert not strings.lt("a", "a")
    assert not strings.lt("b", "ab")
    assert strings.leq("a", "a")
    assert not strings.leq("b", "a")
    assert strings.prefixof("", "")
    assert strings.prefixof("ab", "abc")
    assert not strings.prefixof("abc", "ab")
    assert strings.suffixof("", "a")
    assert strings.suffixof("bc", "abc")
    assert not strings.suffixof("abc", "bc")
    assert strings.contains("abc", "")
    assert strings.contains("abc", "bc")
    assert not strings.contains("bc", "abc")


def test_extensions() -> None:
    assert strings.rev("abc") == "cba"
    assert strings.to_lower("AbZ[É") == "abz[É"
    assert strings.to_upper("aBz{é") == "ABZ{é"
    places = (-1, 0, 1, 2, 3, 4)
    assert [strings.update("abc", i, "xy") for i in places] == [
        "abc", "xyc", "axy", "abx", "abc", "abc",
    ]  # fmt: skip
    assert strings.update("abc", 0, "") == "abc"
    assert strings.update("abc", 1, "wxyz") == "awx"
    assert strings.from_ubv(4, 0b1000) == "8"
    assert strings.from_sbv(4, 0b1000) == "-8"
    assert strings.from_sbv(4, 0b0111) == "7"


def test_beyond_the_budget_is_cannot_say() -> None:
    assert strings.length(LONG) == 200_000
    assert strings.concat(LONG, "b") == LONG + "b"
    for refused in (
        strings.concat(LONG, LONG),
        strings.replace(LONG, "a", LONG),
        strings.replace_all(LONG, "a", "bb"),
        strings.replace_re(LONG, A, LONG),
        strings.replace_re(LONG, regexes.concat(regexes.star(A), B), ""),
        strings.replace_re_all(LONG, regexes.concat(regexes.star(A), B), ""),
        strings.indexof_re(LONG, regexes.concat(regexes.star(A), B), 0),
        strings.to_int("1" * 200_000),
    ):
        assert isinstance(refused, CannotSay)
