"""Occurrences of subterms: their path, the binders in scope, their polarity, and replacement."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from falsum.smtlib.operators import Operator
from falsum.smtlib.terms import Annotated, App, Let, Match, Quantifier, Term, Var
from falsum.smtlib.walk import binders_at, children, rebuild


class Polarity(Enum):
    """Whether a weaker formula at an occurrence makes the whole formula weaker, stronger, or either."""

    POSITIVE = 1
    NEGATIVE = -1
    BOTH = 0

    def flipped(self) -> Polarity:
        return Polarity(-self.value)


@dataclass(frozen=True, slots=True, eq=False)
class Occurrence:
    """A term as child number `slot` of the occurrence `parent` (None at the root)."""

    term: Term
    parent: Occurrence | None = None
    slot: int = 0

    def replaced(self, new: Term) -> Term:
        """The whole term with this occurrence replaced; only the nodes on the path are rebuilt.

        The caller must avoid capture: `new` may use the variables in `binders` and no other bound ones.
        """
        place: Occurrence = self
        while place.parent is not None:
            parent = place.parent
            parts = list(children(parent.term))
            parts[place.slot] = new
            new = rebuild(parent.term, parts)
            place = parent
        return new

    @property
    def path(self) -> tuple[int, ...]:
        """The slots from the root to this occurrence."""
        slots = []
        place: Occurrence = self
        while place.parent is not None:
            slots.append(place.slot)
            place = place.parent
        return tuple(reversed(slots))

    @property
    def binders(self) -> tuple[Var, ...]:
        """The bound variables in scope, outermost first, without hidden ones."""
        scopes: list[tuple[Var, ...]] = []
        place: Occurrence = self
        while place.parent is not None:
            scopes.append(binders_at(place.parent.term, place.slot))
            place = place.parent
        by_name = {binder.name: binder for some in reversed(scopes) for binder in some}
        return tuple(by_name.values())

    @property
    def polarity(self) -> Polarity:
        """Positive under an even number of negations; both under `=`, `xor`, conditions and functions."""
        result = Polarity.POSITIVE
        place: Occurrence = self
        while place.parent is not None:
            step = _step(place.parent.term, place.slot)
            if step is Polarity.BOTH:
                return Polarity.BOTH
            result = result if step is Polarity.POSITIVE else result.flipped()
            place = place.parent
        return result


def occurrences(term: Term, enter: Callable[[Term], bool] | None = None) -> Iterator[Occurrence]:
    """Every occurrence in a term, outermost first, without those inside terms for which `enter` is false.

    A shared term has many occurrences: use `walk.subterms` where places do not matter.
    """
    todo = [Occurrence(term)]
    while todo:
        place = todo.pop()
        yield place
        if enter is None or enter(place.term):
            parts = children(place.term)
            todo.extend(Occurrence(parts[slot], place, slot) for slot in range(len(parts) - 1, -1, -1))


def _step(parent: Term, slot: int) -> Polarity:
    """How the polarity changes from a term to its child."""
    if isinstance(parent, App):
        symbol = parent.head.symbol
        name = symbol.canonical.name if isinstance(symbol, Operator) else ""
        if name in ("and", "or"):
            return Polarity.POSITIVE
        if name == "not":
            return Polarity.NEGATIVE
        if name == "=>":
            return Polarity.POSITIVE if slot == len(parent.args) - 1 else Polarity.NEGATIVE
        if name == "ite" and slot > 0 and parent.sort.name == "Bool":
            return Polarity.POSITIVE
        return Polarity.BOTH
    if isinstance(parent, Quantifier):
        return Polarity.POSITIVE
    if isinstance(parent, Let):
        # A bound value may be used with either polarity.
        return Polarity.POSITIVE if slot == len(parent.values) else Polarity.BOTH
    if isinstance(parent, Match):
        return Polarity.POSITIVE if slot > 0 else Polarity.BOTH
    if isinstance(parent, Annotated):
        return Polarity.POSITIVE if slot == 0 else Polarity.BOTH
    return Polarity.BOTH
