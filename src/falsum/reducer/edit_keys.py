"""What an edit does to which terms, whatever the rest of the script: to know again one that has failed."""

from __future__ import annotations

from falsum.reducer.edits import Edit, Hoist, Omit, Put, Rehead, Replace, Several, Splice, Unbind, Whole
from falsum.reducer.outline import Outline


def track(outline: Outline, edit: Edit) -> tuple[object, ...]:
    nodes = outline.nodes
    match edit:
        case Replace():
            new = edit.new.sort if edit.declares else edit.new
            return ("replace", nodes[edit.place], new)
        case Hoist():
            return ("hoist", nodes[edit.place], nodes[edit.source], edit.by)
        case Omit() | Splice():
            return ("omit", nodes[outline.parents[edit.place]], nodes[edit.place])
        case Rehead():
            return ("head", nodes[edit.place], edit.head)
        case Unbind():
            by = edit.by.sort if edit.declares and edit.by is not None else edit.by
            return ("unbind", nodes[edit.place], edit.binder, by)
        case Put():
            return ("put", nodes[edit.place], edit.commands)
        case Several():
            return ("several", *(track(outline, single) for single in edit.edits))
        case Whole():
            return ("whole", edit.script)
