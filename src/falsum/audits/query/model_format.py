"""The format of a printed model, whose changes would break programs that read models."""

from __future__ import annotations

import re
from typing import Final

_NONE: Final = "no model"
_WRAPPED: Final = re.compile(r"\(\s*model\b")
_HEAD: Final = re.compile(r"\(\s*([^\s()|\"]*)")
_DEFINITIONS: Final = frozenset({"define-fun", "define-fun-rec", "define-const"})
# Entries about universes of declared sorts: whether there are any depends on the query.
_UNIVERSE: Final = frozenset({"declare-fun", "declare-sort", "declare-const", "forall", "declare-datatypes"})
_TOKEN: Final = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||;[^\n]*+|[()]')


def model_format(model: str | None) -> str:
    """The format of a model, without its content: `(model (define-fun …))`, `((define-fun …))`, `((= …))`."""
    if model is None:
        return _NONE
    heads = sorted({_kind(head) for head in _entries(model)} - {""})
    shape = " ".join(f"({head} …)" for head in heads)
    return f"(model {shape})" if _WRAPPED.match(model) else f"({shape})"


def _kind(head: str) -> str:
    if head in _DEFINITIONS:
        return "define-fun"
    return "" if head in _UNIVERSE else head


def _entries(model: str) -> list[str]:
    """The first words of the lists in a model."""
    heads: list[str] = []
    depth = 0
    for token in _TOKEN.finditer(model):
        if token[0] == "(":
            depth += 1
            if depth == 2 and (head := _HEAD.match(model, token.start())):
                heads.append(head[1])
        elif token[0] == ")":
            depth -= 1
    return heads
