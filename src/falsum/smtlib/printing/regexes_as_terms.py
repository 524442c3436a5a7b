"""Writes regular languages as terms."""

from __future__ import annotations

from typing import Final

from falsum.smtlib.sorts import STRING
from falsum.smtlib.terms import Head, Term, Value, app, value
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.values import strings
from falsum.smtlib.values.regexes import ALL, ALLCHAR, EPSILON, NONE, Kind, Regex

_DEEPEST: Final = 200
_NAMED: Final = {NONE: "re.none", ALL: "re.all", ALLCHAR: "re.allchar"}
_JOINED: Final = {Kind.CONCAT: "re.++", Kind.UNION: "re.union", Kind.INTER: "re.inter", Kind.COMP: "re.comp"}


def regex_term(regex: Regex, depth: int = 0) -> Term | None:
    """A term for the language, in standard operators; None if it nests too deeply."""
    if depth > _DEEPEST:
        return None
    if regex in _NAMED:
        return app(Head(OPERATORS[_NAMED[regex]]))
    if regex is EPSILON:
        return app(Head(OPERATORS["str.to_re"]), (_word(""),))
    if regex.kind is Kind.CHARS:
        ranges: list[Term] = [_range(*ends) for ends in regex.ranges]
        return ranges[0] if len(ranges) == 1 else app(Head(OPERATORS["re.union"]), ranges)
    parts = [regex_term(part, depth + 1) for part in regex.parts]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    if regex.kind is Kind.LOOP:
        return _loop(known[0], regex.low, regex.high)
    return app(Head(OPERATORS[_JOINED[regex.kind]]), known)


def _range(low: int, high: int) -> Term:
    if low == high:
        return app(Head(OPERATORS["str.to_re"]), (_word(chr(low)),))
    return app(Head(OPERATORS["re.range"]), (_word(chr(low)), _word(chr(high))))


def _loop(part: Term, low: int, high: int | None) -> Term:
    if high is not None:
        return app(Head(OPERATORS["re.loop"], (low, high)), (part,))
    star = app(Head(OPERATORS["re.*"]), (part,))
    if not low:
        return star
    return app(Head(OPERATORS["re.++"]), (app(Head(OPERATORS["re.^"], (low,)), (part,)), star))


def _word(text: str) -> Value:
    return value(STRING, text, strings.encode_literal(text))
