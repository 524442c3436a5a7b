"""Outline: all commands and terms of a script, numbered in the order they are written.

A place is such a number; the places inside it are the `sizes[place] - 1` numbers that follow. So an edit is
small, sets of edits are easy to compare, and many of them are applied in one walk, however deep the terms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from falsum.reducer.measure import own_weight
from falsum.smtlib.maps.command_terms import binders_of, terms_of
from falsum.smtlib.scripts import Command, Script
from falsum.smtlib.term_names import names_given
from falsum.smtlib.terms import Annotated, App, Function, Lambda, Let, Match, Quantifier, Term, Value, Var
from falsum.smtlib.walk import binders_at, children, free_variable_table


class OutlineFrame(NamedTuple):
    """Variables bound by the node at `owner`; `outer` is the number of the enclosing frame, -1 for none."""

    outer: int
    owner: int
    binders: tuple[Var, ...]


_NO_FRAME = -1
_NODES_WITH_BINDERS = (Quantifier, Let, Lambda, Match)


class Outline:
    """The places of a script. `frames[place]` is the innermost frame around a place, -1 for none."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.nodes: list[Term | Command] = []
        self.parents: list[int] = []
        self.slots: list[int] = []
        self.sizes: list[int] = []
        self.frames: list[int] = []
        self.frame_table: list[OutlineFrame] = []
        self.commands: list[int] = []
        # The uses of a variable, by the place that binds it and its name.
        self.uses: dict[tuple[int, str], list[int]] = {}
        self._bound: dict[str, list[int]] = {}
        for command in script.commands:
            self._add_command(command)

    def _add_command(self, command: Command) -> None:
        place = len(self.nodes)
        self.commands.append(place)
        self._add(command, -1, 0, _NO_FRAME)
        for slot, term in enumerate(terms_of(command)):
            binders = binders_of(command, slot)
            frame = self._enter(_NO_FRAME, place, binders) if binders else _NO_FRAME
            self._add_term(term, place, slot, frame)
            self._leave(binders)
        self.sizes[place] = len(self.nodes) - place

    def _add(self, node: Term | Command, parent: int, slot: int, frame: int) -> int:
        self.nodes.append(node)
        self.parents.append(parent)
        self.slots.append(slot)
        self.sizes.append(1)
        self.frames.append(frame)
        return len(self.nodes) - 1

    def _add_term(self, root: Term, parent: int, slot: int, frame: int) -> None:
        # Work left: a term with its parent, slot, frame and new binders; or the end of a place.
        todo: list[tuple[Term, int, int, int, tuple[Var, ...]] | tuple[int, tuple[Var, ...]]]
        todo = [(root, parent, slot, frame, ())]
        while todo:
            item = todo.pop()
            if len(item) == 2:
                self.sizes[item[0]] = len(self.nodes) - item[0]
                self._leave(item[1])
                continue
            term, above, number, outer, binders = item
            if binders:
                outer = self._enter(outer, above, binders)
            place = self._add(term, above, number, outer)
            if isinstance(term, Var) and self._bound.get(term.name):
                key = (self._bound[term.name][-1], term.name)
                self.uses.setdefault(key, []).append(place)
            todo.append((place, binders))
            parts = children(term)
            binding = isinstance(term, _NODES_WITH_BINDERS)
            for child in range(len(parts) - 1, -1, -1):
                inner = binders_at(term, child) if binding else ()
                todo.append((parts[child], place, child, outer, inner))

    def _enter(self, outer: int, owner: int, binders: tuple[Var, ...]) -> int:
        self.frame_table.append(OutlineFrame(outer, owner, binders))
        for binder in binders:
            self._bound.setdefault(binder.name, []).append(owner)
        return len(self.frame_table) - 1

    def _leave(self, binders: tuple[Var, ...]) -> None:
        for binder in binders:
            self._bound[binder.name].pop()

    def end(self, place: int) -> int:
        return place + self.sizes[place]

    def parts(self, place: int) -> list[int]:
        """The places directly inside a place."""
        parts, child, end = [], place + 1, place + self.sizes[place]
        while child < end:
            parts.append(child)
            child += self.sizes[child]
        return parts

    def terms(self) -> Iterator[tuple[int, Term]]:
        """All places whose term may be replaced by any term of its sort: those outside patterns."""
        frozen_until = 0
        for place, node in enumerate(self.nodes):
            parent = self.parents[place]
            if parent < 0 or place < frozen_until:
                continue
            if self.slots[place] > 0 and isinstance(self.nodes[parent], Annotated):
                frozen_until = self.end(place)
                continue
            yield place, node  # type: ignore[misc]  # all places but commands have a parent

    def term(self, place: int) -> Term:
        node = self.nodes[place]
        assert self.parents[place] >= 0
        return node  # type: ignore[return-value]  # as above

    def command_of(self, place: int) -> int:
        """The number of the command a place is in."""
        low, high = 0, len(self.commands)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.commands[middle] <= place else (low, middle)
        return low

    @cached_property
    def weights(self) -> list[int]:
        """The weight of each term including its subterms; for a command, that of its terms."""
        weights = [0] * len(self.nodes)
        for place in range(len(weights) - 1, -1, -1):
            if self.parents[place] >= 0:
                weights[place] += own_weight(self.term(place))
                weights[self.parents[place]] += weights[place]
        return weights

    @cached_property
    def free(self) -> dict[Term, frozenset[Var]]:
        """The free variables of every term."""
        table: dict[Term, frozenset[Var]] = {}
        for command in self.script.commands:
            for term in terms_of(command):
                if term not in table:
                    table.update(free_variable_table(term))
        return table

    @cached_property
    def has_names(self) -> bool:
        """Whether any term has a `:named` annotation, which declares a name."""
        return any(isinstance(node, Annotated) and names_given(node) for node in self.nodes)

    @cached_property
    def binder_counts(self) -> Counter[str]:
        """The number of binders of each name."""
        return Counter(binder.name for frame in self.frame_table for binder in frame.binders)

    @cached_property
    def bound_names(self) -> frozenset[str]:
        """Every name that is bound somewhere: a constant with such a name might be captured."""
        return frozenset(binder.name for frame in self.frame_table for binder in frame.binders)

    @cached_property
    def constant_uses(self) -> dict[Function, list[int]]:
        """The places where each constant is used, without constants that occur in patterns."""
        uses: dict[Function, list[int]] = {}
        replaceable = {place for place, _ in self.terms()}
        in_patterns: dict[Function, None] = {}
        for place, node in enumerate(self.nodes):
            if isinstance(node, App) and not node.args and isinstance(node.head.symbol, Function):
                uses.setdefault(node.head.symbol, []).append(place)
                if place not in replaceable:
                    in_patterns[node.head.symbol] = None
        return {function: places for function, places in uses.items() if function not in in_patterns}

    def binders_between(self, outer: int, inner: int) -> dict[str, Var]:
        """The variables bound between a place and one inside it, by name."""
        by_name: dict[str, Var] = {}
        frame, stop = self.frames[inner], self.frames[outer]
        while frame != stop:
            frame, _, binders = self.frame_table[frame]
            for binder in binders:
                by_name.setdefault(binder.name, binder)
        return by_name

    def variables(self, place: int, max_frames: int) -> Iterator[Var]:
        """The bound variables in scope at a place, innermost first; at most `max_frames` enclosing frames are
        searched.
        """
        frame, seen = self.frames[place], set()
        while frame >= 0 and max_frames > 0:
            frame, _, binders = self.frame_table[frame]
            max_frames -= 1
            for binder in binders:
                if binder.name not in seen:
                    seen.add(binder.name)
                    yield binder

    def is_leaf(self, place: int) -> bool:
        return self.sizes[place] == 1

    def is_value(self, place: int) -> bool:
        return isinstance(self.nodes[place], Value)
