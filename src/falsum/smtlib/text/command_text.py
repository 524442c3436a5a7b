"""The text of a script cut into commands, without reading them: for scripts that may not be well-formed.

The scanner knows strings, quoted symbols, comments and parentheses; it is linear and does not recurse.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final

# The commands a solver answers with a verdict; `check-sat-using` is z3's.
CHECK_COMMANDS: Final = frozenset({"check-sat", "check-sat-assuming", "check-sat-using"})
_LANDMARK: Final = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||;[^\n]*+|[()]|["|]')
# Texts that are longer are not kept for the next mutant.
MAX_KEPT: Final = 4096
_ASIDE: Final = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||;[^\n]*+')
_NO_PARENTHESES: Final = bytes(byte for byte in range(256) if byte not in b"()")
_STEPS: Final = {ord("("): 1, ord(")"): -1}
_NAME: Final = re.compile(r"\(\s*+([^\s()\"|;]*+)")


@dataclass(frozen=True, slots=True)
class CommandText:
    """One command as written; with an empty name, text between commands, or text that never ends."""

    name: str
    text: str


def split_commands(script: str) -> tuple[list[CommandText], bool]:
    """The commands of a script and the text between them, and whether all parentheses are closed.

    Joined together, the texts are the script.
    """
    commands, balanced = _split(script)
    return list(commands), balanced


@lru_cache(maxsize=8)
def _split(script: str) -> tuple[tuple[CommandText, ...], bool]:
    """Split a script, with a cache, since several solvers and oracles get the same script.

    Most commands begin a line, and mutants of a seed share most of them, so each such part is split and
    cached separately.
    """
    commands: list[CommandText] = []
    start, end = 0, _next_part(script, 0)
    while start < len(script):
        text = script[start:end]
        part, balanced = _scan_once(text) if len(text) <= MAX_KEPT else _scan(text)
        if not balanced and end < len(script):  # the part ends inside a command
            end = _end_of_command(script, start)
            part, balanced = _scan(script[start:end])
        if not balanced and end < len(script):
            end = len(script)
            part, balanced = _scan(script[start:])
        commands += part
        if not balanced:
            return tuple(commands), False
        start, end = end, _next_part(script, end)
    return tuple(commands), True


def _next_part(script: str, start: int) -> int:
    """The start of the next line that begins with a parenthesis; the end if there is none."""
    return script.find("\n(", start) + 1 or len(script)


def _end_of_command(script: str, start: int) -> int:
    """The end of the part that ends with this command; the end of the script if that is not obvious."""
    depth, end = 0, start
    while end < len(script):
        begin, end = end, _next_part(script, end)
        bare = _without_quoted(script[begin:end])
        if bare is None:  # a string or a quoted symbol goes on in the next part
            return len(script)
        depth += bare.count("(") - bare.count(")")
        if depth <= 0:
            return end
    return end


def _without_quoted(text: str) -> str | None:
    """The text without strings, quoted symbols and comments; None if one of them is not closed."""
    if "|" in text or '"' in text or ";" in text:
        text = _ASIDE.sub("", text)
    return None if "|" in text or '"' in text else text


def _scan(script: str) -> tuple[tuple[CommandText, ...], bool]:
    return _one_command(script) or _commands(script)


def _one_command(script: str) -> tuple[tuple[CommandText, ...], bool] | None:
    """The result of `_commands` for a text with a single command, found faster; None for other texts."""
    end = script.rfind(")") + 1
    if not script.startswith("(") or ";" in script or script[end:].strip():
        return None
    bare = _without_quoted(script)
    if bare is None:
        return None
    parentheses = bare.encode(errors="surrogatepass").translate(None, _NO_PARENTHESES)
    depths = list(accumulate(map(_STEPS.__getitem__, parentheses)))
    if depths[-1] or 0 in depths[:-1]:
        return None
    text = script[:end]
    name = _NAME.match(text)
    command = CommandText(name[1] if name else "", text)
    space = script[end:]
    return ((command, CommandText("", space)) if space else (command,)), True


def _commands(script: str) -> tuple[tuple[CommandText, ...], bool]:
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
