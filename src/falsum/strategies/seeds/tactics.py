"""Tactics to check with: `check-sat-using` in place of `check-sat`, for solvers that have tactics."""

from __future__ import annotations

from typing import Final

from falsum.smtlib.text.command_text import split_commands
from falsum.solvers.lab import Lab
from falsum.solvers.names import profile_of

CHECK: Final = "(check-sat)"


def tactics_of(lab: Lab | None, words: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The tactics of a lab's solvers; the given ones instead, unless no solver has tactics."""
    if lab is None:
        return words
    tactics = tuple(dict.fromkeys(tactic for name in lab.solvers for tactic in profile_of(name).tactics))
    return words if words and tactics else tactics


def check_with(tactic: str) -> str:
    return f"(check-sat-using {tactic})"


def with_tactic(text: str, tactic: str) -> str:
    """A script whose plain checks use a tactic."""
    commands, _balanced = split_commands(text)
    return "".join(check_with(tactic) if one.name == "check-sat" else one.text for one in commands)
