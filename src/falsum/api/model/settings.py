"""Settings: the `[api]` table of `falsum.toml` with theories, weights and limits of runs."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1)]
Seconds: TypeAlias = Annotated[float, msgspec.Meta(gt=0)]


class Bounds(msgspec.Struct, frozen=True):
    """`[api.bounds]`: limits of the size of runs, sorts and terms."""

    actions: Count = 300
    width: Count = 128
    depth: Count = 40
    nodes: Count = 600
    loops: Count = 4
    levels: Count = 5
    sorts: Count = 12


class Settings(msgspec.Struct, frozen=True):
    """`[api]`; shares are between 0 and 1.

    `theories`: empty for the common ones. `weights`: `"state.action"` or `"state.action.to"` → weight.
    `seconds`: CPU time limit of a run. `memory`: memory limit of a child, in megabytes. `compare`: share of
    results that reference solvers are asked about. `replay`: share of a campaign's runs that another
    product's library replays. `options`: share of runs with random options, at most `max_options` of the
    `option_classes` (regular, expert, self-check, safe). `floats`: float format, such as "8 24" → weight.
    `compare_with`: the solvers that results are compared with, empty for the default ones. `known`: product,
    or "*" for all → regular expressions of messages about known defects, which are counted and not reported.
    `runs_per_child`: runs before a child is replaced by a fresh one. `pipe`: drive the solver's program, not
    its library. `logic`: the logic that a program of an unknown product is told. `linear`: products and
    quotients only with numerals, in all runs. `scripts`: files with scripts; each run begins with the calls
    that do what one of them does, and goes on from there. `without`: theories that no run has.
    `option_names`: patterns such as `nl-*`, of which random options must match one. `random_symbols`: names
    of constants that must be quoted, are like keywords, or have letters of other alphabets.
    `without_operators`: patterns of operators that no run draws.
    """

    theories: tuple[str, ...] = ()
    weights: dict[str, float] = {}
    bounds: Bounds = Bounds()
    # Of 400 runs on all theories as many end within 0.3 s as within 0.5 s (z3, cvc5), in a tenth less time.
    seconds: Seconds = 0.3
    memory: Count = 2048
    compare: Share = 0.1
    compare_with: tuple[str, ...] = ()
    replay: Share = 0.05
    options: Share = 0.3
    max_options: Count = 3
    option_classes: tuple[str, ...] = ("regular", "self-check")
    floats: dict[str, float] = {}
    known: dict[str, tuple[str, ...]] = {}
    runs_per_child: Count = 200
    pipe: bool = False
    logic: str = ""
    linear: bool = False
    scripts: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    option_names: tuple[str, ...] = ()
    random_symbols: bool = False
    without_operators: tuple[str, ...] = ()
