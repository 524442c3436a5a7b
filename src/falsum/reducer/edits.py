"""Edits of a script, as data.

Places are those of one outline; `apply` applies a set of edits at once. Edits of lower `rank` are tried
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
class ReplaceTerm:
    """Replaces the term at a place; `declares` are the new constants in it."""

    place: int
    new: Term
    declares: tuple[Function, ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Hoist:
    """Replaces the term at a place by its subterm at `source`; `by` replaces variables bound in between."""

    place: int
    source: int
    by: tuple[tuple[Var, Term], ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Omit:
    """Removes an argument, an assumption, or an unused `let` binding (the place is that of its value)."""

    place: int
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Splice:
    """Replaces an application by its arguments among the arguments of its parent."""

    place: int
    rank: int = 0


@dataclass(frozen=True, slots=True)
class ChangeHead:
    """Replaces the head of the application at a place."""

    place: int
    head: Head
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Unbind:
    """Removes a bound variable, replacing its uses by a closed term.

    `by` is None for a `let` variable, whose uses become its value; it is the variable itself if the variable
    has no uses.
    """

    place: int
    binder: Var
    by: Term | None = None
    declares: tuple[Function, ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True)
class ReplaceCommand:
    """Replaces the command at a place by other commands, or by none."""

    place: int
    commands: tuple[Command, ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Compound:
    """Edits that are applied together or not at all."""

    edits: tuple[Edit, ...]
    rank: int = 0


@dataclass(frozen=True, slots=True)
class ReplaceScript:
    """Replaces the whole script; cannot be combined with other edits."""

    script: Script
    rank: int = 0


SingleEdit: TypeAlias = ReplaceTerm | Hoist | Omit | Splice | ChangeHead | Unbind | ReplaceCommand
Edit: TypeAlias = SingleEdit | Compound | ReplaceScript


def single_edits(edits: Iterable[Edit]) -> Iterator[SingleEdit]:
    """The edits, with compound ones split up."""
    todo = list(edits)[::-1]
    while todo:
        edit = todo.pop()
        if isinstance(edit, Compound):
            todo.extend(reversed(edit.edits))
        elif not isinstance(edit, ReplaceScript):
            yield edit


def spans(outline: Outline, edit: Edit) -> list[tuple[int, int]]:
    """The ranges of places an edit occupies: edits with disjoint ranges can be tried together."""
    if isinstance(edit, ReplaceScript):
        return [(0, len(outline.nodes))]
    spans_ = []
    for single in single_edits([edit]):
        place = single.place
        if isinstance(single, Hoist):
            spans_ += [(place, single.source), (outline.end(single.source), outline.end(place))]
        elif isinstance(single, ReplaceTerm | Omit | ReplaceCommand):
            spans_.append((place, outline.end(place)))
        elif isinstance(single, Splice | ChangeHead):
            spans_.append((place, place + 1))
    return [(start, end) for start, end in spans_ if start < end]
