"""Edits: what may be done to a script, as data; and how a set of them is done at once.

    Edit = Replace | Hoist | Omit | Splice | Rehead | Unbind | Put | Several | Whole

Places are those of one outline. Of edits that meet, the outermost wins and those it makes pointless are left
out, so any set can be tried. What comes out is well-sorted by construction, or nothing comes out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from falsum.errors import SortError, UsageError
from falsum.reducer.outline import Outline
from falsum.reducer.parts import DECLARATIONS, declared_by, is_closed, with_terms
from falsum.smtlib.scripts import CheckSatAssuming, Command, DeclareFun, Script
from falsum.smtlib.substitution import substitute, symbols_in
from falsum.smtlib.terms import (
    App,
    Function,
    Head,
    Let,
    Quantifier,
    Term,
    Var,
    app,
    let,
    quantifier,
)
from falsum.smtlib.theories.literals import NAMED_VALUES
from falsum.smtlib.walk import rebuild


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


class _RefusedError(Exception):
    """The edits do not go together."""


def apply(outline: Outline, edits: Sequence[Edit]) -> Script | None:
    """The script with all these edits done; None if it would not be well-sorted."""
    if any(isinstance(edit, Whole) for edit in edits):
        only = edits[0]
        return only.script if len(edits) == 1 and isinstance(only, Whole) else None
    try:
        return _Application(outline, list(singles(edits))).run()
    except (SortError, UsageError, _RefusedError):
        return None


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


_OMITTED: Final = object()


class _Application:
    """One set of edits being done: places that change are made anew from the inside to the outside."""

    def __init__(self, outline: Outline, edits: list[Single]) -> None:
        self.outline = outline
        self.takers: dict[int, Replace | Hoist | Omit | Put] = {}
        self.shells: dict[int, list[Splice | Rehead | Unbind]] = {}
        self.sources: dict[int, int] = {}
        self.made: dict[int, object] = {}
        self._sort_out(edits)

    def _sort_out(self, edits: list[Single]) -> None:
        """Leaves out edits inside what others take away; a hoisted term stays alive."""
        dead_until = -1
        pending: list[tuple[int, int]] = []
        for edit in sorted((*edits, *self._uses(edits)), key=lambda e: e.place):
            place = edit.place
            while pending and pending[-1][0] <= place:
                dead_until = max(dead_until, pending.pop()[1])
            if place < dead_until or place in self.takers:
                continue
            if not isinstance(edit, Replace | Hoist | Omit | Put):
                self.shells.setdefault(place, []).append(edit)
                continue
            self.takers[place] = edit
            if isinstance(edit, Hoist):
                dead_until = max(dead_until, edit.source)
                pending.append((self.outline.end(edit.source), self.outline.end(place)))
                self.sources[edit.source] = place
            else:
                dead_until = max(dead_until, self.outline.end(place))
        for place in self.takers:
            self.shells.pop(place, None)

    def _uses(self, edits: list[Single]) -> Iterator[Single]:
        """A variable that becomes a closed term is replaced where it is used: no walk over the body."""
        for edit in edits:
            if isinstance(edit, Unbind) and edit.by is not None and edit.by is not edit.binder:
                for place in self.outline.uses.get((edit.place, edit.binder.name), ()):
                    yield Replace(place, edit.by)

    def run(self) -> Script:
        for place in sorted(self._touched(), reverse=True):
            self.made[place] = self._make(place)
        commands: list[Command] = []
        declared: dict[Function, None] = {}
        lost = False
        fresh = self._fresh()
        for place, command in zip(self.outline.commands, self.outline.script.commands, strict=True):
            for function in fresh.get(place, ()):
                if function not in declared:
                    declared[function] = None
                    commands.append(DeclareFun(function, "declare-const"))
            made = self.made.get(place, command)
            new: tuple[Command, ...] = made if isinstance(made, tuple) else (made,)
            commands.extend(new)
            watched = isinstance(command, DECLARATIONS) or self.outline.has_names
            lost = lost or (watched and new != (command,) and _loses(command, new))
        script = Script(tuple(commands))
        if lost and not is_closed(script):
            raise _RefusedError
        return script

    def _touched(self) -> dict[int, None]:
        touched: dict[int, None] = {}
        for start in (*self.takers, *self.shells):
            place = start
            while place >= 0 and place not in touched:
                touched[place] = None
                place = self.sources.get(place, self.outline.parents[place])
        return touched

    def _fresh(self) -> dict[int, list[Function]]:
        found: dict[int, list[Function]] = {}
        for edit in (*self.takers.values(), *(e for some in self.shells.values() for e in some)):
            if isinstance(edit, Replace | Unbind) and edit.declares:
                command = self.outline.commands[self.outline.command_of(edit.place)]
                found.setdefault(command, []).extend(edit.declares)
        return found

    def _make(self, place: int) -> object:
        edit = self.takers.get(place)
        if isinstance(edit, Replace):
            return edit.new
        if isinstance(edit, Omit):
            return _OMITTED
        if isinstance(edit, Put):
            return edit.commands
        if isinstance(edit, Hoist):
            return self._hoisted(edit)
        parts: deque[Term] = deque()
        omitted: list[int] = []
        for slot, child in enumerate(self.outline.parts(place)):
            made = self.made.get(child, self.outline.nodes[child])
            if made is _OMITTED:
                omitted.append(slot)
            elif not isinstance(made, deque):
                parts.append(made)  # type: ignore[arg-type]  # only terms are inside terms
            elif len(made) > len(parts):
                # The longer one grows, so that a deep chain takes linear time.
                made.extendleft(reversed(parts))
                parts = made
            else:
                parts.extend(made)
        return self._rebuilt(place, parts, omitted)

    def _hoisted(self, edit: Hoist) -> object:
        term = self.made.get(edit.source, self.outline.nodes[edit.source])
        if term is _OMITTED or isinstance(term, deque):
            raise _RefusedError
        return substitute(term, dict(edit.by)) if edit.by else term  # type: ignore[arg-type]  # a term

    def _rebuilt(self, place: int, found: deque[Term], omitted: list[int]) -> object:
        node = self.outline.nodes[place]
        if any(isinstance(shell, Splice) for shell in self.shells.get(place, ())):
            return found
        parts = list(found)
        if self.outline.parents[place] < 0:
            command: Command = node  # type: ignore[assignment]  # places without a parent are commands
            if omitted and not isinstance(command, CheckSatAssuming):
                raise _RefusedError
            return with_terms(command, parts)
        term: Term = node  # type: ignore[assignment]  # and all others are terms
        shells = self.shells.get(place, [])
        heads = [shell.head for shell in shells if isinstance(shell, Rehead)]
        unbinds = [shell for shell in shells if isinstance(shell, Unbind)]
        if heads:
            return app(heads[0], parts)
        if isinstance(term, Let) and (omitted or unbinds):
            return _let(term, parts, omitted, unbinds)
        if isinstance(term, Quantifier) and unbinds:
            return _quantified(term, parts[0], unbinds)
        if isinstance(term, App):
            return _applied(term, parts, fewer=bool(omitted))
        if omitted or unbinds:
            raise _RefusedError
        return rebuild(term, parts)


def _loses(command: Command, new: tuple[Command, ...]) -> bool:
    """Whether something a command declares is gone."""
    kept = {key for other in new for key in declared_by(other)}
    return any(key not in kept for key in declared_by(command))


def _applied(term: App, parts: list[Term], *, fewer: bool) -> Term:
    if fewer and not parts and term.head.name in ("and", "or"):
        return NAMED_VALUES["true" if term.head.name == "and" else "false"]
    if fewer and len(parts) == 1 and parts[0].sort is term.sort:
        return parts[0]
    if fewer and len(parts) < 2:
        raise _RefusedError
    return app(term.head, parts)


def _let(term: Let, parts: list[Term], omitted: list[int], unbinds: list[Unbind]) -> Term:
    binders = [binder for slot, binder in enumerate(term.binders) if slot not in omitted]
    values, body = parts[:-1], parts[-1]
    if len(values) != len(binders):
        raise _RefusedError
    own = dict(zip(binders, values, strict=True))
    by = {u.binder: own[u.binder] for u in unbinds if u.binder in own}
    left = [(binder, value) for binder, value in own.items() if binder not in by]
    gone = {binder.name for slot, binder in enumerate(term.binders) if slot in omitted}
    if gone and not gone.isdisjoint(symbols_in(body)):
        raise _RefusedError
    body = _unbound(body, by, [binder for binder, _ in left])
    if not left:
        return body
    return let(tuple(binder for binder, _ in left), tuple(value for _, value in left), body)


def _quantified(term: Quantifier, body: Term, unbinds: list[Unbind]) -> Term:
    gone = [unbind.binder for unbind in unbinds]
    left = [binder for binder in term.binders if binder not in gone]
    return quantifier(term.kind, tuple(left), body) if left else body


def _unbound(body: Term, by: dict[Var, Term], left: list[Var]) -> Term:
    """The body with variables replaced; what stays bound must not capture what comes in."""
    names = {binder.name for binder in left}
    if names and any(not names.isdisjoint(symbols_in(term)) for term in by.values()):
        raise _RefusedError
    return substitute(body, by)
