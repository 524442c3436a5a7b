"""The commands, one module each; a new one joins by a line in ALL.

Every module has a `command`. They are imported when they are first asked for, so that `falsum check` does not
wait for the solvers' libraries.
"""

from __future__ import annotations

from typing import Final

ALL: Final[tuple[str, ...]] = (
    "fuzz",
    "api",
    "mutate",
    "check",
    "print",
    "reduce",
    "eval",
    "solve",
    "replay",
    "findings",
    "bisect",
    "solvers",
)
