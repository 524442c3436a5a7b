"""Action: one kind of call."""

from __future__ import annotations

from random import Random
from typing import ClassVar, Protocol

from falsum.api.model.mirror import Mirror
from falsum.api.trace import Line, Reply
from falsum.errors import UsageError


class Action(Protocol):
    """One kind of call.

    `name` is its name in the state machine, `word` the first word of its lines. Several actions may draw
    lines with one word; one of them `applies` them. `has_reply`: its calls return something. `min_args` and
    `result_count` are the numbers of arguments and results of its lines.
    """

    name: ClassVar[str]
    word: ClassVar[str]
    has_reply: ClassVar[bool]
    applies: ClassVar[bool]
    min_args: ClassVar[int]
    result_count: ClassVar[int]

    def is_ready(self, mirror: Mirror) -> bool:
        """Whether such a call is allowed now, with some arguments."""
        ...

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        """Draw a line, or return None if there is nothing to do; does not change the mirror."""
        ...

    def awaits_reply(self, mirror: Mirror, line: Line) -> bool:
        """Whether `apply` depends on the reply; other replies are fetched and checked later.

        Raises UsageError if the library does not have the call.
        """
        ...

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        """Update the mirror; raises UsageError for a line that is not valid (in an edited trace)."""
        ...


class SimpleAction:
    """The defaults of most actions: always ready, lines without arguments, no reply, no effect."""

    name: ClassVar[str] = ""
    word: ClassVar[str] = ""
    has_reply: ClassVar[bool] = False
    applies: ClassVar[bool] = True
    min_args: ClassVar[int] = 0
    result_count: ClassVar[int] = 0

    def is_ready(self, mirror: Mirror) -> bool:
        del mirror
        return True

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        del mirror, rng
        return Line(self.word)

    def awaits_reply(self, mirror: Mirror, line: Line) -> bool:
        del mirror, line
        return self.has_reply

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        """Leave the mirror as it is."""


def read_number(word: str) -> int:
    """Parse a number in a line; raises UsageError."""
    if not word.isdecimal():
        raise UsageError(f"invalid number {word!r}")
    return int(word)
