"""Applying: a set of edits done at once.

Of edits that meet, the outermost wins and those it makes pointless are left out, so any set can be tried.
What comes out is well-sorted by construction, or nothing comes out. Only places on the way from an edit to
its command are made anew.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from falsum.errors import SortError, UsageError
from falsum.reducer.command_terms import DECLARATIONS, declared_by, is_closed, with_terms
from falsum.reducer.edits import (
    Edit,
    Hoist,
    Omit,
    Put,
    Rehead,
    Replace,
    Single,
    Splice,
    Unbind,
    Whole,
    singles,
)
from falsum.reducer.outline import Outline
from falsum.smtlib.scripts import CheckSatAssuming, Command, DeclareFun, Script
from falsum.smtlib.substitution import substitute, symbols_in
from falsum.smtlib.terms import App, Function, Let, Quantifier, Term, Var, app, let, quantifier
from falsum.smtlib.theories.literals import NAMED_VALUES
from falsum.smtlib.walk import free_variables, rebuild


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


@dataclass(frozen=True, slots=True)
class _Inline:
    """A use of a variable becomes what the place of its value becomes."""

    place: int
    source: int


_OMITTED: Final = object()


class _Application:
    """One set of edits being done: places that change are made anew from the inside to the outside."""

    def __init__(self, outline: Outline, edits: list[Single]) -> None:
        self.outline = outline
        self.takers: dict[int, Replace | Hoist | Omit | Put | _Inline] = {}
        self.shells: dict[int, list[Splice | Rehead | Unbind]] = {}
        self.sources: dict[int, int] = {}
        self.made: dict[int, object] = {}
        # Variables of `let` that are replaced at their uses, by the place that binds them.
        self.inlined: set[tuple[int, str]] = set()
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
            if isinstance(edit, Splice | Rehead | Unbind):
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

    def _uses(self, edits: list[Single]) -> Iterator[Replace | _Inline]:
        """A variable is replaced where it is used, without a walk over the body, if nothing is captured."""
        for edit in edits:
            if not isinstance(edit, Unbind) or edit.by is edit.binder:
                continue
            uses = self.outline.uses.get((edit.place, edit.binder.name), ())
            if edit.by is not None:
                yield from (Replace(place, edit.by) for place in uses)
            elif (source := self._safe_source(edit)) is not None:
                self.inlined.add((edit.place, edit.binder.name))
                yield from (_Inline(place, source) for place in uses)

    def _safe_source(self, edit: Unbind) -> int | None:
        """The place of the value a `let` gives, if no other binder has a name that occurs in it."""
        outline = self.outline
        node = outline.nodes[edit.place]
        if not isinstance(node, Let):
            return None
        source = outline.parts(edit.place)[node.binders.index(edit.binder)]
        value = outline.term(source)
        variables = {variable.name for variable in outline.free[value]}
        # A variable is bound once anyway; a function must not be hidden anywhere.
        counts = outline.binder_counts
        safe = all(counts[name] <= (name in variables) for name in symbols_in(value))
        return source if safe else None

    def _make_all(self) -> None:
        """From the inside to the outside; a value that is inlined before the places where it goes."""
        touched = sorted(self._touched())
        waiting = list(touched)
        begun: set[int] = set()
        while waiting:
            place = waiting.pop()
            if place in self.made:
                continue
            edit = self.takers.get(place)
            if isinstance(edit, _Inline) and edit.source not in begun and edit.source not in self.made:
                begun.add(edit.source)
                low, high = edit.source, self.outline.end(edit.source)
                waiting += [place, *touched[bisect_left(touched, low) : bisect_left(touched, high)]]
                continue
            self.made[place] = self._make(place)

    def run(self) -> Script:
        self._make_all()
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
        if isinstance(edit, _Inline):
            return self.made.get(edit.source, self.outline.nodes[edit.source])
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
            done = [u for u in unbinds if (place, u.binder.name) in self.inlined]
            return _let(term, parts, omitted, unbinds, done)
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


def _let(term: Let, parts: list[Term], omitted: list[int], unbinds: list[Unbind], done: list[Unbind]) -> Term:
    """The `let` without some bindings; those not `done` are put into the body here."""
    binders = [binder for slot, binder in enumerate(term.binders) if slot not in omitted]
    values, body = parts[:-1], parts[-1]
    if len(values) != len(binders):
        raise _RefusedError
    own = dict(zip(binders, values, strict=True))
    by = {u.binder: own[u.binder] for u in unbinds if u.binder in own and u not in done}
    dropped = {unbind.binder for unbind in unbinds}
    left = [(binder, value) for binder, value in own.items() if binder not in dropped]
    gone = {binder.name for slot, binder in enumerate(term.binders) if slot in omitted}
    if gone and not gone.isdisjoint(variable.name for variable in free_variables(body)):
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
    if not by:
        return body
    if names and any(not names.isdisjoint(symbols_in(term)) for term in by.values()):
        raise _RefusedError
    return substitute(body, by)
