"""Relocations: where programs are on this machine that a name has by a path of another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

Relocations = Mapping[str, str]

_known: dict[str, str] = {}


def here(path: str) -> str:
    """The path of a program on this machine."""
    return _known.get(path, path)


def inherit(relocations: Relocations) -> None:
    """In a worker process: the relocations that its parent knows of."""
    _known.update(relocations)


@contextmanager
def relocated(relocations: Relocations) -> Iterator[None]:
    """Within the block these paths mean others."""
    before = dict(_known)
    _known.update(relocations)
    try:
        yield
    finally:
        _known.clear()
        _known.update(before)
