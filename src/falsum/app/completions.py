"""What a shell completes on Tab: names of solvers, strategies and findings."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from falsum.errors import FalsumError


def solvers(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Products, and the releases that are installed; programs on PATH are not run to see which they are."""
    from falsum.solvers.profiles import ALL  # noqa: PLC0415 - here and below: `falsum check` starts quickly
    from falsum.solvers.zoo import Zoo  # noqa: PLC0415

    zoo = Zoo()
    releases = (release.name for profile in ALL for release in (*zoo.own(profile), *zoo.installed(profile)))
    return _beginning(incomplete, (*(profile.product for profile in ALL), *releases))


def strategies(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Also after a plus sign, as in typefuzz+opfuzz."""
    from falsum.strategies import BY_NAME  # noqa: PLC0415

    first, plus, _last = incomplete.rpartition("+")
    return _beginning(incomplete, (f"{first}{plus}{name}" for name in BY_NAME))


def findings(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The findings in the directory that `--out` names."""
    from falsum.store.reader import StoreReader  # noqa: PLC0415

    out = Path(context.params.get("out") or "falsum-out")
    try:
        with StoreReader(out) as store:
            return _beginning(incomplete, (one.digest for one in store.findings()))
    except FalsumError:
        return []  # a shell has no use for messages


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]
