"""Drops unused declarations, definitions and bindings."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Edit, Omit, ReplaceCommand, Unbind
from falsum.reducer.outline import Outline
from falsum.smtlib.maps.command_terms import INTRODUCING, Key, declared_by, used_by
from falsum.smtlib.terms import Let, Quantifier


class DropUnused:
    """`(declare-fun x () Int) (declare-fun p () Bool) (assert (let ((y 1)) p))`
    → `(declare-fun p () Bool) (assert p)`.
    """

    name = "drop-unused"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        yield from self._declarations(outline)
        for place, node in enumerate(outline.nodes):
            if isinstance(node, Let):
                for slot, part in enumerate(outline.parts(place)[:-1]):
                    if not outline.uses.get((place, node.binders[slot].name)):
                        yield Omit(part)
            elif isinstance(node, Quantifier):
                for binder in node.binders:
                    if not outline.uses.get((place, binder.name)):
                        yield Unbind(place, binder, binder)

    def _declarations(self, outline: Outline) -> Iterator[Edit]:
        """Declarations that no other command needs, directly or through other declarations.

        One that only an unused definition needs cannot be dropped before it, so the last comes first.
        """
        commands = outline.script.commands
        keys: dict[Key, None] = {}
        unused: list[int] = []
        for number in range(len(commands) - 1, -1, -1):
            command = commands[number]
            if isinstance(command, INTRODUCING) and not any(key in keys for key in declared_by(command)):
                unused.append(number)
            else:
                keys.update(used_by(command))
        free: dict[Key, None] = dict(keys)
        for number in reversed(unused):
            free.update(used_by(commands[number]))
        for number in unused:
            nested = any(key in free for key in declared_by(commands[number]))
            yield ReplaceCommand(outline.commands[number], (), rank=int(nested))
