"""Action: one kind of call, from drawing it to its place in a script."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from random import Random
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from falsum.api.model.mirror import Mirror
from falsum.api.trace import Line, Reply
from falsum.errors import UsageError

if TYPE_CHECKING:
    from falsum.api.actions.script_writer import ScriptWriter
    from falsum.api.model.capabilities import Capabilities


class Call(NamedTuple):
    """The call for a line: the binding's method, the kinds of its arguments and of its result, and what is
    recorded about the names of asserted terms. `Session` in `bindings/serve.py` defines the words for kinds.
    """

    method: str
    takes: str = ""
    gives: str = ""
    notes: str = ""


class Purpose(StrEnum):
    """What a call is for, which decides what a program for users and a smaller trace may leave out."""

    EFFECT = "effect"
    MAKER = "maker"  # only makes what its result names
    DEFINITION = "definition"  # the same, but the library remembers it
    QUESTION = "question"  # one call with the answer
    DISPLAY = "display"  # all its calls are shown


class Action:
    """One kind of call; the defaults are those of a call without arguments, reply or effect.

    `name` is its name in the state machine, `word` the first word of its lines. Several actions may draw
    lines with one word; one of them `applies` them. `call` is what the child does. `feature`: what the
    library must have. `has_reply`: its calls return something. `min_args` and `result_count` are the numbers
    of arguments and results of its lines; arguments from `optional_from` on may be left out. `is_stateful`:
    the verdicts of later checks depend on it. `is_portable`: other libraries have it as well.
    `script_option`: the option that SMT-LIB requires for it.
    """

    name: ClassVar[str] = ""
    word: ClassVar[str] = ""
    call: ClassVar[Call]
    feature: ClassVar[str] = ""
    has_reply: ClassVar[bool] = False
    applies: ClassVar[bool] = True
    min_args: ClassVar[int] = 0
    result_count: ClassVar[int] = 0
    optional_from: ClassVar[int | None] = None
    purpose: ClassVar[Purpose] = Purpose.EFFECT
    is_stateful: ClassVar[bool] = False
    is_portable: ClassVar[bool] = True
    script_option: ClassVar[str] = ""

    def is_ready(self, mirror: Mirror) -> bool:
        """Whether such a call is allowed now, with some arguments."""
        return not self.feature or mirror.has(self.feature)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        """Draw a line, or return None if there is nothing to do; does not change the mirror."""
        return Line(self.word)

    def awaits_reply(self, mirror: Mirror, line: Line) -> bool:
        """Whether `apply` depends on the reply; other replies are fetched and checked later.

        Raises UsageError if the library does not have the call.
        """
        return self.has_reply

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        """Update the mirror; raises UsageError for a line that is not valid (in an edited trace)."""

    def write(self, writer: ScriptWriter, line: Line) -> None:
        """Write the commands that do the same in a script."""

    def is_supported(self, line: Line, capabilities: Capabilities) -> bool:
        """Whether a library of another product has the call."""
        return self.is_portable and (not self.feature or capabilities.has(self.feature))

    def shorter(self, line: Line) -> Iterator[Line]:
        """The line with fewer arguments."""
        if self.optional_from is not None:
            for at in range(len(line.args) - 1, self.optional_from - 1, -1):
                yield line._replace(args=line.args[:at] + line.args[at + 1 :])

    def simpler(self, line: Line, mirror: Mirror) -> Iterator[Line]:
        """The line with simpler arguments, which may have another meaning."""
        if line.variant:  # 0 stands for the plainest call
            yield line._replace(variant=0)


def read_number(word: str) -> int:
    """Parse a number in a line; raises UsageError."""
    if not word.isdecimal():
        raise UsageError(f"invalid number {word!r}")
    return int(word)
