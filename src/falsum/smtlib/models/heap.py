"""Reads the heap that solvers print after a model of separation logic."""

from __future__ import annotations

from falsum.errors import FalsumError
from falsum.smtlib.models.model import PrintedHeap
from falsum.smtlib.scripts import Plain, Script
from falsum.smtlib.sorts import Sort
from falsum.smtlib.syntax.parser import Parser
from falsum.smtlib.syntax.scope import Scope
from falsum.smtlib.terms import App, Term


def read_heap(text: str, script: Script, scope: Scope) -> PrintedHeap | None:
    """The heap, as in `(heap (pto 1 2) (= (as sep.nil Int) 0))`.

    None if it cannot be read, or if the script does not declare its sorts.
    """
    try:
        sorts = _declared_sorts(script, scope)
        parser = _parser(text, scope)
        parser.expect("(")
        parser.next()
        cells, nil = _cells(parser.term()), parser.term()
    except FalsumError:
        return None
    if sorts is None or cells is None or not isinstance(nil, App) or nil.head.name != "=":
        return None
    return PrintedHeap(cells, nil.args[1], sorts)


def _parser(text: str, scope: Scope) -> Parser:
    parser = Parser(text)
    parser.scope = scope
    return parser


def _declared_sorts(script: Script, scope: Scope) -> tuple[Sort, Sort] | None:
    """The sorts of locations and contents in `(declare-heap (L D))`."""
    for command in script.commands:
        if isinstance(command, Plain) and command.word == "declare-heap":
            parser = _parser(command.rest, scope)
            parser.expect("(")
            return parser.sort(), parser.sort()
    return None


def _cells(term: Term) -> tuple[tuple[Term, Term], ...] | None:
    """Locations and contents of `sep.emp`, `(pto l d)` or `(sep (pto l d) …)`."""
    assert isinstance(term, App)
    if term.head.name == "sep.emp":
        return ()
    parts = term.args if term.head.name == "sep" else (term,)
    cells = [part.args for part in parts if isinstance(part, App) and part.head.name == "pto"]
    return tuple((location, contents) for location, contents in cells) if len(cells) == len(parts) else None
