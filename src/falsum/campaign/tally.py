"""Tally: counts and times of a batch or of all batches of a campaign; tallies add up."""

from __future__ import annotations

from typing import Any, Self

import msgspec

from falsum.store.totals import tally_sum


class Tally(msgspec.Struct):
    """Fields are numbers, or dictionaries of them; a new field needs a default, for older stores."""

    def add(self, other: Self) -> None:
        for name in self.__struct_fields__:
            mine, more = getattr(self, name), getattr(other, name)
            setattr(self, name, tally_sum(mine, more) if isinstance(mine, dict) else mine + more)

    def plain(self) -> dict[str, Any]:
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built
