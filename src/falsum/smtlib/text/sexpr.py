"""S-expressions as nested tuples of tokens: for operator tables, attribute values and models."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

SExpr: TypeAlias = "str | tuple[SExpr, ...]"


def read(tokens: Iterable[str]) -> list[SExpr]:
    """All S-expressions in a run of balanced tokens; raises ValueError if they are not balanced."""
    stack: list[list[SExpr]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise ValueError("unmatched closing parenthesis")
            done = tuple(stack.pop())
            stack[-1].append(done)
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
