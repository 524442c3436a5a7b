"""The passes, the boldest first; a new one joins by a line in ALL."""

from __future__ import annotations

from typing import Final

from falsum.reducer.passes.drop_arguments import DropArguments
from falsum.reducer.passes.drop_commands import DropAssertions, DropCommands
from falsum.reducer.passes.drop_parameters import DropParameters, ShrinkDatatypes
from falsum.reducer.passes.drop_quantifiers import DropAnnotations, DropQuantifiers
from falsum.reducer.passes.drop_unused import DropUnused
from falsum.reducer.passes.inline import InlineDefinitions, InlineLets
from falsum.reducer.passes.merge_symbols import MergeSymbols
from falsum.reducer.passes.one_shot import OneShot
from falsum.reducer.passes.protocol import Pass
from falsum.reducer.passes.replace_booleans import Strengthen, Weaken
from falsum.reducer.passes.replace_terms import ReplaceByChild, ReplaceByValue, ReplaceByVariable
from falsum.reducer.passes.shrink_sorts import ShrinkSorts
from falsum.reducer.passes.shrink_values import ShrinkIndices, ShrinkValues
from falsum.reducer.passes.spelling import MinimalLogic, ShortNames
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
    DropAnnotations(),
    InlineLets(),
    Flatten(),
    ReplaceByChild(),
    DropArguments(),
    DropQuantifiers(),
    InlineDefinitions(),
    ReplaceByVariable(),
    MergeSymbols(),
    ShrinkSorts(),
    DropParameters(),
    ShrinkDatatypes(),
    ShrinkIndices(),
    MinimalLogic(),
    ShrinkValues(),
    ShortNames(),
)
