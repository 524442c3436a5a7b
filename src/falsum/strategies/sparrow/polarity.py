"""The polarity of every place of a layout: the effect on the assertions of weakening a Boolean term there."""

from __future__ import annotations

from typing import Final, NamedTuple

from falsum.smtlib.occurrences import Polarity
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout, Place
from falsum.smtlib.scripts import Assert, CheckSatAssuming, Script
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.term_names import is_name, names_given
from falsum.smtlib.terms import Annotated, App, Let, Match, Quantifier, Term, Var
from falsum.smtlib.text.lexer import symbol_name
from falsum.smtlib.walk import binders_at, subterms

# Sets of polarities as bits: a value bound by `let` has the polarities of all uses of its variable.
_NONE, _POSITIVE, _NEGATIVE, _BOTH = 0, 1, 2, 3
_FLIPPED: Final = (_NONE, _NEGATIVE, _POSITIVE, _BOTH)
_MEANING: Final = (Polarity.POSITIVE, Polarity.POSITIVE, Polarity.NEGATIVE, Polarity.BOTH)


def polarities(layout: Layout, script: Script) -> list[Polarity]:
    """The polarity of each place; BOTH in definitions, and in a term whose name is used elsewhere."""
    return _Walk(layout, script).run()


class _Visit(NamedTuple):
    """A place to visit, with its polarity or with the polarities of the variable it is bound to."""

    number: int
    bits: int
    use: list[int] | None = None


class _Enter(NamedTuple):
    """Binds variables, each with the polarities of its uses if it is a `let` variable."""

    names: tuple[str, ...]
    uses: tuple[list[int] | None, ...]


class _Leave(NamedTuple):
    names: tuple[str, ...]


class _Walk:
    """One walk; it visits the body of a `let` before its values, so that the uses of variables are known."""

    def __init__(self, layout: Layout, script: Script) -> None:
        self.layout = layout
        self.script = script
        self.parts = _parts(layout.places)
        self.bits = [_BOTH] * len(layout.places)
        self.names = _names_used(layout, script)
        # By name, the polarities of the variables in scope at this point of the walk, the innermost last.
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
                # An unused value may have any polarity.
                bits = item.bits if item.use is None else item.use[0] or _POSITIVE
                self.bits[item.number] = bits
                self._inside(item.number, bits, todo)

    def _inside(self, number: int, bits: int, todo: list[_Visit | _Enter | _Leave]) -> None:
        """Adds the visits inside a place to a stack, the first one last."""
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
        """Whether the term has a name that is used, so that it counts in more than one place."""
        return any(symbol_name(name) in self.names for name in names_given(term))


def _parts(places: list[Place]) -> dict[int, list[int]]:
    """The places directly inside a place, in order."""
    parts: dict[int, list[int]] = {}
    for number, place in enumerate(places):
        if place.parent >= 0:
            parts.setdefault(place.parent, []).append(number)
    return parts


def _names_used(layout: Layout, script: Script) -> frozenset[str]:
    """The names of terms that are used."""
    terms = [place.term for place in layout.places]
    for command in script.commands:
        if isinstance(command, CheckSatAssuming):
            terms.extend(part for term in command.terms for part in subterms(term))
    return frozenset(term.head.name for term in terms if isinstance(term, App) and is_name(term))
