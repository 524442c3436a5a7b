"""The sorts String, RegLan and Char: literals, how languages are written, corner cases."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.sort_kinds import Difference, Literals, Parts, SortKind, TermWriter
from falsum.smtlib.sorts import REGLAN, STRING, Sort
from falsum.smtlib.terms import Term, Value, value
from falsum.smtlib.theories.core import equation
from falsum.smtlib.theories.regexes_as_terms import regex_term
from falsum.smtlib.values import derivatives, regexes, strings
from falsum.smtlib.values.regexes import MAX_CODE, Regex

_HEXADECIMAL: Final = re.compile(r"#x[0-9a-fA-F]+\Z")
_WORDS: Final = ("", "0", "a", "-1", "00", "A", "ab", "\x00", '"', "\\u{41}", "\U0002ffff", "12", " ", "aa")
_GENERATED_WORDS: Final = (
    *('""', '"a"', '"b"', '"ab"', '"0"', '"1"', '"aa"', '"-1"', '"A"', '"\\u{7a}"', '"ba"'),
)
_LETTERS: Final = string.ascii_letters + string.digits + string.punctuation + " "
_LONGEST: Final = 8
_LANGUAGES: Final = (
    regexes.NONE,
    regexes.ALL,
    regexes.ALLCHAR,
    regexes.literal(""),
    regexes.star(regexes.literal("ab")),
    regexes.comp(regexes.literal("a")),
)
_GENERATED_LANGUAGES: Final = (
    *("re.none", "re.all", "re.allchar", '(str.to_re "")', '(str.to_re "a")', '(str.to_re "ab")'),
    *('(str.to_re "0")', '(re.range "a" "c")', '(re.range "0" "9")', '(re.* (str.to_re "a"))'),
)
_CHARACTERS: Final = (0, 48, 97, MAX_CODE)


# -- strings ---------------------------------------------------------------------------------------


def _token(token: str, reals_only: bool) -> Value | None:
    del reals_only
    return value(STRING, strings.decode_literal(token[1:-1]), token) if len(token) > 1 else None


def _indexed(name: str, indices: tuple[object, ...]) -> Value | None:
    """`(_ char #x41)`."""
    code = indices[0] if name == "char" and len(indices) == 1 else None
    if not isinstance(code, str) or not _HEXADECIMAL.match(code):
        return None
    number = int(code[2:], 16)
    return value(STRING, chr(number), f"(_ char {code})") if number <= MAX_CODE else None


def _smaller_values(sort: Sort, payload: str) -> Iterator[str]:
    del sort
    half = len(payload) // 2
    yield from (payload[:half], payload[half:], payload[:-1], payload[1:])
    yield "".join("a" if char.isalpha() else "0" if char.isdigit() else char for char in payload)


def _random(sort: Sort, rng: Random) -> str:
    del sort
    return "".join(rng.choices("ab01A-\\u{} é\U0002ffff", k=rng.randrange(6)))


def _uniform(sort: Sort, rng: Random) -> str:
    del sort
    return "".join(rng.choices(_LETTERS, k=rng.randrange(_LONGEST + 1)))


def _emptiness(term: Term) -> Iterator[Term]:
    yield equation(term, value(STRING, "", '""'))


def _difference(sort: Sort, want: str, have: str, rng: Random) -> Difference | None:
    del sort, rng
    return Difference("str.++", want[len(have) :]) if want.startswith(have) else None


# -- languages -------------------------------------------------------------------------------------


def _language(sort: Sort, parts: Parts) -> Regex:
    del sort
    return regexes.NONE if parts.rng is None else parts.rng.choice(_LANGUAGES)


def _regex_sort(indices: tuple[int, ...], args: tuple[Sort, ...]) -> Sort:
    """z3's regular languages over sequences; `(RegEx String)` is RegLan."""
    return REGLAN if args[0] is STRING else Sort("RegEx", indices, args)


# -- characters ------------------------------------------------------------------------------------


def _character(name: str, indices: tuple[object, ...]) -> Value | None:
    """`(_ Char 65)`."""
    if name not in ("Char", "char") or len(indices) != 1 or not isinstance(indices[0], int):
        return None
    return value(Sort("Char"), indices[0], f"(_ {name} {indices[0]})")


def kinds(operators: Mapping[str, Operator]) -> tuple[SortKind, ...]:
    """The sorts of the theory; `operators` are those of the theory, from which terms are made."""

    def language_term(sort: Sort, payload: Regex, writer: TermWriter) -> Term | None:
        del sort, writer
        return regex_term(payload, operators)

    def language_text(sort: Sort, payload: Regex) -> str:
        del sort
        term = regex_term(payload, operators)
        return print_term(term) if term is not None else "a regular expression"

    words = SortKind(
        "String",
        family="strings",
        letter="s",
        literals=Literals(starts='"', token=_token, indexed=_indexed),
        has_literals=True,
        text=lambda _, payload: strings.encode_literal(payload),
        corners=lambda _: _WORDS,
        random=_random,
        uniform=_uniform,
        smaller_values=_smaller_values,
        simple_values=lambda _: _WORDS[:2],
        generated_constants=lambda _: _GENERATED_WORDS,
        regions=_emptiness,
        difference=_difference,
    )
    languages = SortKind(
        "RegLan",
        is_first_class=False,
        is_hard=True,
        family="strings",
        text=language_text,
        term=language_term,
        compose=_language,
        equal=derivatives.equivalent,
        simple_values=lambda _: _LANGUAGES[:3],
        generated_constants=lambda _: _GENERATED_LANGUAGES,
    )
    characters = SortKind(
        "Char",
        literals=Literals(indexed=_character),
        text=lambda _, payload: f"(_ Char {payload})",
        corners=lambda _: _CHARACTERS,
        random=lambda _, rng: rng.randrange(MAX_CODE + 1),
    )
    return (
        words,
        languages,
        SortKind("RegEx", arity=1, make=_regex_sort),
        characters,
        SortKind("Unicode", make=lambda indices, args: Sort("Char")),
    )
