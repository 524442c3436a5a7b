"""Splits the text of a model into its definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from falsum.errors import ScriptError
from falsum.smtlib.text.lexer import place_of


class Form(NamedTuple):
    """One definition: its offset in the text, and its text."""

    offset: int
    text: str


_FORM: Final = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||;[^\n]*+|[()]')


def forms_of(text: str, file: str) -> Iterator[Form]:
    """The definitions of the last model in the text, without the parentheses around them."""
    top = _level(text, 0, len(text), file)
    wrapped = [form for form in top if re.match(r"\(\s*(?:model\b|;|\(|\))", form.text)]
    if wrapped:
        last = wrapped[-1]
        inner = last.offset + 1
        yield from _level(text, inner, last.offset + len(last.text) - 1, file)
        yield from (form for form in top if form.offset > last.offset and form.text.startswith("(heap"))
        return
    if not top and re.search(r"\S", re.sub(r";[^\n]*|\b(?:sat|unknown)\b", "", text)):
        raise ScriptError("not a model", *place_of(text, len(text) - len(text.lstrip())), file)
    yield from top


def _level(text: str, start: int, end: int, file: str) -> list[Form]:
    """The parenthesised forms between two offsets."""
    forms: list[Form] = []
    depth, opening = 0, start
    for match in _FORM.finditer(text, start, end):
        token = match[0]
        if token == "(":
            opening = match.start() if depth == 0 else opening
            depth += 1
        elif token == ")":
            depth -= 1
            if depth < 0:
                raise ScriptError("unmatched closing parenthesis", *place_of(text, match.start()), file)
            if depth == 0:
                forms.append(Form(opening, text[opening : match.end()]))
    if depth:
        raise ScriptError("missing closing parenthesis", *place_of(text, opening), file)
    return forms
