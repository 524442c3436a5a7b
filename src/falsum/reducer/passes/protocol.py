"""The interface of a pass.

A pass proposes edits and does not try them. The same script must give the same edits; each edit on its own
must make the measure smaller and leave the script well-sorted. Edits of lower `rank` are tried first, so the
edit that removes most gets the lowest rank. Edits of one rank that do not overlap are tried together: propose
them in the order of the script. Do not iterate to a fixed point: the engine runs a pass again when the script
has changed. The docstring of a pass shows before and after in SMT-LIB.
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
        """The edits that could make the script smaller."""
        ...


def rank_by_size(size: int) -> int:
    """The rank of an edit that removes `size` places; sizes within a factor of two share a rank."""
    return -size.bit_length()
