"""Layout: a script as text, with the place of every term in it.

A term is replaced in the text, so strategies make mutants without printing the script again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from falsum.smtlib.printing.printer import parts_of, print_command
from falsum.smtlib.scripts import Assert, DefineFun, Script
from falsum.smtlib.term_names import names_given
from falsum.smtlib.terms import Annotated, App, Term, Var
from falsum.smtlib.walk import binders_at

_END = -1


@dataclass(frozen=True, slots=True)
class Place:
    """An occurrence of a term in the text; `parent` is the number of the enclosing place, or -1."""

    term: Term
    parent: int
    slot: int
    start: int
    end: int
    size: int  # the number of places in it, itself included


class Root(NamedTuple):
    """The command of a root place, and the variables the command binds: the parameters of a definition."""

    command: int
    binders: tuple[Var, ...] = ()


class Layout:
    """The text of a script and the places of the terms in its assertions and definitions, in order."""

    def __init__(self, text: str, places: list[Place], roots: dict[int, Root]) -> None:
        self.text = text
        self.places = places
        self.roots = roots

    @classmethod
    def of(cls, script: Script) -> Layout:
        text: list[str] = []
        places: list[Place] = []
        roots: dict[int, Root] = {}
        offset = 0
        for index, command in enumerate(script.commands):
            if isinstance(command, Assert):
                opening, root = "(assert ", command.term
                roots[len(places)] = Root(index)
            elif isinstance(command, DefineFun):
                command_text = print_command(command)
                root = command.body
                opening = command_text[: len(command_text) - len(_written(root)) - 1]
                roots[len(places)] = Root(index, command.binders)
            else:
                command_text = print_command(command) + "\n"
                text.append(command_text)
                offset += len(command_text)
                continue
            body = _place(root, offset + len(opening), places)
            text += (opening, body, ")\n")
            offset += len(opening) + len(body) + 2
        return cls("".join(text), places, roots)

    def replaced(self, number: int, new: str) -> str:
        """The text with another text at a place."""
        place = self.places[number]
        return self.text[: place.start] + new + self.text[place.end :]

    def with_term(self, number: int, new: Term) -> Layout:
        """The layout with another term at a place; the terms of enclosing places are not updated."""
        place = self.places[number]
        inner: list[Place] = []
        text = _place(new, place.start, inner, place.parent, place.slot, number)
        delta, more = len(text) - (place.end - place.start), len(inner) - place.size
        out: list[Place] = []
        for index, old in enumerate(self.places):
            if number <= index < number + place.size:
                if index == number:
                    out.extend(inner)
                continue
            parent = old.parent + more if old.parent > number else old.parent
            if old.start >= place.end:
                out.append(Place(old.term, parent, old.slot, old.start + delta, old.end + delta, old.size))
            elif old.end >= place.end and old.start <= place.start and index < number:
                out.append(Place(old.term, parent, old.slot, old.start, old.end + delta, old.size + more))
            else:
                out.append(old)
        roots = {(i + more if i > number else i): root for i, root in self.roots.items()}
        return Layout(self.replaced(number, text), out, roots)

    def binders(self, number: int) -> dict[str, Var]:
        """The bound variables in scope at a place, by name; an inner one hides an outer one."""
        variables: dict[str, Var] = {}
        while True:
            place = self.places[number]
            if place.parent < 0:
                for binder in self.roots[number].binders:
                    variables.setdefault(binder.name, binder)
                return variables
            for binder in binders_at(self.places[place.parent].term, place.slot):
                variables.setdefault(binder.name, binder)
            number = place.parent

    def command(self, number: int) -> int:
        """The number of the command a place is in."""
        while self.places[number].parent >= 0:
            number = self.places[number].parent
        return self.roots[number].command

    def has_name(self, number: int) -> bool:
        """Whether the term at a place, or a term inside it, has a name (`:named`)."""
        inside = self.places[number : number + self.places[number].size]
        return any(isinstance(place.term, Annotated) and names_given(place.term) for place in inside)

    def around(self, number: int) -> Iterator[tuple[Term, int]]:
        """The terms that enclose a place, the innermost first, each with the slot that contains the place."""
        place = self.places[number]
        while place.parent >= 0:
            slot = place.slot
            place = self.places[place.parent]
            yield place.term, slot

    def is_replaceable(self, number: int) -> bool:
        """Whether any term of the sort is allowed here: not in patterns, nor where solvers need constants."""
        return not any(
            (isinstance(term, Annotated) and slot > 0)
            or (isinstance(term, App) and term.head.name in CONSTANT_ARGUMENTS)
            for term, slot in self.around(number)
        )


# Operators with arguments that some solver requires to be constants.
CONSTANT_ARGUMENTS = frozenset(
    ["const", "^", "re.range", "re.loop", "re.^", "seq.unit", "bag", "pto", "sep", "wand"]
)


def _written(term: Term) -> str:
    return _place(term, 0, [])


def _place(
    root: Term, offset: int, places: list[Place], parent: int = -1, slot: int = 0, first: int | None = None
) -> str:
    """Writes a term and adds its places, numbered from `first`, by default after the existing ones."""
    base = len(places)
    shift = (base if first is None else first) - base
    out: list[str] = []
    terms: list[tuple[Term, int, int]] = []
    starts: list[int] = []
    ends: list[tuple[int, int]] = []
    todo: list[str | int | tuple[Term, int, int]] = [(root, parent, slot)]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            out.append(item)
            offset += len(item)
        elif isinstance(item, int):
            ends[item] = (offset, len(terms) - item)
        else:
            number = len(terms)
            terms.append(item)
            starts.append(offset)
            ends.append((_END, 0))
            todo.append(number)
            inner: list[str | int | tuple[Term, int, int]] = []
            child = 0
            for part in parts_of(item[0]):
                if isinstance(part, str):
                    inner.append(part)
                else:
                    inner.append((part, number + base + shift, child))
                    child += 1
            todo.extend(reversed(inner))
    for (term, above, place_slot), start, (end, size) in zip(terms, starts, ends, strict=True):
        places.append(Place(term, above, place_slot, start, end, size))
    return "".join(out)
