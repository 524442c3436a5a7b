"""Shrinking: what may be tried to make a trace smaller; each pass proposes edits of its lines.

    Edit = Put (a line becomes another, or none) | Rename (one term or sort takes another's place)

A new pass joins by a line in ALL.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from falsum.api.model.values import read_value
from falsum.api.traces.trace import Line
from falsum.errors import UsageError

if TYPE_CHECKING:
    from falsum.api.model.mirror import Known, Mirror
    from falsum.smtlib.sorts import Sort

_NAME: Final = re.compile(r"[st]\d+\Z")
_HEAD: Final = re.compile(r"([^\[]+)\[([\d,]+)\]\Z")
_SMALL: Final[dict[str, tuple[str, ...]]] = {
    "Bool": ("true", "false"),
    "Int": ("0", "1"),
    "Real": ("0", "1"),
    "BitVec": ("0", "1"),
    "String": ('""', '"a"'),
    "RoundingMode": ("RNE",),
}
# Words whose lines only make something: without a use they are for nothing.
_MAKING: Final = frozenset(["sort", "declare-sort", "const", "var", "value", "special", "term", "define"])
_WIDTHS: Final = (1, 2, 3, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class Put:
    """The line at a place becomes another, or goes away."""

    place: int
    line: Line | None = None


@dataclass(frozen=True, slots=True)
class Rename:
    """Wherever lines use the first name, they use the second one."""

    old: str
    new: str


Edit: TypeAlias = Put | Rename


@dataclass(frozen=True, slots=True)
class Picture:
    """Lines, and what they come to."""

    lines: tuple[Line, ...]
    mirror: Mirror

    def sort_of(self, name: str) -> Sort | None:
        known = self.mirror.terms.get(name)
        return None if known is None or known.role == "function" else known.sort


def edited(lines: Sequence[Line], edits: Iterable[Edit]) -> list[Line] | None:
    """The lines with these edits made and without what is then for nothing; None if two are at odds."""
    given = list(edits)
    changed: list[Line | None] = list(lines)
    names: dict[str, str] = {}
    touched: set[int] = set()
    for edit in given:
        if isinstance(edit, Rename):
            names[edit.old] = edit.new
        elif edit.place in touched:
            return None
        else:
            touched.add(edit.place)
            changed[edit.place] = edit.line
    kept = [_renamed(line, names) for line in changed if line is not None]
    return _used(kept) if names or any(isinstance(e, Put) and e.line for e in given) else kept


def _renamed(line: Line, names: dict[str, str]) -> Line:
    if not names or not any(word in names for word in line.args):
        return line
    return line._replace(args=tuple(_last(word, names) for word in line.args))


def _last(word: str, names: dict[str, str]) -> str:
    for _ in names:
        if word not in names:
            break
        word = names[word]
    return word


def _used(lines: list[Line]) -> list[Line]:
    used: set[str] = set()
    kept: list[Line] = []
    for line in reversed(lines):
        if line.word not in _MAKING or used & set(line.made):
            used.update(word for word in line.args if _NAME.match(word))
            kept.append(line)
    return kept[::-1]


def tidied(lines: Sequence[Line]) -> list[Line]:
    """Names counted anew from 1."""
    names: dict[str, str] = {}
    counts = {"s": 0, "t": 0}
    for line in lines:
        for made in line.made:
            counts[made[0]] += 1
            names[made] = f"{made[0]}{counts[made[0]]}"
    return [
        line._replace(
            args=tuple(names.get(word, word) for word in line.args),
            made=tuple(names[made] for made in line.made),
        )
        for line in lines
    ]


# -- passes ----------------------------------------------------------------------------------------


def drop_lines(picture: Picture) -> Iterator[Edit]:
    """All but the first line, from the end: what nobody asks for any more goes first."""
    for place in range(len(picture.lines) - 1, 0, -1):
        yield Put(place)


def drop_useless(picture: Picture) -> Iterator[Edit]:
    """What is made and used by nobody."""
    kept = {line.made for line in _used(list(picture.lines))}
    for place, line in enumerate(picture.lines):
        if line.word in _MAKING and line.made not in kept:
            yield Put(place)


def replace_terms(picture: Picture) -> Iterator[Edit]:
    """A term's place is taken by one of its arguments, or by something simple made before it."""
    for place, line in reversed(list(enumerate(picture.lines))):
        if line.word in ("term", "extra") and line.made and (sort := picture.sort_of(line.made[0])):
            arguments = [word for word in line.args[1:] if picture.sort_of(word) is sort]
            for name in dict.fromkeys([*arguments, *_simple(picture, sort, line.made[0])]):
                yield Rename(line.made[0], name)
            if (named := picture.mirror.name_of(sort)) is not None:
                for text in _SMALL.get(sort.name, ()):
                    yield Put(place, Line("value", (named, text), line.made))


