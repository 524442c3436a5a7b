"""Relocations: the local paths of programs that are named by paths of another machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

Relocations = Mapping[str, str]

_known: dict[str, str] = {}


def here(path: str) -> str:
    """The path of a program on this machine."""
    return _known.get(path, path)


def inherit(relocations: Relocations) -> None:
    """Use the relocations of the parent, in a worker process."""
    _known.update(relocations)


@contextmanager
def relocated(relocations: Relocations) -> Iterator[None]:
    """A context in which these paths mean others."""
    before = dict(_known)
    _known.update(relocations)
    try:
        yield
    finally:
        _known.clear()
        _known.update(before)
