"""Tally: counts and times of a batch or of all batches of a campaign; tallies add up."""

from __future__ import annotations

from typing import Any, Self

import msgspec


class Tally(msgspec.Struct):
    """Fields are numbers, or dictionaries of them; a new field needs a default, for older stores."""

    def add(self, other: Self) -> None:
        for name in self.__struct_fields__:
            setattr(self, name, _sum(getattr(self, name), getattr(other, name)))

    def plain(self) -> dict[str, Any]:
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built


def _sum(one: Any, other: Any) -> Any:
    if not isinstance(one, dict):
        return one + other
    added = {key: _sum(one[key], value) if key in one else value for key, value in other.items()}
    return one | added
