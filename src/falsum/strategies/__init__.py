"""→ Mutant. Ways to make test scripts from seeds, some of them with a verdict known by construction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from falsum.plugins import Registry, having
from falsum.strategies.compose import find_strategy
from falsum.strategies.enumerate import Enumerate
from falsum.strategies.fusion import Fusion
from falsum.strategies.fuzzchick import FuzzChick
from falsum.strategies.generate import Generate
from falsum.strategies.havoc import Havoc
from falsum.strategies.histfuzz import HistFuzz
from falsum.strategies.interrogation import Interrogation
from falsum.strategies.mutant import Claim, Mutant, Seed, Strategy
from falsum.strategies.opfuzz import OpFuzz
from falsum.strategies.parameters import (
    configurations_of,
    configured,
    parameters_of,
    with_operators,
)
from falsum.strategies.pivot import Pivot
from falsum.strategies.rewrite import Rewrite
from falsum.strategies.sortswap import SortSwap
from falsum.strategies.sparrow import Sparrow
from falsum.strategies.storm import Storm
from falsum.strategies.typefuzz import TypeFuzz
from falsum.strategies.valfuzz import ValFuzz

ALL: Final[Registry[Strategy]] = Registry(
    "strategies",
    (
        Storm(),
        TypeFuzz(),
        OpFuzz(),
        FuzzChick(),
        ValFuzz(),
        Generate(),
        Enumerate(),
        Sparrow(),
        Rewrite(),
        Fusion(),
        Pivot(),
        HistFuzz(),
        SortSwap(),
        Interrogation(),
        Havoc(),
    ),
    having("name", "arity", "mutants"),
)
BY_NAME: Final[Mapping[str, Strategy]] = ALL.by_name

__all__ = [
    "ALL",
    "BY_NAME",
    "Claim",
    "Mutant",
    "Seed",
    "Strategy",
    "configurations_of",
    "configured",
    "find_strategy",
    "parameters_of",
    "with_operators",
]
