"""Exposure: known soundness bugs of releases, and whether a query has what they need to show."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from falsum.audits.query.features import Features
from falsum.solvers.names import product_of
from falsum.solvers.solver import Solver
from falsum.solvers.versions import UNKNOWN, parse_version

_TABLE: Final = Path(__file__).with_name("known_bugs.json")


class KnownBug(msgspec.Struct, frozen=True, omit_defaults=True):
    """`first` is the oldest release that is known to have it, `fixed` the first without it, "" if none is.

    A query is exposed if it has all of `words` (operators and binders), one of `options` if there are any
    (by their names or as `name=value`), and matches `pattern` if there is one.
    """

    name: str
    product: str
    first: str
    title: str
    fixed: str = ""
    words: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    pattern: str = ""

    def is_in(self, release: str) -> bool:
        version = parse_version(release)
        if version is UNKNOWN or version < parse_version(self.first):
            return False
        return not self.fixed or version < parse_version(self.fixed)

    def may_show(self, features: Features, text: str) -> bool:
        if not features.words.issuperset(self.words):
            return False
        if self.options:
            names = {option.partition("=")[0] for option in features.options}
            if (names | features.options).isdisjoint(self.options):
                return False
        return not self.pattern or re.search(self.pattern, text) is not None


@cache
def known_bugs(file: Path = _TABLE) -> tuple[KnownBug, ...]:
    return msgspec.json.decode(file.read_bytes(), type=tuple[KnownBug, ...])


class Exposure:
    """The known bugs of some solvers."""

    def __init__(self, solvers: Iterable[Solver], bugs: tuple[KnownBug, ...] | None = None) -> None:
        table = known_bugs() if bugs is None else bugs
        self._bugs = tuple(
            dict.fromkeys(
                bug
                for solver in solvers
                for bug in table
                if product_of(solver.name) == bug.product and bug.is_in(solver.version)
            )
        )

    def bugs(self, features: Features, text: str) -> tuple[str, ...]:
        """The names of the bugs that a query may meet."""
        return tuple(bug.name for bug in self._bugs if bug.may_show(features, text))
