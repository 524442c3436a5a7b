"""LibraryPlan: libraries, settings and run numbers of a campaign over libraries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import msgspec

from falsum.api.model.settings import Settings
from falsum.campaign.guides import NONE
from falsum.campaign.plan import Plan


class LibraryPlan(Plan, frozen=True, kw_only=True):
    """`count` is the number of runs of every library, `first` the number of the first one; `guide` says
    whether new edges decide what runs choose.
    """

    solvers: tuple[tuple[str, tuple[str, ...]], ...]  # each with the solvers its answers are compared with
    settings: Settings
    first: int
    guide: str = NONE

    @property
    def fixed(self) -> Mapping[str, Any]:
        settings: dict[str, Any] = msgspec.to_builtins(self.settings)
        names = [name for name, _others in self.solvers]
        return {**settings, "solvers": names, "rng": self.first, "guide": self.guide,
                "plugins": list(self.plugins), "baseline": self.baseline, "known": self.known}  # fmt: skip

    def plain(self) -> dict[str, Any]:
        return {"api": msgspec.to_builtins(self)}

    @classmethod
    def read(cls, plain: dict[str, Any]) -> Self:
        return msgspec.convert(plain["api"], cls)
