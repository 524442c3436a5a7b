"""Plan: everything that determines the batches of a campaign; kept in the store for `--resume`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import msgspec

from falsum.errors import UsageError

_ENDS = frozenset({"count", "seconds"})


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The plan of a campaign; only `count` and `seconds`, which end it, may change when it is resumed.

    `baseline` is a store, or an archive, whose findings are not reported; "" for none. `known` is the
    collection of known bugs that are not reported as new: the atlas, or "".
    """

    count: int | None = None
    seconds: float | None = None
    plugins: tuple[str, ...] = ()
    baseline: str = ""
    known: str = ""

    @property
    def fixed(self) -> Mapping[str, Any]:
        """The options that cannot change, by name."""
        return {name: getattr(self, name) for name in self.__struct_fields__}

    def resumed(self, given: Mapping[str, Any], elapsed: float = 0.0) -> Self:
        """The same plan with another end; raises UsageError if any other option differs.

        A time limit counts from now, after `elapsed` seconds; a count is for the whole campaign.
        """
        fixed = self.fixed
        for name, value in given.items():
            if value is not None and name not in _ENDS and value != fixed[name]:
                raise UsageError(
                    f"--resume cannot change {name}: the campaign has {_shown(fixed[name])}, "
                    f"not {_shown(value)}"
                )
        if all(given.get(name) is None for name in _ENDS):
            return self
        seconds = given.get("seconds")
        return msgspec.structs.replace(
            self, count=given.get("count"), seconds=None if seconds is None else elapsed + seconds
        )


def _shown(value: object) -> str:
    return (", ".join(map(str, value)) or "none") if isinstance(value, tuple | list) else str(value)
