"""The passes, those that remove most first. A new pass is a module here and a line in ALL."""

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
from falsum.reducer.passes.keep_core import CoreOf, KeepCore
from falsum.reducer.passes.merge_symbols import MergeSymbols
from falsum.reducer.passes.protocol import Pass
from falsum.reducer.passes.replace_booleans import Strengthen, Weaken
from falsum.reducer.passes.replace_by_model import ReplaceByModel
from falsum.reducer.passes.replace_terms import ReplaceByChild, ReplaceByValue, ReplaceByVariable
from falsum.reducer.passes.shrink_sorts import ShrinkSorts
from falsum.reducer.passes.shrink_values import ShrinkIndices, ShrinkValues
from falsum.reducer.passes.single_check import SingleCheck
from falsum.reducer.passes.spelling import MinimalLogic, ShortNames
from falsum.reducer.passes.split_conjunctions import Flatten, SplitConjunctions
from falsum.reducer.passes.undo_mutations import UndoMutations

ALL: Final[Registry[Pass]] = Registry(
    "passes",
    (
        SingleCheck(),
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

# A reduction starts with these, in whatever order passes are given: an assertion that is dropped as a whole
# needs no edits inside. Conjunctions are split only when no assertion can be dropped any more.
OPENING: Final = (
    "undo-mutations",
    "single-check",
    "keep-core",
    "drop-assertions",
    "drop-unused",
    "split-conjunctions",
    "keep-core",
    "drop-assertions",
    "drop-unused",
)
# These change so little that they are run to the end before any other pass is tried again.
FINE: Final = ("shrink-indices", "shrink-values")
# A reduction ends with these: they change the spelling only, so no other pass is tried afterwards.
CLOSING: Final = ("short-names",)

# Beside the registry, the guided passes: they are made for one reduction.
__all__ = [
    "ALL",
    "CLOSING",
    "FINE",
    "OPENING",
    "CoreOf",
    "KeepCore",
    "Pass",
    "ReplaceByModel",
    "UndoMutations",
]
