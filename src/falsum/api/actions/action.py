"""Action: what every one has in common."""

from __future__ import annotations

from random import Random
from typing import ClassVar, Protocol

from falsum.api.model.mirror import Mirror
from falsum.api.traces.trace import Line, Reply
from falsum.errors import UsageError


class Action(Protocol):
    """One kind of call.

    `name` is what the model calls it, `word` what its lines begin with; several actions may draw lines of one
    word, and one of them `applies` them. `asks`: its replies say something.
    `takes` and `makes`: how many arguments its lines have at least, and how many names they make.
    """

    name: ClassVar[str]
    word: ClassVar[str]
    asks: ClassVar[bool]
    applies: ClassVar[bool]
    takes: ClassVar[int]
    makes: ClassVar[int]

    def ready(self, mirror: Mirror) -> bool:
        """Whether such a call is allowed now, whatever its arguments."""
        ...

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        """A line, or None if there is nothing to do; changes nothing."""
        ...

    def waits(self, mirror: Mirror, line: Line) -> bool:
        """Whether what comes next depends on the reply; what does not is looked at later. Raises UsageError
        for a line this library does not have.
        """
        ...

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        """Write what happened into the mirror; raises UsageError for a line that cannot be (after an
        edit).
        """
        ...


class Call:
    """What most actions have: lines of their own name, no answer, always allowed, nothing to remember."""

    name: ClassVar[str] = ""
    word: ClassVar[str] = ""
    asks: ClassVar[bool] = False
    applies: ClassVar[bool] = True
    takes: ClassVar[int] = 0
    makes: ClassVar[int] = 0

    def ready(self, mirror: Mirror) -> bool:
        del mirror
        return True

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        del mirror, rng
        return Line(self.word)

    def waits(self, mirror: Mirror, line: Line) -> bool:
        del mirror, line
        return self.asks

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        """Nothing to remember."""


def number(word: str) -> int:
    """A number in a line; raises UsageError."""
    if not word.isdecimal():
        raise UsageError(f"{word} is no number")
    return int(word)
