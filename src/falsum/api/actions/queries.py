"""Questions about what there is: assertions, children, sorts, prints."""

from __future__ import annotations

from random import Random

from falsum.api.actions.action import Call
from falsum.api.model.mirror import Mirror
from falsum.api.traces.trace import Line


class Look(Call):
    """A question whose answer changes nothing."""

    asks = True

    def waits(self, mirror: Mirror, line: Line) -> bool:
        del mirror, line
        return False


class GetAssertions(Look):
    name = word = "get-assertions"

    def ready(self, mirror: Mirror) -> bool:
        return mirror.has("assertions")


class _AboutTerm(Look):
    """A question about one term."""

    takes = 1

    def ready(self, mirror: Mirror) -> bool:
        return bool(mirror.terms) and mirror.has(self.feature)

    feature = ""

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return Line(self.word, (rng.choice(list(mirror.terms)),))


class GetChildren(_AboutTerm):
    name = word = "get-children"
    feature = "children"


class GetSort(_AboutTerm):
    name = word = "get-sort"
    feature = "sort-of"


class PrintTerm(_AboutTerm):
    name = word = "print"
    feature = "print"
