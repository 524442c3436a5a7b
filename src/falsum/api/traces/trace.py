"""Trace: the calls of one run, a line each, with what the library returned; plain text, never code.

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

`s1`, `t1` name what a line makes. Words are separated by single blanks; the last argument of `value` is the
rest of the line. `#17` at the end of a line is its own random number, for choices the binding makes (which
of two equal calls); a line without one has 0. `-> …` is what the call before returned, `-! …` the exception
it raised.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from falsum.errors import UsageError

_FIRST: Final = "# falsum trace 1"
_LINE: Final = re.compile(
    r"(?:(?P<made>[a-z]\d+(?: [a-z]\d+)*) = )?"
    r"(?P<word>[a-z][a-z-]*)(?: (?P<rest>.*?))??(?: #(?P<number>\d+))?\Z"
)
_HEADER: Final = re.compile(r"# ([a-z0-9-]+): (.*)\Z")
# Words whose last argument is text with blanks: how many arguments they have.
REST_OF_LINE: Final = {"value": 2}


class Line(NamedTuple):
    """One call: what it makes, the action's word, its arguments, its random number."""

    word: str
    args: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    number: int = 0

    def __str__(self) -> str:
        text = " ".join((self.word, *self.args))
        if self.made:
            text = f"{' '.join(self.made)} = {text}"
        return f"{text} #{self.number}" if self.number else text


class Reply(NamedTuple):
    """What a call came back with: text (empty for nothing), or an exception's class and message."""

    text: str = ""
    is_error: bool = False

    def __str__(self) -> str:
        return f"{'-!' if self.is_error else '->'} {self.text}"


OK: Final = Reply()


class Step(NamedTuple):
    """A line and what came back."""

    line: Line
    reply: Reply = OK


@dataclass(frozen=True, slots=True)
class Trace:
    """A whole run; `header` says what it was made with (solver, version, rng, theories)."""

    steps: tuple[Step, ...]
    header: dict[str, str] = field(default_factory=dict)

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(step.line for step in self.steps)

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in self._written())

    def _written(self) -> Iterator[str]:
        yield _FIRST
        for key, value in self.header.items():
            yield f"# {key}: {value}"
        for step in self.steps:
            yield str(step.line)
            if step.reply != OK:
                yield str(step.reply)


def read_line(text: str) -> Line:
    """The line a text is; raises UsageError."""
    found = _LINE.match(text)
    if found is None:
        raise UsageError(f"no line of a trace: {text[:80]}")
    rest = found["rest"] or ""
    most = REST_OF_LINE.get(found["word"], 0)
    args = tuple(rest.split(" ", most - 1) if most else rest.split(" ")) if rest else ()
    made = tuple(found["made"].split(" ")) if found["made"] else ()
    return Line(found["word"], args, made, int(found["number"] or 0))


def read_trace(text: str) -> Trace:
    """The trace a text is; raises UsageError with the number of the line that is wrong."""
    steps: list[Step] = []
    header: dict[str, str] = {}
    for number, row in enumerate(text.split("\n"), 1):
        if row.startswith("#"):
            if (named := _HEADER.match(row)) is not None:
                header[named[1]] = named[2]
        elif row.startswith(("->", "-!")):
            if not steps:
                raise UsageError(f"line {number}: a reply to nothing")
            steps[-1] = Step(steps[-1].line, Reply(row[3:], row[1] == "!"))
        elif row.strip():
            try:
                steps.append(Step(read_line(row)))
            except UsageError as error:
                raise UsageError(f"line {number}: {error}") from error
    return Trace(tuple(steps), header)


def from_lines(lines: Iterable[Line], header: dict[str, str] | None = None) -> Trace:
    """A trace that has not been run yet."""
    return Trace(tuple(Step(line) for line in lines), dict(header or {}))
