"""Polarity of every place of a layout: what making a Boolean term weaker there does to the assertions."""

from __future__ import annotations

from typing import Final, NamedTuple

from falsum.smtlib.lexer import symbol_name
from falsum.smtlib.occurrences import Polarity
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout, Place
from falsum.smtlib.scripts import Assert, CheckSatAssuming, Script
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import Annotated, App, Function, Let, Match, Quantifier, Term, Var
from falsum.smtlib.walk import binders_at, subterms

# Sets of polarities as bits: a value bound by let is used at all the polarities its variable is.
_NONE, _POSITIVE, _NEGATIVE, _BOTH = 0, 1, 2, 3
_FLIPPED: Final = (_NONE, _NEGATIVE, _POSITIVE, _BOTH)
_MEANING: Final = (Polarity.POSITIVE, Polarity.POSITIVE, Polarity.NEGATIVE, Polarity.BOTH)


def polarities(layout: Layout, script: Script) -> list[Polarity]:
    """By number of the place; both in definitions and where a term's name is used elsewhere."""
    return _Walk(layout, script).run()


class _Visit(NamedTuple):
    """A place to look at: under its polarity, or under that of all uses of the variable it is bound to."""

    number: int
    bits: int
    use: list[int] | None = None


class _Enter(NamedTuple):
    """Variables to be bound, each to the use of a let's value or to nothing."""

    names: tuple[str, ...]
    uses: tuple[list[int] | None, ...]


class _Leave(NamedTuple):
    names: tuple[str, ...]


class _Walk:
    """One walk: the body of a `let` before its values, so that the uses of its variables are known."""

    def __init__(self, layout: Layout, script: Script) -> None:
        self.layout = layout
        self.script = script
        self.parts = _parts(layout.places)
        self.bits = [_BOTH] * len(layout.places)
        self.names = _names_used(layout, script)
        # By a variable's name, what it is bound to at this point of the walk, the innermost last.
        self.scope: dict[str, list[list[int] | None]] = {}

    def run(self) -> list[Polarity]:
        for number, root in self.layout.roots.items():
            if isinstance(self.script.commands[root.command], Assert):
                self._root(number)
        return [_MEANING[bits] for bits in self.bits]

    def _root(self, root: int) -> None:
        todo: list[_Visit | _Enter | _Leave] = [_Visit(root, _POSITIVE)]
        while todo:
            item = todo.pop()
            if isinstance(item, _Enter):
                for name, use in zip(item.names, item.uses, strict=True):
                    self.scope.setdefault(name, []).append(use)
            elif isinstance(item, _Leave):
                for name in item.names:
                    self.scope[name].pop()
            else:
                # A value nobody uses may be anything.
                bits = item.bits if item.use is None else item.use[0] or _POSITIVE
                self.bits[item.number] = bits
                self._inside(item.number, bits, todo)

    def _inside(self, number: int, bits: int, todo: list[_Visit | _Enter | _Leave]) -> None:
        """Adds what a place leaves to do, the first thing last."""
        term = self.layout.places[number].term
        parts = self.parts.get(number, [])
        if isinstance(term, Var):
            around = self.scope.get(term.name)
            if around and (use := around[-1]) is not None:
                use[0] |= bits
        elif isinstance(term, Let):
            names = tuple(binder.name for binder in term.binders)
            uses = tuple([_NONE] for _ in names)
            todo.extend(_Visit(part, _NONE, use) for part, use in zip(parts, uses, strict=False))
            todo += (_Leave(names), _Visit(parts[-1], bits), _Enter(names, uses))
        else:
            for slot, part in enumerate(parts):
                visit = _Visit(part, self._step(term, slot, bits))
                names = tuple(binder.name for binder in binders_at(term, slot))
                if names:
                    todo += (_Leave(names), visit, _Enter(names, (None,) * len(names)))
                else:
                    todo.append(visit)

    def _step(self, term: Term, slot: int, bits: int) -> int:
        """The polarity of a child."""
        if isinstance(term, App):
            symbol = term.head.symbol
            name = symbol.canonical.name if isinstance(symbol, Operator) else ""
            if name in ("and", "or") or (name == "ite" and slot > 0 and term.sort is BOOL):
                return bits
            if name == "not" or (name == "=>" and slot < len(term.args) - 1):
                return _FLIPPED[bits]
            return bits if name == "=>" else _BOTH
        if isinstance(term, Quantifier):
            return bits
        if isinstance(term, Match):
            return bits if slot and term.sort is BOOL else _BOTH
        if isinstance(term, Annotated) and slot == 0 and not self._is_named(term):
            return bits
        return _BOTH

    def _is_named(self, term: Annotated) -> bool:
        """Whether the term has a name that is used: then it stands in more than one place."""
        return any(
            a.keyword == ":named" and isinstance(a.value, str) and symbol_name(a.value) in self.names
            for a in term.attributes
        )


def _parts(places: list[Place]) -> dict[int, list[int]]:
    """The places directly inside a place, in order."""
    parts: dict[int, list[int]] = {}
    for number, place in enumerate(places):
        if place.parent >= 0:
            parts.setdefault(place.parent, []).append(number)
    return parts


def _names_used(layout: Layout, script: Script) -> frozenset[str]:
    """The names of terms that occur as terms."""
    terms = [place.term for place in layout.places]
    for command in script.commands:
        if isinstance(command, CheckSatAssuming):
            terms.extend(part for term in command.terms for part in subterms(term))
    return frozenset(
        term.head.name
        for term in terms
        if isinstance(term, App)
        and isinstance(term.head.symbol, Function)
        and term.head.symbol.role == "named"
    )
