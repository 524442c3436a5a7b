"""Keeps what strategies find out about seeds: campaigns come back to a seed after a few others."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from cachetools import LRUCache

from falsum.strategies.mutant import KEPT_LENGTH, KEPT_SEEDS, Seed

_T = TypeVar("_T")
_P = ParamSpec("_P")


def kept(find: Callable[Concatenate[Seed, _P], _T]) -> Callable[Concatenate[Seed, _P], _T]:
    """A function whose results are kept for the short seeds it was called with last.

    Results are shared, so nobody may change them. Further arguments must be hashable.
    """
    known: LRUCache[Hashable, _T] = LRUCache(KEPT_SEEDS)

    @wraps(find)
    def found(seed: Seed, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        key = seed.text, args, tuple(kwargs.items())
        if key in known:
            return known[key]
        made = find(seed, *args, **kwargs)
        if len(seed.text) <= KEPT_LENGTH:
            known[key] = made
        return made

    return found
