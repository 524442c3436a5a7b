"""One question instead of a conversation: levels and all checks but one go away."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Edit, Put, Several
from falsum.reducer.outline import Outline
from falsum.smtlib.scripts import Assert, CheckSat, CheckSatAssuming, Command, Plain, Pop, Push

_MOST_CHECKS = 16


class OneShot:
    """`(push 1) (assert p) (check-sat) (pop 1) (assert q) (check-sat)` → `(assert q) (check-sat)`.

    First each check with only the assertions in force there and no levels, the first and the last check
    first; then everything after a check; then pairs of push and pop with what is between them; then the
    pairs alone.
    """

    name = "one-shot"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        commands = outline.script.commands
        checks = [n for n, c in enumerate(commands) if isinstance(c, CheckSat | CheckSatAssuming)]
        pairs = list(_pairs(commands))
        order = list(dict.fromkeys([*checks[:1], *checks[-1:], *checks[1:_MOST_CHECKS]]))
        if len(checks) > 1 or any(isinstance(c, Push | Pop) for c in commands):
            for rank, check in enumerate(order):
                yield _dropped(outline, _outside(commands, check, checks, pairs), rank)
        for rank, check in enumerate(checks[:_MOST_CHECKS]):
            if check + 1 < len(commands):
                yield _dropped(outline, range(check + 1, len(commands)), 100 + rank)
        for push, pop in pairs:
            yield _dropped(outline, range(push, pop + 1), 200)
        for push, pop in pairs:
            yield _dropped(outline, (push, pop), 201)


def _dropped(outline: Outline, numbers: range | tuple[int, ...] | list[int], rank: int) -> Edit:
    return Several(tuple(Put(outline.commands[number]) for number in numbers), rank)


def _pairs(commands: tuple[Command, ...]) -> Iterator[tuple[int, int]]:
    """Pushes and the pops that undo them, where both are of one level; an unmatched push is its own pop."""
    stack: list[int] = []
    for number, command in enumerate(commands):
        if isinstance(command, Plain) and command.word == "reset":
            stack.clear()
        elif isinstance(command, Push) and command.levels == 1:
            stack.append(number)
        elif isinstance(command, Push | Pop):
            if isinstance(command, Pop) and command.levels == 1 and stack:
                yield stack.pop(), number
            else:
                stack.clear()
    yield from ((number, number) for number in stack)


def _outside(
    commands: tuple[Command, ...], check: int, checks: list[int], pairs: list[tuple[int, int]]
) -> list[int]:
    """What is not in force at a check: popped levels, other checks, all levels, all that follows."""
    popped = [range(push, pop) for push, pop in pairs if pop < check and pop > push]
    gone = []
    for number, command in enumerate(commands):
        levels = isinstance(command, Push | Pop)
        hidden = any(number in span for span in popped) and isinstance(command, Assert)
        if number > check or levels or hidden or (number in checks and number != check):
            gone.append(number)
    return gone
