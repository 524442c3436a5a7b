"""The queries of assertions and terms: children, sorts, printing."""

from __future__ import annotations

from random import Random

from falsum.api.actions.action import Action, Call, Purpose
from falsum.api.actions.script_writer import ScriptWriter
from falsum.api.model.mirror import Mirror
from falsum.api.trace import Line
from falsum.smtlib.scripts import Plain


class QueryAction(Action):
    """A query whose reply does not affect the mirror."""

    has_reply = True

    def awaits_reply(self, mirror: Mirror, line: Line) -> bool:
        return False


class GetAssertionsAction(QueryAction):
    name = word = "get-assertions"
    call = Call("assertions", gives="asserted")
    feature = "assertions"
    purpose = Purpose.QUESTION
    script_option = ":produce-assertions"

    def write(self, writer: ScriptWriter, line: Line) -> None:
        writer.add(Plain(self.word))


class _TermQuery(QueryAction):
    """A query of one term."""

    min_args = 1
    purpose = Purpose.DISPLAY

    def is_ready(self, mirror: Mirror) -> bool:
        return bool(mirror.terms) and super().is_ready(mirror)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return Line(self.word, (rng.choice(list(mirror.terms)),))


class GetChildrenAction(_TermQuery):
    name = word = "get-children"
    call = Call("children", "term", "terms")
    feature = "children"


class GetSortAction(_TermQuery):
    name = word = "get-sort"
    call = Call("sort_of", "term", "text")
    feature = "sort-of"


class PrintTermAction(_TermQuery):
    name = word = "print"
    call = Call("print", "term", "text")
    feature = "print"
