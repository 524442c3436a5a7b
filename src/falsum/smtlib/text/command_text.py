"""The text of a script cut into commands, without reading them: for scripts that may not be well-formed.

The scanner knows strings, quoted symbols, comments and parentheses; it is linear and does not recurse.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

# The commands a solver answers with a verdict; `check-sat-using` is z3's.
CHECK_COMMANDS: Final = frozenset({"check-sat", "check-sat-assuming", "check-sat-using"})
_LANDMARK: Final = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||;[^\n]*+|[()]|["|]')
# Texts that are longer are not kept for the next mutant.
MAX_KEPT: Final = 4096
_NAME: Final = re.compile(r"\(\s*+([^\s()\"|;]*+)")


@dataclass(frozen=True, slots=True)
class CommandText:
    """One command as written, or, with an empty name, text between commands or text that never ends."""

    name: str
    text: str


def split_commands(script: str) -> tuple[list[CommandText], bool]:
    """The commands of a script and the text between them, and whether all parentheses are closed.

    The texts joined are the script again.
    """
    commands, balanced = _split(script)
    return list(commands), balanced


@lru_cache(maxsize=8)
def _split(script: str) -> tuple[tuple[CommandText, ...], bool]:
    """Cached, since several solvers and oracles get one script.

    Most commands begin a line, and mutants of a seed have most of them in common: so each such part is split
    by itself, and what came of it is kept.
    """
    commands: list[CommandText] = []
    start, end = 0, _next_part(script, 0)
    while start < len(script):
        text = script[start:end]
        part, balanced = _scan_once(text) if len(text) <= MAX_KEPT else _scan(text)
        if not balanced and end < len(script):  # the part ends inside a command
            part, balanced = _scan(script[start:])
            end = len(script)
        commands += part
        if not balanced:
            return tuple(commands), False
        start, end = end, _next_part(script, end)
    return tuple(commands), True


def _next_part(script: str, start: int) -> int:
    """Where the next line begins with a parenthesis; the end if none does."""
    return script.find("\n(", start) + 1 or len(script)


def _scan(script: str) -> tuple[tuple[CommandText, ...], bool]:
    commands: list[CommandText] = []
    depth = start = 0
    for landmark in _LANDMARK.finditer(script):
        mark = landmark[0]
        if mark == "(":
            if depth == 0:
                if landmark.start() > start:
                    commands.append(CommandText("", script[start : landmark.start()]))
                start = landmark.start()
            depth += 1
        elif mark == ")":
            depth -= 1
            if depth < 0:
                break
            if depth == 0:
                text = script[start : landmark.end()]
                name = _NAME.match(text)
                commands.append(CommandText(name[1] if name else "", text))
                start = landmark.end()
        elif mark in {'"', "|"}:  # opened and never closed
            depth += 1
            break
    if start < len(script):
        commands.append(CommandText("", script[start:]))
    return tuple(commands), depth == 0


_scan_once = lru_cache(maxsize=2048)(_scan)


def until_check(script: str, check: int) -> str:
    """The text of a script up to its check with this number, from 0; all of it if there are fewer."""
    commands, _balanced = _split(script)
    seen = -1
    for place, command in enumerate(commands):
        seen += command.name in CHECK_COMMANDS
        if seen == check:
            return "".join(each.text for each in commands[: place + 1])
    return script
