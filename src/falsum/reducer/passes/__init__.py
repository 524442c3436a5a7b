"""The passes, the boldest first; a new one joins by a line in ALL."""

from __future__ import annotations

from typing import Final

from falsum.plugins import Registry, having
from falsum.reducer.passes.drop_arguments import DropArguments
from falsum.reducer.passes.drop_commands import DropAssertions, DropCommands
from falsum.reducer.passes.drop_parameters import DropParameters, ShrinkDatatypes
from falsum.reducer.passes.drop_quantifiers import DropAnnotations, DropQuantifiers
from falsum.reducer.passes.drop_unused import DropUnused
from falsum.reducer.passes.inline import InlineDefinitions, InlineLets
from falsum.reducer.passes.inline_equations import InlineEquations
from falsum.reducer.passes.merge_symbols import MergeSymbols
from falsum.reducer.passes.one_shot import OneShot
from falsum.reducer.passes.protocol import Pass
from falsum.reducer.passes.replace_booleans import Strengthen, Weaken
from falsum.reducer.passes.replace_terms import ReplaceByChild, ReplaceByValue, ReplaceByVariable
from falsum.reducer.passes.shrink_sorts import ShrinkSorts
from falsum.reducer.passes.shrink_values import ShrinkIndices, ShrinkValues
from falsum.reducer.passes.spelling import MinimalLogic, ShortNames
from falsum.reducer.passes.split_conjunctions import Flatten, SplitConjunctions

ALL: Final[Registry[Pass]] = Registry(
    "passes",
    (
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
        InlineEquations(),
        ReplaceByVariable(),
        MergeSymbols(),
        ShrinkSorts(),
        DropParameters(),
        ShrinkDatatypes(),
        ShrinkIndices(),
        MinimalLogic(),
        ShrinkValues(),
        ShortNames(),
    ),
    having("name", "edits"),
)

# Whatever order passes are given in, a reduction opens with these: what is gone as a whole needs no edits
# inside. Assertions that are conjunctions are split when the others are gone, and then their parts may go.
OPENING: Final = (
    "take-back",
    "one-shot",
    "keep-core",
    "drop-assertions",
    "drop-unused",
    "split-conjunctions",
    "keep-core",
    "drop-assertions",
    "drop-unused",
)
# These change so little that nothing else is tried again for their sake until they do not help any more.
FINE: Final = ("shrink-indices", "shrink-values")
# And it closes with these, when nothing else helps: other spellings, after which nothing is tried again.
CLOSING: Final = ("short-names",)
