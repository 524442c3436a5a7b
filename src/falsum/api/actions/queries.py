"""The queries of assertions and terms: children, sorts, printing."""

from __future__ import annotations

from random import Random

from falsum.api.actions.action import SimpleAction
from falsum.api.model.mirror import Mirror
from falsum.api.trace import Line


class QueryAction(SimpleAction):
    """A query whose reply does not affect the mirror."""

    has_reply = True

    def awaits_reply(self, mirror: Mirror, line: Line) -> bool:
        del mirror, line
        return False


class GetAssertionsAction(QueryAction):
    name = word = "get-assertions"

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.has("assertions")


class _TermQuery(QueryAction):
    """A query of one term."""

    min_args = 1
    feature = ""

    def is_ready(self, mirror: Mirror) -> bool:
        return bool(mirror.terms) and mirror.has(self.feature)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return Line(self.word, (rng.choice(list(mirror.terms)),))


class GetChildrenAction(_TermQuery):
    name = word = "get-children"
    feature = "children"


class GetSortAction(_TermQuery):
    name = word = "get-sort"
    feature = "sort-of"


class PrintTermAction(_TermQuery):
    name = word = "print"
    feature = "print"
