"""→ Mutant. Ways to make a script whose answer we know something about."""

from __future__ import annotations

from typing import Final

from falsum.strategies.case import Claim, Mutant, Seed, Strategy
from falsum.strategies.fuzzchick import FuzzChick
from falsum.strategies.opfuzz import OpFuzz
from falsum.strategies.storm import Storm
from falsum.strategies.typefuzz import TypeFuzz

ALL: Final[tuple[Strategy, ...]] = (Storm(), TypeFuzz(), OpFuzz(), FuzzChick())
BY_NAME: Final[dict[str, Strategy]] = {strategy.name: strategy for strategy in ALL}

__all__ = ["ALL", "BY_NAME", "Claim", "Mutant", "Seed", "Strategy"]
