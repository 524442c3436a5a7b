"""Trace: the calls of one run, one per line, with their results; plain text, never code.

    # falsum trace 1
    # solver: bitwuzla@0.9.1
    # rng: 42
    s1 = sort BitVec 8
    t1 = const s1 x
    t2 = value s1 #x0f
    t3 = term bvult t1 t2 #17
    assert t3
    check
    -> sat

`s1` and `t1` name the sorts and terms that lines make. Words are separated by single blanks; the last
argument of `value` and `const` is the rest of the line. `#17` at the end of a line is its variant, a random
number by which the binding chooses between equivalent calls; the default is 0. `-> …` is what the call before
returned, `-! …` the exception it raised.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from falsum.errors import UsageError

_FIRST_LINE: Final = "# falsum trace 1"
_LINE: Final = re.compile(
    r"(?:(?P<results>[a-z]\d+(?: [a-z]\d+)*) = )?"
    r"(?P<word>[a-z][a-z-]*)(?: (?P<rest>.*?))??(?: #(?P<variant>\d+))?\Z"
)
_HEADER: Final = re.compile(r"# ([a-z0-9-]+): (.*)\Z")
# Actions whose last argument may contain blanks, with their number of arguments.
REST_OF_LINE: Final = {"value": 2, "const": 2}


class Line(NamedTuple):
    """One call: the action's word, its arguments, the names of its results, and the variant."""

    word: str
    args: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    variant: int = 0

    def __str__(self) -> str:
        text = " ".join((self.word, *self.args))
        if self.results:
            text = f"{' '.join(self.results)} = {text}"
        return f"{text} #{self.variant}" if self.variant else text


class Reply(NamedTuple):
    """The result of a call: text (empty for none), or an exception's class and message."""

    text: str = ""
    is_error: bool = False

    def __str__(self) -> str:
        return f"{'-!' if self.is_error else '->'} {self.text}"


OK: Final = Reply()


class Step(NamedTuple):
    """A line and the reply to it."""

    line: Line
    reply: Reply = OK


@dataclass(frozen=True, slots=True)
class Trace:
    """A whole run; `header` says how it was made (solver, version, rng, theories)."""

    steps: tuple[Step, ...]
    header: dict[str, str] = field(default_factory=dict)

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(step.line for step in self.steps)

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in self._rows())

    def _rows(self) -> Iterator[str]:
        yield _FIRST_LINE
        for key, value in self.header.items():
            yield f"# {key}: {value}"
        for step in self.steps:
            yield str(step.line)
            if step.reply != OK:
                yield str(step.reply)


def read_line(text: str) -> Line:
    """Parse a line; raises UsageError."""
    match = _LINE.match(text)
    if match is None:
        raise UsageError(f"invalid trace line: {text[:80]}")
    rest = match["rest"] or ""
    arg_count = REST_OF_LINE.get(match["word"], 0)
    args = tuple(rest.split(" ", arg_count - 1) if arg_count else rest.split(" ")) if rest else ()
    results = tuple(match["results"].split(" ")) if match["results"] else ()
    return Line(match["word"], args, results, int(match["variant"] or 0))


def read_trace(text: str) -> Trace:
    """Parse a trace; raises UsageError with the number of the invalid line."""
    steps: list[Step] = []
    header: dict[str, str] = {}
    for number, row in enumerate(text.split("\n"), 1):
        if row.startswith("#"):
            if (match := _HEADER.match(row)) is not None:
                header[match[1]] = match[2]
        elif row.startswith(("->", "-!")):
            if not steps:
                raise UsageError(f"line {number}: a reply without a call before it")
            steps[-1] = Step(steps[-1].line, Reply(row[3:], row[1] == "!"))
        elif row.strip():
            try:
                steps.append(Step(read_line(row)))
            except UsageError as error:
                raise UsageError(f"line {number}: {error}") from error
    return Trace(tuple(steps), header)


def from_lines(lines: Iterable[Line], header: dict[str, str] | None = None) -> Trace:
    """A trace without replies."""
    return Trace(tuple(Step(line) for line in lines), dict(header or {}))
