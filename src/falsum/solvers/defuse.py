"""Defused: a script made harmless before any solver sees it, with a record of what was changed.

Works on the text, command by command, because hostile scripts need not be well-formed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from falsum.smtlib.command_text import CHECK_COMMANDS, CommandText, split_commands

_VALUE = re.compile(r"\(\s*+set-option\s++(:[^\s()\"|;]++)\s*+(.*)\)\s*\Z", re.DOTALL)
_SUSPICIOUS = re.compile(r"set-option|include|exit|reset|echo")
_CHANNELS = re.compile(r":(?:regular|diagnostic)-output-channel|:(?:in|out|err)\Z")


@dataclass(frozen=True, slots=True)
class Defused:
    """`balanced`: every command is closed, so that what follows in a stream is read as a command."""

    pieces: tuple[CommandText, ...]
    changes: tuple[str, ...]
    balanced: bool

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def defuse(script: str) -> Defused:
    """Take out whatever would write to files, read files, end the session or flood the output."""
    pieces, balanced = split_commands(script)
    changes: list[str] = []
    if script.startswith("\ufeff"):
        pieces[0] = CommandText("", pieces[0].text[1:])
        changes.append("byte order mark removed")
    if not _SUSPICIOUS.search(script):
        return Defused(tuple(pieces), tuple(changes), balanced)
    kept: list[CommandText] = []
    checked = False
    for piece in pieces:
        if piece.name in {"exit", "reset"} and (checked or piece.name == "exit"):
            changes.append(f"({piece.name}) and what follows it removed")
            balanced = True
            break
        if piece.name == "reset":
            changes.append("(reset) and what precedes it removed")
            kept = []
        elif reason := _harm(piece):
            changes.append(reason)
        else:
            kept.append(piece)
            checked = checked or piece.name in CHECK_COMMANDS
    return Defused(tuple(kept), tuple(changes), balanced)


def _harm(piece: CommandText) -> str:
    """Why a command must not reach a solver; empty if it may."""
    if piece.name == "echo":
        return "(echo …) removed"
    if piece.name.startswith("include"):
        return "(include …) removed"
    if piece.name == "set-option" and (option := _VALUE.match(piece.text)):
        key, value = option[1], option[2].strip()
        # An option whose value is a string, or a symbol with a slash in it, names a file.
        if _CHANNELS.match(key) or value.startswith('"') or "/" in value:
            return f"(set-option {key} …) removed"
    return ""
