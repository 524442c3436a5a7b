"""Reads the terms, sorts and models that libraries print, in the scope of a mirror's declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falsum.errors import FalsumError
from falsum.smtlib.models.model import Model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.scripts import Script
from falsum.smtlib.syntax.final_scope import scope_after
from falsum.smtlib.syntax.parser import Parser
from falsum.smtlib.syntax.scope import Scope
from falsum.smtlib.terms import Term, Var, sort_text
from falsum.smtlib.text.lexer import quote

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror
    from falsum.smtlib.sorts import Sort


def read_term(text: str, mirror: Mirror) -> Term:
    """Parse a term; raises ScriptError."""
    parser = Parser(text, scope=_scope(mirror))
    variables = [entry.term for entry in mirror.terms.values() if isinstance(entry.term, Var)]
    bound = parser.bind([(variable.name, variable.sort) for variable in variables])
    try:
        term = parser.term()
    except FalsumError:
        mirror.scope = None  # the variables are still bound in it
        raise
    parser.unbind(bound)
    return term


def read_sort(text: str, mirror: Mirror) -> Sort:
    """Parse a sort; raises ScriptError."""
    return Parser(text, scope=_scope(mirror)).sort()


def _scope(mirror: Mirror) -> Scope:
    """The scope of all declarations; kept in the mirror and extended, since none is ever removed."""
    if mirror.scope is None:
        mirror.scope, mirror.scope_size = Scope(), 0
    mirror.scope = scope_after(mirror.declarations[mirror.scope_size :], mirror.scope)
    mirror.scope_size = len(mirror.declarations)
    return mirror.scope


def fetched_model(mirror: Mirror) -> Model | None:
    """The model given by the values fetched so far; None if it cannot be read."""
    rows = []
    for name, text in mirror.values.items():
        entry = mirror.entry(name)
        if entry.function is not None:
            rows.append(f"(define-fun {quote(entry.function.name)} () {sort_text(entry.sort)} {text})\n")
    return printed_model("".join(rows), mirror)


def printed_model(text: str, mirror: Mirror) -> Model | None:
    """The model that a library prints; None if it cannot be read."""
    try:
        return read_model(text, Script(tuple(mirror.declarations)))
    except FalsumError:
        return None
