"""Question: a script as one particular solver is asked it, in its dialect, with its extras."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from falsum.smtlib.command_text import CHECK_COMMANDS, CommandText
from falsum.solvers.defuse import defuse
from falsum.solvers.request import Want

if TYPE_CHECKING:
    from falsum.solvers.profiles.profile import Profile

_SCOPES = frozenset({"push", "pop", "check-sat-assuming", "reset-assertions"})
_STATUS = re.compile(r"\(\s*set-info\s+:status\b")
_WORD = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||;[^\n]*+|[^\s()"|;]++')
_SOURCE = r"\(\s*set-info\s+:\S+\s+\|[^|]*+\|\s*\)"  # often long, never of consequence
_LINE_END = re.compile(rf'{_SOURCE}|("(?:[^"]|"")*+"|\|[^|]*+\|)|;[^\n]*+|\s*\n\s*')
_ASSERTED = re.compile(r"\(\s*assert\b(.*)\)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Question:
    """`changes` says how the text differs from the script. `keepable`: a warm host may be asked, and is
    none the worse for it; `sticky`: settings that outlive a `(reset)`, so that only scripts with the
    same ones may share a host.
    """

    text: str
    changes: tuple[str, ...]
    incremental: bool
    keepable: bool
    sticky: tuple[str, ...]


def pose(script: str, profile: Profile, release: str, want: Want = Want.VERDICT) -> Question:
    """Defuse the script, write it in the release's dialect, and ask for what is wanted."""
    defused = defuse(script)
    pieces = list(defused.pieces)
    changes = list(defused.changes)
    if profile.strips_status and any(_STATUS.match(piece.text) for piece in pieces):
        pieces = [piece for piece in pieces if not _STATUS.match(piece.text)]
        changes.append("(set-info :status …) removed")
    if want is not Want.VERDICT:
        pieces = _asking_for(want, pieces)
        changes.append(f"asked for a {want}")
    omitted = profile.omitted(release)
    if omitted and any(piece.name in omitted for piece in pieces):
        pieces = [piece for piece in pieces if piece.name not in omitted]
        changes.append("commands its release does not know removed")
    incremental = _is_incremental(pieces)
    keepable = defused.balanced
    if profile.one_line and profile.staying(release):
        pieces = [_on_a_line(piece) for piece in pieces]
        keepable &= not any("\n" in piece.text[:-1] for piece in pieces)
    text = "".join(piece.text for piece in pieces)
    if incremental and profile.incremental_prefix:
        text = profile.incremental_prefix + text
    old_names = profile.old_names(release)
    if old_names:
        renamed = _WORD.sub(lambda word: old_names.get(word[0], word[0]), text)
        if renamed != text:
            changes.append("written with the operator names of its release")
            text = renamed
    keepable &= not (profile.cold_only and profile.cold_only.search(text))
    sticky = tuple(profile.sticky.findall(text)) if profile.sticky else ()
    return Question(text, tuple(changes), incremental, keepable, sticky)


def _on_a_line(piece: CommandText) -> CommandText:
    """The command without comments, on one line unless a string or a quoted name in it spans several."""
    return CommandText(piece.name, _LINE_END.sub(lambda found: found[1] or " ", piece.text).strip() + "\n")


def _is_incremental(pieces: list[CommandText]) -> bool:
    checks = 0
    for piece in pieces:
        checks += piece.name in CHECK_COMMANDS
        if piece.name in _SCOPES or checks > 1:
            return True
    return False


def _asking_for(want: Want, pieces: list[CommandText]) -> list[CommandText]:
    """The same commands, with the option in front and the request after the last check."""
    option = ":produce-models" if want is Want.MODEL else ":produce-unsat-cores"
    request = "get-model" if want is Want.MODEL else "get-unsat-core"
    asked = [CommandText("set-option", f"(set-option {option} true) ")]
    last = max((place for place, piece in enumerate(pieces) if piece.name in CHECK_COMMANDS), default=-1)
    named = 0
    for place, piece in enumerate(pieces):
        if piece.name == "set-option" and option in piece.text:
            continue
        if want is Want.CORE and piece.name == "assert":
            named += 1
            asked.append(_named(piece, named))
        else:
            asked.append(piece)
        if place == last:
            asked.append(CommandText(request, f" ({request})"))
    return asked


def _named(assertion: CommandText, number: int) -> CommandText:
    """`(assert F)` → `(assert (! F :named falsum!1))`; an annotated F keeps its own name."""
    asserted = _ASSERTED.match(assertion.text)
    if asserted is None or re.match(r"\s*\(\s*!", asserted[1]):
        return assertion
    return CommandText("assert", f"(assert (!{asserted[1]}\n :named falsum!{number}))")
