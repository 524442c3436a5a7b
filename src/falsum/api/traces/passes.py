"""The passes of trace reduction: each proposes edits of lines; a new one joins by a line in ALL."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from falsum.api.actions import action_of
from falsum.api.actions.action import Purpose
from falsum.api.model.values import small_values
from falsum.api.trace import Line

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror, TermEntry
    from falsum.smtlib.sorts import Sort

_NAME: Final = re.compile(r"[st]\d+\Z")
# Lines of actions that only make a sort or term can go if their result is not used.
_MAKERS: Final = frozenset([Purpose.MAKER, Purpose.DEFINITION])


@dataclass(frozen=True, slots=True)
class ReplaceLine:
    """Replaces the line at an index by another one, or removes it."""

    index: int
    line: Line | None = None


@dataclass(frozen=True, slots=True)
class RenameUses:
    """Replaces a name by another one in the arguments of all lines."""

    old: str
    new: str


Edit: TypeAlias = ReplaceLine | RenameUses


@dataclass(frozen=True, slots=True)
class TraceView:
    """The lines of a trace, and the mirror after them."""

    lines: tuple[Line, ...]
    mirror: Mirror

    def sort_of(self, name: str) -> Sort | None:
        entry = self.mirror.terms.get(name)
        return None if entry is None or entry.role == "function" else entry.sort


def apply_edits(lines: Sequence[Line], edits: Iterable[Edit]) -> list[Line] | None:
    """The lines after edits, without those whose result is no longer used; None if two edits conflict."""
    edit_list = list(edits)
    new_lines: list[Line | None] = list(lines)
    names: dict[str, str] = {}
    touched: set[int] = set()
    for edit in edit_list:
        if isinstance(edit, RenameUses):
            names[edit.old] = edit.new
        elif edit.index in touched:
            return None
        else:
            touched.add(edit.index)
            new_lines[edit.index] = edit.line
    renamed_lines = [_renamed(line, names) for line in new_lines if line is not None]
    return (
        _without_unused(renamed_lines)
        if names or any(isinstance(e, ReplaceLine) and e.line for e in edit_list)
        else renamed_lines
    )


def _renamed(line: Line, names: dict[str, str]) -> Line:
    if not names or not any(word in names for word in line.args):
        return line
    return line._replace(args=tuple(_final_name(word, names) for word in line.args))


def _final_name(word: str, names: dict[str, str]) -> str:
    """Follow a chain of renamings."""
    for _ in names:
        if word not in names:
            break
        word = names[word]
    return word


def _only_makes(line: Line) -> bool:
    return bool(line.results) and action_of(line).purpose in _MAKERS


def _without_unused(lines: list[Line]) -> list[Line]:
    """The lines without those that make a result which is not used."""
    used_names: set[str] = set()
    lines_kept: list[Line] = []
    for line in reversed(lines):
        if not _only_makes(line) or used_names & set(line.results):
            used_names.update(word for word in line.args if _NAME.match(word))
            lines_kept.append(line)
    return lines_kept[::-1]


def renumber(lines: Sequence[Line]) -> list[Line]:
    """Number sorts and terms from 1."""
    names: dict[str, str] = {}
    counts = {"s": 0, "t": 0}
    for line in lines:
        for name in line.results:
            counts[name[0]] += 1
            names[name] = f"{name[0]}{counts[name[0]]}"
    return [
        line._replace(
            args=tuple(names.get(word, word) for word in line.args),
            results=tuple(names[name] for name in line.results),
        )
        for line in lines
    ]


# -- passes ----------------------------------------------------------------------------------------


def remove_lines(view: TraceView) -> Iterator[Edit]:
    """Remove any line but the first, beginning at the end."""
    for index in range(len(view.lines) - 1, 0, -1):
        yield ReplaceLine(index)


def remove_unused(view: TraceView) -> Iterator[Edit]:
    """Remove lines whose result is not used."""
    results = {line.results for line in _without_unused(list(view.lines))}
    for index, line in enumerate(view.lines):
        if _only_makes(line) and line.results not in results:
            yield ReplaceLine(index)


def replace_terms(view: TraceView) -> Iterator[Edit]:
    """Replace a term by one of its arguments, by an earlier input or value, or by a small value."""
    for index, line in reversed(list(enumerate(view.lines))):
        entry = view.mirror.terms.get(line.results[0]) if line.results else None
        if entry is not None and entry.role == "term":
            sort = entry.sort
            arguments = [word for word in line.args[1:] if view.sort_of(word) is sort]
            for name in dict.fromkeys([*arguments, *_simple(view, sort, line.results[0])]):
                yield RenameUses(line.results[0], name)
            if (constant := view.mirror.name_of(sort)) is not None:
                for text in small_values(sort):
                    yield ReplaceLine(index, Line("value", (constant, text), line.results))


def _simple(view: TraceView, sort: Sort, before: str) -> list[str]:
    """The first input and the first value of a sort that are made before a term."""
    entries: dict[str, TermEntry] = {}
    for name, entry in view.mirror.terms.items():
        if name == before:
            break
        if entry.role in ("input", "value") and entry.sort is sort:
            entries.setdefault(entry.role, entry)
    return [entry.name for entry in entries.values()]


def merge_inputs(view: TraceView) -> Iterator[Edit]:
    """Replace inputs and values by the first one of their sort, and sorts by the first one of their kind."""
    first: dict[Sort, str] = {}
    for name, entry in view.mirror.terms.items():
        if entry.role in ("input", "value", "variable") and (entry.sort in first):
            yield RenameUses(name, first[entry.sort])
        elif entry.role in ("input", "value"):
            first[entry.sort] = name
    kinds: dict[str, str] = {}
    for name, sort in view.mirror.sorts.items():
        if sort.name in kinds:
            yield RenameUses(name, kinds[sort.name])
        kinds.setdefault(sort.name, name)
    for name in list(view.mirror.sorts)[1:]:
        yield RenameUses(name, next(iter(view.mirror.sorts)))


def shorten_lines(view: TraceView) -> Iterator[Edit]:
    """Remove arguments where the number is arbitrary."""
    for index, line in enumerate(view.lines):
        yield from (ReplaceLine(index, shorter) for shorter in action_of(line).shorter(line))


def simplify_lines(view: TraceView) -> Iterator[Edit]:
    """Simplify values, indices, sorts and variants, beginning at the end: values before their sorts."""
    for index, line in reversed(list(enumerate(view.lines))):
        yield from (ReplaceLine(index, simpler) for simpler in action_of(line).simpler(line, view.mirror))


TracePass: TypeAlias = Callable[[TraceView], Iterator[Edit]]
ALL: Final[tuple[TracePass, ...]] = (
    remove_lines,
    remove_unused,
    replace_terms,
    shorten_lines,
    merge_inputs,
    simplify_lines,
)
