"""Reading what libraries print: terms, sorts and models, in the scope of what the mirror has declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falsum.errors import FalsumError
from falsum.smtlib.lexer import quote
from falsum.smtlib.models.model import Model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.scripts import DefineFun, Script
from falsum.smtlib.syntax.final_scope import replayed
from falsum.smtlib.syntax.parser import Parser
from falsum.smtlib.syntax.scope import Scope
from falsum.smtlib.terms import Term, Var, sort_text

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror
    from falsum.smtlib.sorts import Sort


def read_term(text: str, mirror: Mirror) -> Term:
    """The term a library printed; raises ScriptError."""
    parser = Parser(text, scope=_scope(mirror))
    variables = [known.term for known in mirror.terms.values() if isinstance(known.term, Var)]
    bound = parser.bind([(variable.name, variable.sort) for variable in variables])
    try:
        term = parser.term()
    except FalsumError:
        mirror.scope = None  # with variables whose scope was not left
        raise
    parser.unbind(bound)
    return term


def read_sort(text: str, mirror: Mirror) -> Sort:
    """The sort a library printed; raises ScriptError."""
    return Parser(text, scope=_scope(mirror)).sort()


def _scope(mirror: Mirror) -> Scope:
    """What names mean now. It is kept: declarations only become more."""
    if mirror.scope is None:
        mirror.scope, mirror.scoped = Scope(), 0
    mirror.scope = replayed(mirror.declarations[mirror.scoped :], mirror.scope)
    mirror.scoped = len(mirror.declarations)
    return mirror.scope


def model_of(mirror: Mirror) -> Model | None:
    """The model the values fetched so far describe; None if it cannot be read."""
    rows = []
    for name, text in mirror.values.items():
        known = mirror.known(name)
        if known.function is not None:
            rows.append(f"(define-fun {quote(known.function.name)} () {sort_text(known.sort)} {text})\n")
    try:
        return read_model("".join(rows), Script(tuple(mirror.declarations)))
    except FalsumError:
        return None


def defined(mirror: Mirror) -> tuple[DefineFun, ...]:
    return tuple(command for command in mirror.declarations if isinstance(command, DefineFun))
