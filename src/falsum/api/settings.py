"""Settings: the `[api]` table of `falsum.toml`: theories, weights, limits of what is generated."""

from __future__ import annotations

import msgspec


class Bounds(msgspec.Struct, frozen=True):
    """`[api.bounds]`: how large what is generated may get."""

    actions: int = 300
    width: int = 128
    depth: int = 40
    nodes: int = 600
    loops: int = 4
    levels: int = 5
    sorts: int = 12


class Settings(msgspec.Struct, frozen=True):
    """`weights` has `"state.action"` or `"state.action.to"` → weight; `theories` empty means all.

    `compare` is the share of decided checks put to another solver, `runs_per_child` how many runs a child
    serves before a fresh one takes over, `seconds` the time one run may take; `pipe`: not the library, the
    program's standard input.
    """

    theories: tuple[str, ...] = ()
    weights: dict[str, float] = {}
    bounds: Bounds = Bounds()
    seconds: float = 2.0
    memory: int = 2048
    compare: float = 0.1
    options: float = 0.3
    runs_per_child: int = 200
    pipe: bool = False
