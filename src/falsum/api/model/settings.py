"""Settings: the `[api]` table of `falsum.toml`: theories, weights, limits of what is generated."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1)]
Seconds: TypeAlias = Annotated[float, msgspec.Meta(gt=0)]


class Bounds(msgspec.Struct, frozen=True):
    """`[api.bounds]`: how large what is generated may get."""

    actions: Count = 300
    width: Count = 128
    depth: Count = 40
    nodes: Count = 600
    loops: Count = 4
    levels: Count = 5
    sorts: Count = 12


class Settings(msgspec.Struct, frozen=True):
    """`weights` has `"state.action"` or `"state.action.to"` → weight; `theories` empty means all.

    `compare` is the share of decided checks put to another solver, `replay` that of runs which another
    product's library makes once more in a campaign, `runs_per_child` how many runs a child serves before a
    fresh one takes over, `seconds` the CPU time one run may take; `pipe`: not the library, the program's
    standard input.
    """

    theories: tuple[str, ...] = ()
    weights: dict[str, float] = {}
    bounds: Bounds = Bounds()
    # Of 400 runs on all theories as many end within 0.3 s as within 0.5 (z3, cvc5), in a tenth less time.
    seconds: Seconds = 0.3
    memory: Count = 2048
    compare: Share = 0.1
    replay: Share = 0.05
    options: Share = 0.3
    runs_per_child: Count = 200
    pipe: bool = False
