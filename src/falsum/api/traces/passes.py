"""The passes of trace reduction: each proposes edits of lines; a new one joins by a line in ALL."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from falsum.api.model.values import read_value, small_values
from falsum.api.trace import Line
from falsum.errors import UsageError

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror, TermEntry
    from falsum.smtlib.sorts import Sort

_NAME: Final = re.compile(r"[st]\d+\Z")
_HEAD: Final = re.compile(r"([^\[]+)\[([\d,]+)\]\Z")
# Actions that only make a sort or term: lines whose result is not used can go.
_MAKERS: Final = frozenset(["sort", "declare-sort", "const", "var", "value", "special", "term", "define"])
_WIDTHS: Final = (1, 2, 3, 4, 8, 16)


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
    given = list(edits)
    changed: list[Line | None] = list(lines)
    names: dict[str, str] = {}
    touched: set[int] = set()
    for edit in given:
        if isinstance(edit, RenameUses):
            names[edit.old] = edit.new
        elif edit.index in touched:
            return None
        else:
            touched.add(edit.index)
            changed[edit.index] = edit.line
    kept = [_renamed(line, names) for line in changed if line is not None]
    return (
        _without_unused(kept) if names or any(isinstance(e, ReplaceLine) and e.line for e in given) else kept
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


def _without_unused(lines: list[Line]) -> list[Line]:
    """The lines without those that make a result which is not used."""
    used: set[str] = set()
    kept: list[Line] = []
    for line in reversed(lines):
        if line.word not in _MAKERS or used & set(line.results):
            used.update(word for word in line.args if _NAME.match(word))
            kept.append(line)
    return kept[::-1]


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
    kept = {line.results for line in _without_unused(list(view.lines))}
    for index, line in enumerate(view.lines):
        if line.word in _MAKERS and line.results not in kept:
            yield ReplaceLine(index)


def replace_terms(view: TraceView) -> Iterator[Edit]:
    """Replace a term by one of its arguments, by an earlier input or value, or by a small value."""
    for index, line in reversed(list(enumerate(view.lines))):
        if line.word in ("term", "extra") and line.results and (sort := view.sort_of(line.results[0])):
            arguments = [word for word in line.args[1:] if view.sort_of(word) is sort]
            for name in dict.fromkeys([*arguments, *_simple(view, sort, line.results[0])]):
                yield RenameUses(line.results[0], name)
            if (named := view.mirror.name_of(sort)) is not None:
                for text in small_values(sort):
                    yield ReplaceLine(index, Line("value", (named, text), line.results))


def _simple(view: TraceView, sort: Sort, before: str) -> list[str]:
    """The first input and the first value of a sort that are made before a term."""
    found: dict[str, TermEntry] = {}
    for name, entry in view.mirror.terms.items():
        if name == before:
            break
        if entry.role in ("input", "value") and entry.sort is sort:
            found.setdefault(entry.role, entry)
    return [entry.name for entry in found.values()]


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


def remove_arguments(view: TraceView) -> Iterator[Edit]:
    """Remove an argument where the number is arbitrary; push and pop one level."""
    for index, line in enumerate(view.lines):
        if line.word in ("check", "get-value", "term", "define"):
            first = 0 if line.word in ("check", "get-value") else 1
            if line.word == "term" and len(line.args) < 4:
                continue  # some programs reject `(and p)`
            for at in range(len(line.args) - 1, first - 1, -1):
                yield ReplaceLine(index, line._replace(args=line.args[:at] + line.args[at + 1 :]))
        if line.word in ("push", "pop") and line.args != ("1",):
            yield ReplaceLine(index, line._replace(args=("1",)))


def simplify_numbers(view: TraceView) -> Iterator[Edit]:
    """Set variants to 0, which stands for the plainest call, and indices to 0 or 1."""
    for index, line in enumerate(view.lines):
        if line.variant:
            yield ReplaceLine(index, line._replace(variant=0))
        head = _HEAD.match(line.args[0]) if line.word == "term" else None
        if head is not None:
            indices = head[2].split(",")
            for at, number in enumerate(indices):
                for small in ("0", "1"):
                    if int(number) > int(small):
                        text = ",".join([*indices[:at], small, *indices[at + 1 :]])
                        yield ReplaceLine(index, line._replace(args=(f"{head[1]}[{text}]", *line.args[1:])))


def simplify_values(view: TraceView) -> Iterator[Edit]:
    """Replace values and inputs by small values."""
    for index, line in enumerate(view.lines):
        if line.word in ("value", "special", "const"):
            sort = view.mirror.sorts.get(line.args[0])
            for text in small_values(sort) if sort is not None else ():
                if text != line.args[1]:
                    yield ReplaceLine(index, Line("value", (line.args[0], text), line.results))


def shrink_sorts(view: TraceView) -> Iterator[Edit]:
    """Make bit-vector and float sorts narrower."""
    for index, line in enumerate(view.lines):
        if line.word != "sort" or line.args[0] not in ("BitVec", "FloatingPoint"):
            continue
        if line.args[0] == "BitVec":
            for width in _WIDTHS:
                if width < int(line.args[1]):
                    yield ReplaceLine(index, line._replace(args=("BitVec", str(width))))
        else:
            for exponent, significand in view.mirror.float_formats:
                if exponent + significand < int(line.args[1]) + int(line.args[2]):
                    yield ReplaceLine(
                        index, line._replace(args=("FloatingPoint", str(exponent), str(significand)))
                    )


def write_as_decimals(view: TraceView) -> Iterator[Edit]:
    """Write bit-vector values as decimal numbers, which are valid for other widths as well."""
    for index, line in enumerate(view.lines):
        if line.word != "value" or not line.args[1].startswith("#"):
            continue
        try:
            read_value(view.mirror.sort(line.args[0]), line.args[1])
        except UsageError:
            continue
        number = int(line.args[1][2:], 2 if line.args[1][1] == "b" else 16)
        yield ReplaceLine(index, line._replace(args=(line.args[0], str(number))))


TracePass: TypeAlias = Callable[[TraceView], Iterator[Edit]]
ALL: Final[tuple[TracePass, ...]] = (
    remove_lines,
    remove_unused,
    replace_terms,
    remove_arguments,
    merge_inputs,
    simplify_values,
    write_as_decimals,
    shrink_sorts,
    simplify_numbers,
)
