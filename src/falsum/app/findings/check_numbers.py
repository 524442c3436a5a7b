"""Numbers of checks in JSON: from 1, as in all text; records count from 0, as Python does."""

from __future__ import annotations

from typing import Any

import msgspec

_CHECK = "check"


def counted_from_one(record: object) -> Any:
    """A record as plain data for JSON, in which the first check is number 1."""
    return _renumbered(msgspec.to_builtins(record))


def _renumbered(data: Any) -> Any:
    # Records nest only a few levels deep.
    if isinstance(data, dict):
        return {
            key: value + 1 if key == _CHECK and isinstance(value, int) else _renumbered(value)
            for key, value in data.items()
        }
    return [_renumbered(each) for each in data] if isinstance(data, list) else data
