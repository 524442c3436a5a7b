"""Plan: all that decides what the batches of a campaign are; kept in the store so that it can go on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, Self

import msgspec

from falsum.campaign.fuzz.seed_files import SeedFile
from falsum.errors import UsageError


class Plan(msgspec.Struct, frozen=True):
    """`count` and `seconds` say when it ends, and may change when it goes on; nothing else may."""

    seeds: tuple[str, ...]
    solvers: tuple[str, ...]
    strategies: tuple[str, ...]
    rng: int
    timeout: float
    memory: int
    seeds_digest: str = ""
    count: int | None = None
    seconds: float | None = None
    plugins: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built

    @classmethod
    def read(cls, plain: dict[str, Any]) -> Self:
        return msgspec.convert(plain, cls)

    def continued(self, given: dict[str, Any]) -> Plan:
        """The same plan with another end; whatever else is `given` has to be as it was."""
        for name, value in given.items():
            if value is None or name in {"count", "seconds"}:
                continue
            before = getattr(self, name)
            if value != before:
                raise UsageError(
                    f"--resume goes on as the campaign began; its {name} were {_shown(before)}, "
                    f"not {_shown(value)}"
                )
        if given.get("count") is None and given.get("seconds") is None:
            return self
        return msgspec.structs.replace(self, count=given.get("count"), seconds=given.get("seconds"))


def digest_of(seeds: Iterable[SeedFile]) -> str:
    """The seeds in their order, as one word."""
    joined = " ".join(seed.digest for seed in seeds)
    return hashlib.sha256(joined.encode()).hexdigest()[:16]


def _shown(value: object) -> str:
    return (", ".join(map(str, value)) or "the bundled ones") if isinstance(value, tuple) else str(value)
