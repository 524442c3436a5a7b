"""Exit codes of `falsum`; 0 means that nothing wrong was found."""

from __future__ import annotations

from typing import Final

FOUND: Final = 1
WRONG_USE: Final = 2
BROKEN_SURROUNDINGS: Final = 3
INTERNAL_ERROR: Final = 4
INTERRUPTED: Final = 130
# Whoever read the output has stopped before its end, so nobody knows what the rest would have said.
OUTPUT_CLOSED: Final = 141
