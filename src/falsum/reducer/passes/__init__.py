"""The passes, the boldest first; a new one joins by a line in ALL."""

from __future__ import annotations

from typing import Final

from falsum.reducer.passes.drop_commands import DropAssertions, DropCommands
from falsum.reducer.passes.drop_unused import DropUnused
from falsum.reducer.passes.one_shot import OneShot
from falsum.reducer.passes.protocol import Pass
from falsum.reducer.passes.replace_booleans import Strengthen, Weaken
from falsum.reducer.passes.replace_terms import ReplaceByChild, ReplaceByValue, ReplaceByVariable
from falsum.reducer.passes.split_conjunctions import Flatten, SplitConjunctions

ALL: Final[tuple[Pass, ...]] = (
    OneShot(),
    DropCommands(),
    SplitConjunctions(),
    DropAssertions(),
    DropUnused(),
    Weaken(),
    ReplaceByValue(),
    Strengthen(),
    Flatten(),
    ReplaceByChild(),
    ReplaceByVariable(),
)
