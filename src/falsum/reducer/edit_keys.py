"""Identity of an edit across scripts: what it does to which terms, wherever they stand."""

from __future__ import annotations

from typing import TypeAlias

from falsum.reducer.edits import (
    ChangeHead,
    Compound,
    Edit,
    Hoist,
    Omit,
    ReplaceCommand,
    ReplaceScript,
    ReplaceTerm,
    Splice,
    Unbind,
)
from falsum.reducer.outline import Outline

EditKey: TypeAlias = tuple[object, ...]


def edit_key(outline: Outline, edit: Edit) -> EditKey:
    """A key that is equal for edits of two scripts that do the same to the same terms; used to remember
    failures.
    """
    nodes = outline.nodes
    match edit:
        case ReplaceTerm():
            # The name of a new constant differs from run to run.
            new = edit.new.sort if edit.declares else edit.new
            return ("replace", nodes[edit.place], new)
        case Hoist():
            return ("hoist", nodes[edit.place], nodes[edit.source], edit.by)
        case Omit() | Splice():
            return ("omit", nodes[outline.parents[edit.place]], nodes[edit.place])
        case ChangeHead():
            return ("head", nodes[edit.place], edit.head)
        case Unbind():
            by = edit.by.sort if edit.declares and edit.by is not None else edit.by
            return ("unbind", nodes[edit.place], edit.binder, by)
        case ReplaceCommand():
            return ("command", nodes[edit.place], edit.commands)
        case Compound():
            return ("compound", *(edit_key(outline, single) for single in edit.edits))
        case ReplaceScript():
            return ("script", edit.script)
