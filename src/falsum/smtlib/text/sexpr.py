"""S-expressions: as nested tuples of tokens, and the texts of those that a solver prints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

SExpr: TypeAlias = "str | tuple[SExpr, ...]"
_LANDMARK: Final = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||[()]|["|]')


def read(tokens: Iterable[str]) -> list[SExpr]:
    """All S-expressions in a run of balanced tokens; raises ValueError if they are not balanced."""
    stack: list[list[SExpr]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise ValueError("unmatched closing parenthesis")
            node = tuple(stack.pop())
            stack[-1].append(node)
        else:
            stack[-1].append(token)
    if len(stack) > 1:
        raise ValueError("missing closing parenthesis")
    return stack[0]


def write(expression: SExpr) -> str:
    """The text of an S-expression, tokens separated by single spaces."""
    out: list[str] = []
    todo: list[SExpr | None] = [expression]
    while todo:
        item = todo.pop()
        if item is None:
            out.append(")")
        elif isinstance(item, str):
            if out and out[-1] != "(":
                out.append(" ")
            out.append(item)
        else:
            if out and out[-1] != "(":
                out.append(" ")
            out.append("(")
            todo.append(None)
            todo.extend(reversed(item))
    return "".join(out)


def items(output: str) -> Iterator[str]:
    """The top-level lists and the lines between them; a list that is not closed is left out."""
    depth = start = 0
    for landmark in _LANDMARK.finditer(output):
        mark = landmark[0]
        if mark == "(":
            if depth == 0:
                yield from _lines(output[start : landmark.start()])
                start = landmark.start()
            depth += 1
        elif mark == ")":
            if depth == 0:
                continue
            depth -= 1
            if depth == 0:
                yield output[start : landmark.end()]
                start = landmark.end()
        elif depth and mark in {'"', "|"}:
            return
    if depth == 0:
        yield from _lines(output[start:])


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if stripped := line.strip():
            yield stripped
