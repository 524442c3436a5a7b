"""Bisects releases: the first one of a product that shows something that an older one does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from falsum.errors import SurroundingsError
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.versions import is_same_release, parse_version
from falsum.solvers.zoo import Zoo


@dataclass(frozen=True, slots=True)
class FirstRelease:
    """The result: `first` shows it; `last` is the newest tested release before it, which does not."""

    last: str
    first: str
    tested: int

    def __str__(self) -> str:
        return f"first in {self.first}, not yet in {self.last} ({self.tested} releases tested)"


class Releases:
    """The releases of a product from one solver to another, with the settings of the last.

    In between are the releases on this machine or, with `installs`, all in the package index, which are
    installed when needed.
    """

    def __init__(self, old: Solver, new: Solver, zoo: Zoo, *, installs: bool = False) -> None:
        self._zoo = zoo
        self._new = new
        self._ends = {old.name: old, new.name: new}
        self.names: list[str] = []
        if old.release is None or new.release is None or old.profile.product != new.profile.product:
            return
        low, high = parse_version(old.version), parse_version(new.version)
        versions = [each.version for each in (*zoo.installed(old.profile), *zoo.own(old.profile))]
        for version in zoo.available(old.profile) if installs else ():
            if not any(is_same_release(version, other) for other in versions):
                versions.append(version)
        between = sorted({v for v in versions if low < parse_version(v) < high}, key=parse_version)
        self.names = [old.name, *(f"{old.profile.product}@{version}" for version in between), new.name]

    def solver(self, name: str) -> Solver | None:
        """The solver of a release; None if it is not available here."""
        if name in self._ends:
            return self._ends[name]
        product, _, version = name.partition("@")
        try:
            if self._zoo.find(product, version) is None:
                self._zoo.add(product, version)
            solver = resolve(name, self._zoo)
        except SurroundingsError:  # the index has nothing for this machine
            return None
        return solver.with_settings(self._new.settings) if self._new.settings else solver


def first_release(releases: Releases, shows: Callable[[Solver], bool]) -> FirstRelease | None:
    """Search by bisection; None unless the first release does not show it and the last one does."""
    names = list(releases.names)

    def is_shown(name: str) -> bool | None:
        solver = releases.solver(name)
        return None if solver is None else shows(solver)

    if len(names) < 2 or is_shown(names[0]) is not False or not is_shown(names[-1]):
        return None
    low, high, count = 0, len(names) - 1, 2
    while high - low > 1:
        middle = (low + high) // 2
        is_bad = is_shown(names[middle])
        if is_bad is None:
            del names[middle]
            high -= 1
            continue
        count += 1
        low, high = (low, middle) if is_bad else (middle, high)
    return FirstRelease(names[low], names[high], count)
