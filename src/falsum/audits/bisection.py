"""The first release of a product that does what an older one does not, among those on this machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from falsum.solvers.solver import Solver, resolve
from falsum.solvers.versions import parse_version
from falsum.solvers.zoo import Zoo


@dataclass(frozen=True, slots=True)
class FirstRelease:
    """`first` shows it, and `last` is the newest before it that was tested and does not."""

    last: str
    first: str
    tested: int

    def __str__(self) -> str:
        return f"first in {self.first}, not yet in {self.last} ({self.tested} releases tested)"


def releases_between(old: Solver, new: Solver, zoo: Zoo) -> list[Solver]:
    """The releases on this machine from one to another, the oldest first, with the settings of the last."""
    if old.release is None or new.release is None or old.profile.product != new.profile.product:
        return []
    low, high = parse_version(old.version), parse_version(new.version)
    versions = {release.version for release in (*zoo.installed(old.profile), *zoo.own(old.profile))}
    between = sorted((v for v in versions if low < parse_version(v) < high), key=parse_version)
    named = [resolve(f"{old.profile.product}@{version}", zoo) for version in between]
    settings = new.settings
    return [old, *(each.with_settings(settings) if settings else each for each in named), new]


def first_release(releases: list[Solver], shows: Callable[[Solver], bool]) -> FirstRelease | None:
    """Search by halves: the first release must not show it and the last must; None if they do not."""
    if len(releases) < 2 or shows(releases[0]) or not shows(releases[-1]):
        return None
    low, high, tested = 0, len(releases) - 1, 2
    while high - low > 1:
        middle = (low + high) // 2
        tested += 1
        if shows(releases[middle]):
            high = middle
        else:
            low = middle
    return FirstRelease(releases[low].name, releases[high].name, tested)
