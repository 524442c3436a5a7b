"""The commands, one module each; a new one joins by a line in ALL.

Every module has a `command`. Modules are imported on demand, so that `falsum check` starts quickly.
"""

from __future__ import annotations

from typing import Final

ALL: Final[tuple[str, ...]] = (
    "fuzz",
    "api",
    "focus",
    "mutate",
    "strategies",
    "check",
    "print",
    "reduce",
    "eval",
    "solve",
    "audit",
    "upgrade",
    "stability",
    "replay",
    "summary",
    "findings",
    "bisect",
    "refix",
    "report-bug",
    "report",
    "serve",
    "atlas",
    "contest",
    "solvers",
    "seeds",
    "workers",
    "completion",
)
