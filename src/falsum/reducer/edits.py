"""Edits: what may be done to a script, as data.

    Edit = Replace | Hoist | Omit | Splice | Rehead | Unbind | Put | Several | Whole

Places are those of one outline; `applying` does a set of them at once. Edits of a lower `rank` are tried
first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from falsum.reducer.outline import Outline
from falsum.smtlib.scripts import Command, Script
from falsum.smtlib.terms import Function, Head, Term, Var


@dataclass(frozen=True, slots=True)
class Replace:
    """The term at a place becomes another; `declares` are new constants it uses."""

    place: int
    new: Term
    declares: tuple[Function, ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Hoist:
    """The term at a place becomes one from inside it; variables bound in between become other terms."""

    place: int
    source: int
    by: tuple[tuple[Var, Term], ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Omit:
    """An argument, an assumption or an unused `let` binding (by its value) goes away."""

    place: int
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Splice:
    """The arguments of an application take its place among its parent's."""

    place: int
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Rehead:
    """The application at a place gets another head."""

    place: int
    head: Head
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Unbind:
    """A variable bound by a quantifier becomes a closed term where it is used.

    None: the variable of a `let` becomes its value. The variable itself: it is used nowhere.
    """

    place: int
    binder: Var
    by: Term | None = None
    declares: tuple[Function, ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Put:
    """The command at a place becomes other commands, or none."""

    place: int
    commands: tuple[Command, ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Several:
    """Edits that make sense only together."""

    edits: tuple[Edit, ...]
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Whole:
    """The script becomes another; goes with no other edit."""

    script: Script
    rank: int = 0


Single: TypeAlias = Replace | Hoist | Omit | Splice | Rehead | Unbind | Put
Edit: TypeAlias = Single | Several | Whole


def singles(edits: Iterable[Edit]) -> Iterator[Single]:
    """The edits with those that go together taken apart."""
    todo = list(edits)[::-1]
    while todo:
        edit = todo.pop()
        if isinstance(edit, Several):
            todo.extend(reversed(edit.edits))
        elif not isinstance(edit, Whole):
            yield edit


def spans(outline: Outline, edit: Edit) -> list[tuple[int, int]]:
    """The places an edit takes for itself: edits that share none can be tried together."""
    if isinstance(edit, Whole):
        return [(0, len(outline.nodes))]
    found = []
    for single in singles([edit]):
        place = single.place
        if isinstance(single, Hoist):
            found += [(place, single.source), (outline.end(single.source), outline.end(place))]
        elif isinstance(single, Replace | Omit | Put):
            found.append((place, outline.end(place)))
        elif isinstance(single, Splice | Rehead):
            found.append((place, place + 1))
    return [(start, end) for start, end in found if start < end]
