"""What a pass is, for whoever writes one.

A pass proposes and does not try. Its edits must be the same for the same script, each by itself must make the
measure smaller and leave the script well-sorted. Edits of a lower `rank` are tried first: the boldest cut
first. Within a rank, edits that do not meet are tried together, so propose them in the order of the script.
Do not go on to a fixed point: the engine runs a pass again when the script has changed. The docstring shows
before and after in SMT-LIB.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from falsum.reducer.edits import Edit
from falsum.reducer.outline import Outline


class Pass(Protocol):
    """One way to make a script smaller."""

    @property
    def name(self) -> str: ...

    def edits(self, outline: Outline) -> Iterator[Edit]:
        """What could be done to the script."""
        ...


def boldness(size: int) -> int:
    """The rank of an edit that takes so many places away; sizes within a factor of two go together."""
    return -size.bit_length()
