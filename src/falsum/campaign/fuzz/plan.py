"""FuzzPlan: seeds, solvers, strategies and limits of a campaign over scripts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, Self

import msgspec

from falsum.campaign.fuzz.seed_files import SeedFile
from falsum.campaign.plan import Plan


class FuzzPlan(Plan, frozen=True, kw_only=True):
    """No seeds are the bundled ones."""

    seeds: tuple[str, ...]
    solvers: tuple[str, ...]
    strategies: tuple[str, ...]
    rng: int
    timeout: float
    memory: int
    seeds_digest: str = ""

    def plain(self) -> dict[str, Any]:
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built

    @classmethod
    def read(cls, plain: dict[str, Any]) -> Self:
        return msgspec.convert(plain, cls)


def digest_of(seeds: Iterable[SeedFile]) -> str:
    """The seeds in their order, as one word."""
    joined = " ".join(seed.digest for seed in seeds)
    return hashlib.sha256(joined.encode()).hexdigest()[:16]
