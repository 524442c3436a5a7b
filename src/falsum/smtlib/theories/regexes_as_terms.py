"""Writes regular languages as terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import STRING
from falsum.smtlib.terms import Head, Term, Value, app, value
from falsum.smtlib.values import strings
from falsum.smtlib.values.regexes import ALL, ALLCHAR, EPSILON, NONE, Regex, RegexKind

_DEEPEST: Final = 200
_NAMED: Final = {NONE: "re.none", ALL: "re.all", ALLCHAR: "re.allchar"}
_OPERATORS: Final = {
    RegexKind.CONCAT: "re.++",
    RegexKind.UNION: "re.union",
    RegexKind.INTER: "re.inter",
    RegexKind.COMP: "re.comp",
}


def regex_term(regex: Regex, operators: Mapping[str, Operator]) -> Term | None:
    """A term that denotes the language; None if it is nested too deeply."""
    return _Writer(operators).term(regex, 0)


class _Writer:
    def __init__(self, operators: Mapping[str, Operator]) -> None:
        self._operators = operators

    def _apply(self, name: str, *args: Term, indices: tuple[int, ...] = ()) -> Term:
        return app(Head(self._operators[name], indices), args)

    def term(self, regex: Regex, depth: int) -> Term | None:
        if depth > _DEEPEST:
            return None
        if regex in _NAMED:
            return self._apply(_NAMED[regex])
        if regex is EPSILON:
            return self._apply("str.to_re", _word(""))
        if regex.kind is RegexKind.CHARS:
            ranges = [self._range(*ends) for ends in regex.ranges]
            return ranges[0] if len(ranges) == 1 else self._apply("re.union", *ranges)
        parts = [self.term(part, depth + 1) for part in regex.parts]
        terms = [part for part in parts if part is not None]
        if len(terms) < len(parts):
            return None
        if regex.kind is RegexKind.LOOP:
            return self._loop(terms[0], regex.low, regex.high)
        return self._apply(_OPERATORS[regex.kind], *terms)

    def _range(self, low: int, high: int) -> Term:
        if low == high:
            return self._apply("str.to_re", _word(chr(low)))
        return self._apply("re.range", _word(chr(low)), _word(chr(high)))

    def _loop(self, part: Term, low: int, high: int | None) -> Term:
        if high is not None:
            return self._apply("re.loop", part, indices=(low, high))
        star = self._apply("re.*", part)
        if not low:
            return star
        return self._apply("re.++", self._apply("re.^", part, indices=(low,)), star)


def _word(text: str) -> Value:
    return value(STRING, text, strings.encode_literal(text))
