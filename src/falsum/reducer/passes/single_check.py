"""Turns an incremental script into one with a single check and no push levels."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Compound, Edit, ReplaceCommand
from falsum.reducer.outline import Outline
from falsum.smtlib.scripts import Assert, CheckSat, CheckSatAssuming, Command, Plain, Pop, Push

_MAX_CHECKS = 16


class SingleCheck:
    """`(push 1) (assert p) (check-sat) (pop 1) (assert q) (check-sat)` → `(assert q) (check-sat)`.

    Tries, in this order: one check with the assertions active there and no levels, the first and the last
    check before the others; dropping everything after a check; dropping a push, its pop and all commands in
    between; dropping only the push and its pop.
    """

    name = "single-check"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        commands = outline.script.commands
        checks = [n for n, c in enumerate(commands) if isinstance(c, CheckSat | CheckSatAssuming)]
        pairs = list(_pairs(commands))
        order = list(dict.fromkeys([*checks[:1], *checks[-1:], *checks[1:_MAX_CHECKS]]))
        if len(checks) > 1 or any(isinstance(c, Push | Pop) for c in commands):
            for rank, check in enumerate(order):
                yield _dropped(outline, _inactive(commands, check, checks, pairs), rank)
        for rank, check in enumerate(checks[:_MAX_CHECKS]):
            if check + 1 < len(commands):
                yield _dropped(outline, range(check + 1, len(commands)), 100 + rank)
        for push, pop in pairs:
            yield _dropped(outline, range(push, pop + 1), 200)
        for push, pop in pairs:
            yield _dropped(outline, (push, pop), 201)


def _dropped(outline: Outline, numbers: range | tuple[int, ...] | list[int], rank: int) -> Edit:
    return Compound(tuple(ReplaceCommand(outline.commands[number]) for number in numbers), rank)


def _pairs(commands: tuple[Command, ...]) -> Iterator[tuple[int, int]]:
    """Each push of one level with its matching pop; an unmatched push is paired with itself."""
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


def _inactive(
    commands: tuple[Command, ...], check: int, checks: list[int], pairs: list[tuple[int, int]]
) -> list[int]:
    """The commands without effect on a check: popped assertions, other checks, levels, and everything after
    it.
    """
    popped = [range(push, pop) for push, pop in pairs if pop < check and pop > push]
    inactive = []
    for number, command in enumerate(commands):
        levels = isinstance(command, Push | Pop)
        hidden = any(number in span for span in popped) and isinstance(command, Assert)
        if number > check or levels or hidden or (number in checks and number != check):
            inactive.append(number)
    return inactive