def _simple(picture: Picture, sort: Sort, before: str) -> list[str]:
    """The first input and the first value of a sort that are there before a term."""
    found: dict[str, Known] = {}
    for name, known in picture.mirror.terms.items():
        if name == before:
            break
        if known.role in ("input", "value") and known.sort is sort:
            found.setdefault(known.role, known)
    return [known.name for known in found.values()]


def merge_inputs(picture: Picture) -> Iterator[Edit]:
    """Every input or value becomes the first one of its sort; every sort the first of its kind."""
    first: dict[Sort, str] = {}
    for name, known in picture.mirror.terms.items():
        if known.role in ("input", "value", "variable") and (known.sort in first):
            yield Rename(name, first[known.sort])
        elif known.role in ("input", "value"):
            first[known.sort] = name
    kinds: dict[str, str] = {}
    for name, sort in picture.mirror.sorts.items():
        if sort.name in kinds:
            yield Rename(name, kinds[sort.name])
        kinds.setdefault(sort.name, name)
    for name in list(picture.mirror.sorts)[1:]:
        yield Rename(name, next(iter(picture.mirror.sorts)))


def drop_arguments(picture: Picture) -> Iterator[Edit]:
    """One argument less where there may be any number; fewer levels."""
    for place, line in enumerate(picture.lines):
        if line.word in ("check", "get-value", "term", "define"):
            first = 0 if line.word in ("check", "get-value") else 1
            if line.word == "term" and len(line.args) < 4:
                continue  # some programs do not take `(and p)`
            for at in range(len(line.args) - 1, first - 1, -1):
                yield Put(place, line._replace(args=line.args[:at] + line.args[at + 1 :]))
        if line.word in ("push", "pop") and line.args != ("1",):
            yield Put(place, line._replace(args=("1",)))


def simplify_numbers(picture: Picture) -> Iterator[Edit]:
    """Without a random number of its own a line makes the plainest of equal calls; indices become 0 or 1."""
    for place, line in enumerate(picture.lines):
        if line.number:
            yield Put(place, line._replace(number=0))
        head = _HEAD.match(line.args[0]) if line.word == "term" else None
        if head is not None:
            indices = head[2].split(",")
            for at, number in enumerate(indices):
                for small in ("0", "1"):
                    if int(number) > int(small):
                        text = ",".join([*indices[:at], small, *indices[at + 1 :]])
                        yield Put(place, line._replace(args=(f"{head[1]}[{text}]", *line.args[1:])))


def simplify_values(picture: Picture) -> Iterator[Edit]:
    """Values become small ones, and so do inputs."""
    for place, line in enumerate(picture.lines):
        if line.word in ("value", "special", "const"):
            sort = picture.mirror.sorts.get(line.args[0])
            for text in _SMALL.get(sort.name, ()) if sort is not None else ():
                if text != line.args[1]:
                    yield Put(place, Line("value", (line.args[0], text), line.made))


def shrink_sorts(picture: Picture) -> Iterator[Edit]:
    """Narrower bit-vectors and floats, one sort at a time, values cut to fit."""
    for place, line in enumerate(picture.lines):
        if line.word != "sort" or line.args[0] not in ("BitVec", "FloatingPoint"):
            continue
        if line.args[0] == "BitVec":
            for width in _WIDTHS:
                if width < int(line.args[1]):
                    yield Put(place, line._replace(args=("BitVec", str(width))))
        else:
            for exponent, significand in picture.mirror.capabilities.float_formats:
                if exponent + significand < int(line.args[1]) + int(line.args[2]):
                    yield Put(place, line._replace(args=("FloatingPoint", str(exponent), str(significand))))


def write_plainly(picture: Picture) -> Iterator[Edit]:
    """Bit-vector values as decimal numbers, which fit other widths as well."""
    for place, line in enumerate(picture.lines):
        if line.word != "value" or not line.args[1].startswith("#"):
            continue
        try:
            read_value(picture.mirror.sort(line.args[0]), line.args[1])
        except UsageError:
            continue
        number = int(line.args[1][2:], 2 if line.args[1][1] == "b" else 16)
        yield Put(place, line._replace(args=(line.args[0], str(number))))


Shrinker: TypeAlias = Callable[[Picture], Iterator[Edit]]
ALL: Final[tuple[Shrinker, ...]] = (
    drop_lines,
    drop_useless,
    replace_terms,
    drop_arguments,
    merge_inputs,
    simplify_values,
    write_plainly,
    shrink_sorts,
    simplify_numbers,
)
