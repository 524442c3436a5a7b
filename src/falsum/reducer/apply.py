"""Applies a set of edits to a script at once.

If edits overlap, the outermost wins and those inside it are ignored, so any set of edits can be tried. The
result is well-sorted by construction, or there is none. Only the terms from an edit up to its command are
rebuilt.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from falsum.errors import SortError, UsageError
from falsum.reducer.edits import (
    ChangeHead,
    Edit,
    Hoist,
    Omit,
    ReplaceCommand,
    ReplaceScript,
    ReplaceTerm,
    SingleEdit,
    Splice,
    Unbind,
    single_edits,
)
from falsum.reducer.outline import Outline
from falsum.smtlib.maps.command_terms import INTRODUCING, declared_by, is_closed, with_terms
from falsum.smtlib.scripts import CheckSatAssuming, Command, DeclareFun, Script
from falsum.smtlib.substitution import substitute, symbols_in
from falsum.smtlib.terms import App, Function, Let, Quantifier, Term, Var, app, let, quantifier
from falsum.smtlib.theories.core import FALSE, TRUE
from falsum.smtlib.walk import free_variables, rebuild


class _RefusedError(Exception):
    """The edits cannot be applied together."""


def apply(outline: Outline, edits: Sequence[Edit]) -> Script | None:
    """The script with all these edits applied; None if it would not be well-sorted."""
    if any(isinstance(edit, ReplaceScript) for edit in edits):
        only = edits[0]
        return only.script if len(edits) == 1 and isinstance(only, ReplaceScript) else None
    try:
        return _Application(outline, list(single_edits(edits))).run()
    except (SortError, UsageError, _RefusedError):
        return None


@dataclass(frozen=True, slots=True)
class _Inline:
    """Replaces a use of a `let` variable by the new term at the place of its value."""

    place: int
    source: int


_OMITTED: Final = object()


class _Application:
    """One set of edits being applied: changed places are rebuilt from the inside to the outside."""

    def __init__(self, outline: Outline, edits: list[SingleEdit]) -> None:
        self.outline = outline
        self.replacements: dict[int, ReplaceTerm | Hoist | Omit | ReplaceCommand | _Inline] = {}
        self.node_edits: dict[int, list[Splice | ChangeHead | Unbind]] = {}
        self.hoist_targets: dict[int, int] = {}
        self.rebuilt: dict[int, object] = {}
        # The `let` variables that are replaced at their uses, with the place that binds them.
        self.inlined: set[tuple[int, str]] = set()
        self._select(edits)

    def _select(self, edits: list[SingleEdit]) -> None:
        """Ignores edits inside a term that another edit removes; edits inside a hoisted term remain."""
        dead_until = -1
        pending: list[tuple[int, int]] = []
        for edit in sorted((*edits, *self._uses(edits)), key=lambda e: e.place):
            place = edit.place
            while pending and pending[-1][0] <= place:
                dead_until = max(dead_until, pending.pop()[1])
            if place < dead_until or place in self.replacements:
                continue
            if isinstance(edit, Splice | ChangeHead | Unbind):
                self.node_edits.setdefault(place, []).append(edit)
                continue
            self.replacements[place] = edit
            if isinstance(edit, Hoist):
                dead_until = max(dead_until, edit.source)
                pending.append((self.outline.end(edit.source), self.outline.end(place)))
                self.hoist_targets[edit.source] = place
            else:
                dead_until = max(dead_until, self.outline.end(place))
        for place in self.replacements:
            self.node_edits.pop(place, None)

    def _uses(self, edits: list[SingleEdit]) -> Iterator[ReplaceTerm | _Inline]:
        """Edits at the uses of variables that are unbound, where nothing would be captured.

        This saves a substitution over the whole body.
        """
        for edit in edits:
            if not isinstance(edit, Unbind) or edit.by is edit.binder:
                continue
            uses = self.outline.uses.get((edit.place, edit.binder.name), ())
            if edit.by is not None:
                yield from (ReplaceTerm(place, edit.by) for place in uses)
            elif (source := self._safe_source(edit)) is not None:
                self.inlined.add((edit.place, edit.binder.name))
                yield from (_Inline(place, source) for place in uses)

    def _safe_source(self, edit: Unbind) -> int | None:
        """The place of the value of a `let` variable, if no other binder could capture a name in it."""
        outline = self.outline
        node = outline.nodes[edit.place]
        if not isinstance(node, Let):
            return None
        source = outline.parts(edit.place)[node.binders.index(edit.binder)]
        value = outline.term(source)
        variables = {variable.name for variable in outline.free[value]}
        # A free variable of the value is bound once, around the `let`; a function must never be shadowed.
        counts = outline.binder_counts
        safe = all(counts[name] <= (name in variables) for name in symbols_in(value))
        return source if safe else None

    def _rebuild_all(self) -> None:
        """Rebuilds from the inside to the outside, and an inlined value before the places it goes to."""
        touched = sorted(self._changed_places())
        waiting = list(touched)
        begun: set[int] = set()
        while waiting:
            place = waiting.pop()
            if place in self.rebuilt:
                continue
            edit = self.replacements.get(place)
            if isinstance(edit, _Inline) and edit.source not in begun and edit.source not in self.rebuilt:
                begun.add(edit.source)
                low, high = edit.source, self.outline.end(edit.source)
                waiting += [place, *touched[bisect_left(touched, low) : bisect_left(touched, high)]]
                continue
            self.rebuilt[place] = self._rebuild(place)

    def run(self) -> Script:
        self._rebuild_all()
        commands: list[Command] = []
        declarations: dict[Function, None] = {}
        lost = False
        fresh = self._fresh()
        for place, command in zip(self.outline.commands, self.outline.script.commands, strict=True):
            for function in fresh.get(place, ()):
                if function not in declarations:
                    declarations[function] = None
                    commands.append(DeclareFun(function, "declare-const"))
            rebuilt_command = self.rebuilt.get(place, command)
            new: tuple[Command, ...] = (
                rebuilt_command if isinstance(rebuilt_command, tuple) else (rebuilt_command,)
            )
            commands.extend(new)
            watched = isinstance(command, INTRODUCING) or self.outline.has_names
            lost = lost or (watched and new != (command,) and _drops_symbol(command, new))
        script = Script(tuple(commands))
        if lost and not is_closed(script):
            raise _RefusedError
        return script

    def _changed_places(self) -> dict[int, None]:
        touched: dict[int, None] = {}
        for start in (*self.replacements, *self.node_edits):
            place = start
            while place >= 0 and place not in touched:
                touched[place] = None
                place = self.hoist_targets.get(place, self.outline.parents[place])
        return touched

    def _fresh(self) -> dict[int, list[Function]]:
        functions: dict[int, list[Function]] = {}
        for edit in (*self.replacements.values(), *(e for some in self.node_edits.values() for e in some)):
            if isinstance(edit, ReplaceTerm | Unbind) and edit.declares:
                command = self.outline.commands[self.outline.command_of(edit.place)]
                functions.setdefault(command, []).extend(edit.declares)
        return functions

    def _rebuild(self, place: int) -> object:
        edit = self.replacements.get(place)
        if isinstance(edit, ReplaceTerm):
            return edit.new
        if isinstance(edit, _Inline):
            return self.rebuilt.get(edit.source, self.outline.nodes[edit.source])
        if isinstance(edit, Omit):
            return _OMITTED
        if isinstance(edit, ReplaceCommand):
            return edit.commands
        if isinstance(edit, Hoist):
            return self._hoisted(edit)
        parts: deque[Term] = deque()
        omitted: list[int] = []
        for slot, child in enumerate(self.outline.parts(place)):
            node = self.rebuilt.get(child, self.outline.nodes[child])
            if node is _OMITTED:
                omitted.append(slot)
            elif not isinstance(node, deque):
                parts.append(node)  # type: ignore[arg-type]  # only terms are inside terms
            elif len(node) > len(parts):
                # Extend the longer of the two, so that a deep chain takes linear time.
                node.extendleft(reversed(parts))
                parts = node
            else:
                parts.extend(node)
        return self._rebuilt(place, parts, omitted)

    def _hoisted(self, edit: Hoist) -> object:
        term = self.rebuilt.get(edit.source, self.outline.nodes[edit.source])
        if term is _OMITTED or isinstance(term, deque):
            raise _RefusedError
        return substitute(term, dict(edit.by)) if edit.by else term  # type: ignore[arg-type]  # a term

    def _rebuilt(self, place: int, terms: deque[Term], omitted: list[int]) -> object:
        node = self.outline.nodes[place]
        if any(isinstance(node_edit, Splice) for node_edit in self.node_edits.get(place, ())):
            return terms
        parts = list(terms)
        if self.outline.parents[place] < 0:
            command: Command = node  # type: ignore[assignment]  # a place without a parent is a command
            if omitted and not isinstance(command, CheckSatAssuming):
                raise _RefusedError
            return with_terms(command, parts)
        term: Term = node  # type: ignore[assignment]  # every other place is a term
        node_edits = self.node_edits.get(place, [])
        heads = [node_edit.head for node_edit in node_edits if isinstance(node_edit, ChangeHead)]
        unbinds = [node_edit for node_edit in node_edits if isinstance(node_edit, Unbind)]
        if heads:
            return app(heads[0], parts)
        if isinstance(term, Let) and (omitted or unbinds):
            inlined_here = [u for u in unbinds if (place, u.binder.name) in self.inlined]
            return _let(term, parts, omitted, unbinds, inlined_here)
        if isinstance(term, Quantifier) and unbinds:
            return _quantified(term, parts[0], unbinds)
        if isinstance(term, App):
            return _applied(term, parts, fewer=bool(omitted))
        if omitted or unbinds:
            raise _RefusedError
        return rebuild(term, parts)


def _drops_symbol(command: Command, new: tuple[Command, ...]) -> bool:
    """Whether a symbol that the command declares would no longer be declared."""
    keys = {key for other in new for key in declared_by(other)}
    return any(key not in keys for key in declared_by(command))


def _applied(term: App, parts: list[Term], *, fewer: bool) -> Term:
    if fewer and not parts and term.head.name in ("and", "or"):
        return TRUE if term.head.name == "and" else FALSE
    if fewer and len(parts) == 1 and parts[0].sort is term.sort:
        return parts[0]
    if fewer and len(parts) < 2:
        raise _RefusedError
    return app(term.head, parts)


def _let(term: Let, parts: list[Term], omitted: list[int], unbinds: list[Unbind], done: list[Unbind]) -> Term:
    """The `let` without some bindings; variables not in `done` are substituted in the body here."""
    binders = [binder for slot, binder in enumerate(term.binders) if slot not in omitted]
    values, body = parts[:-1], parts[-1]
    if len(values) != len(binders):
        raise _RefusedError
    own = dict(zip(binders, values, strict=True))
    by = {u.binder: own[u.binder] for u in unbinds if u.binder in own and u not in done}
    dropped = {unbind.binder for unbind in unbinds}
    remaining = [(binder, value) for binder, value in own.items() if binder not in dropped]
    omitted_names = {binder.name for slot, binder in enumerate(term.binders) if slot in omitted}
    if omitted_names and any(variable.name in omitted_names for variable in free_variables(body)):
        raise _RefusedError
    body = _unbound(body, by, [binder for binder, _ in remaining])
    if not remaining:
        return body
    return let(tuple(binder for binder, _ in remaining), tuple(value for _, value in remaining), body)


def _quantified(term: Quantifier, body: Term, unbinds: list[Unbind]) -> Term:
    dropped = [unbind.binder for unbind in unbinds]
    remaining = [binder for binder in term.binders if binder not in dropped]
    return quantifier(term.kind, tuple(remaining), body) if remaining else body


def _unbound(body: Term, by: dict[Var, Term], variables: list[Var]) -> Term:
    """The body with variables replaced; refused if a remaining binder would capture a new term."""
    names = {binder.name for binder in variables}
    if not by:
        return body
    if names and any(not names.isdisjoint(symbols_in(term)) for term in by.values()):
        raise _RefusedError
    return substitute(body, by)
