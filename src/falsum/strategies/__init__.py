"""→ Mutant. Ways to make a script whose answer we know something about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from falsum.plugins import Registry, having
from falsum.strategies.enumerate.strategy import Enumerate
from falsum.strategies.fusion.strategy import Fusion
from falsum.strategies.fuzzchick import FuzzChick
from falsum.strategies.generate.strategy import Generate
from falsum.strategies.mutant import Claim, Mutant, Seed, Strategy
from falsum.strategies.opfuzz import OpFuzz
from falsum.strategies.pivot.strategy import Pivot
from falsum.strategies.rewrite.strategy import Rewrite
from falsum.strategies.sparrow.strategy import Sparrow
from falsum.strategies.storm.strategy import Storm
from falsum.strategies.typefuzz import TypeFuzz
from falsum.strategies.valfuzz.strategy import ValFuzz

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
    ),
    having("name", "arity", "mutants"),
)
BY_NAME: Final[Mapping[str, Strategy]] = ALL.by_name

__all__ = ["ALL", "BY_NAME", "Claim", "Mutant", "Seed", "Strategy"]
