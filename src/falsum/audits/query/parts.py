"""Part: the text of a query between two resets: its checks one by one, and everything else.

Queries are cut as text and not parsed: they may be large, and may use extensions of one product.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from falsum.smtlib.text.command_text import CHECK_COMMANDS, CommandText, split_commands

# Commands that print, and change nothing.
_PRINTS: Final = frozenset(
    "echo get-value get-assertions get-assignment get-info get-option get-proof get-model get-unsat-core "
    "get-unsat-assumptions simplify eval display labels get-objectives".split()
)
_CHECK: Final = "check-sat"
_RESET: Final = "\n(reset)"
_PLAIN: Final = re.compile(r"set-logic|declare-|define-|assert|push|pop|check-sat|reset-assertions")
_DEFAULT_NUMBERS: Final = {"push": 1, "pop": 1, "declare-sort": 0}
_NUMBERLESS: Final = re.compile(r"\(\s*(?:push|pop|declare-sort\s+(?:\|[^|]*+\||[^\s()|\";]++))\s*\)")
# Symbols of solvers' own; a query that declares one is rejected by some.
_RESERVED: Final = re.compile(r"""("(?:[^"]|"")*+"|\|[^|]*+\||;[^\n]*+)|(?<![^\s()])([@.][^\s()"|;]++)""")
_PREFIX: Final = "reserved"
_STANDARD_OPTION: Final = re.compile(r"\(\s*set-option\s+:(?:produce-|global-declarations)")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a query. `commands` are those between two resets, `text` is the same as text; `first` is the
    number of its first check in the query, from 0.
    """

    commands: tuple[CommandText, ...]
    first: int
    text: str

    @property
    def checks(self) -> list[int]:
        """The places of the checks among the commands."""
        return [place for place, each in enumerate(self.commands) if each.name in CHECK_COMMANDS]

    def rest(self, check: int) -> str:
        """The text without the checks before this one, and without what they print."""
        if not check:
            return self.text
        return _joined((*self._before(check), *self.commands[self.checks[check] :]))

    def alone(self, check: int) -> str:
        """The text with this check only, without requests."""
        return _joined((*self._before(check), self.commands[self.checks[check]]))

    def _before(self, check: int) -> list[CommandText]:
        """The commands before a check, without other checks and commands that print."""
        earlier = self.commands[: self.checks[check]]
        return [each for each in earlier if each.name not in CHECK_COMMANDS and each.name not in _PRINTS]


def parts_of(script: str) -> list[Part]:
    """The parts of a query that have checks; text after `(exit)` is ignored."""
    parts: list[Part] = []
    commands: list[CommandText] = []
    count = 0

    def close(text: str) -> None:
        nonlocal count
        part = Part(tuple(commands), count, text)
        if part.checks:
            parts.append(part)
            count += len(part.checks)
        commands.clear()

    script = _without_rest(script)
    whole = split_commands(script)[0]
    for command in whole:
        if command.name == "exit":
            break
        if command.name == "reset":
            close(_joined(commands))
        else:
            commands.append(command)
    # A text that is one part is kept as it is: whoever splits it again need not.
    close(script if len(commands) == len(whole) else _joined(commands))
    return parts


def _without_rest(script: str) -> str:
    """The script up to the next `(reset)` after its last check."""
    reset = script.find(_RESET, script.rfind(_CHECK))
    if reset < 0 or _CHECK in script[reset:]:
        return script
    return script[: reset + 1]


def plain(text: str) -> str:
    """The text without requests and options of one product; with the numbers that z3 lets one leave out and
    other names for reserved symbols, both of which F* writes.
    """
    commands = split_commands(text)[0]
    chosen = [c for c in commands if _PLAIN.match(c.name) or _STANDARD_OPTION.match(c.text)]
    joined = _joined(map(_with_number, chosen))
    return _RESERVED.sub(lambda found: found[1] or f"{_PREFIX}{found[2]}", joined)


def _with_number(command: CommandText) -> CommandText:
    """`(push)` as `(push 1)`, `(declare-sort S)` as `(declare-sort S 0)`; other commands as they are."""
    number = _DEFAULT_NUMBERS.get(command.name)
    if number is None or not _NUMBERLESS.fullmatch(command.text):
        return command
    return CommandText(command.name, f"{command.text[:-1].rstrip()} {number})")


def _joined(commands: Iterable[CommandText]) -> str:
    return "\n".join(each.text.strip() for each in commands if each.text.strip()) + "\n"
