"""Defused: a script made harmless before any solver sees it, with a record of what was changed.

Works on the text, command by command, because hostile scripts need not be well-formed: a scanner
that knows strings, quoted symbols, comments and parentheses, linear and without recursion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LANDMARK = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||;[^\n]*+|[()]|["|]')
_NAME = re.compile(r"\(\s*+([^\s()\"|;]*+)")
_VALUE = re.compile(r"\(\s*+set-option\s++(:[^\s()\"|;]++)\s*+(.*)\)\s*\Z", re.DOTALL)
_CHECKS = frozenset({"check-sat", "check-sat-assuming", "check-sat-using"})
_SUSPICIOUS = re.compile(r"set-option|include|exit|reset|echo")
_CHANNELS = re.compile(r":(?:regular|diagnostic)-output-channel|:(?:in|out|err)\Z")


@dataclass(frozen=True, slots=True)
class Piece:
    """One command, or (with an empty name) what stands between commands or never ends."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Defused:
    """`balanced`: every command is closed, so that what follows in a stream is read as a command."""

    pieces: tuple[Piece, ...]
    changes: tuple[str, ...]
    balanced: bool

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def defuse(script: str) -> Defused:
    """Take out whatever would write to files, read files, end the session or flood the output."""
    pieces, balanced = split(script)
    changes: list[str] = []
    if script.startswith("\ufeff"):
        pieces[0] = Piece("", pieces[0].text[1:])
        changes.append("byte order mark removed")
    if not _SUSPICIOUS.search(script):
        return Defused(tuple(pieces), tuple(changes), balanced)
    kept: list[Piece] = []
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
            checked = checked or piece.name in _CHECKS
    return Defused(tuple(kept), tuple(changes), balanced)


def _harm(piece: Piece) -> str:
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


def split(script: str) -> tuple[list[Piece], bool]:
    """The script as commands and what stands between them; joined, they are the script again."""
    pieces: list[Piece] = []
    depth = start = 0
    for landmark in _LANDMARK.finditer(script):
        mark = landmark[0]
        if mark == "(":
            if depth == 0:
                if landmark.start() > start:
                    pieces.append(Piece("", script[start : landmark.start()]))
                start = landmark.start()
            depth += 1
        elif mark == ")":
            depth -= 1
            if depth < 0:
                break
            if depth == 0:
                text = script[start : landmark.end()]
                name = _NAME.match(text)
                pieces.append(Piece(name[1] if name else "", text))
                start = landmark.end()
        elif mark in {'"', "|"}:  # opened and never closed
            depth += 1
            break
    if start < len(script):
        pieces.append(Piece("", script[start:]))
    return pieces, depth == 0
