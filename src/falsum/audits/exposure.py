"""Exposure: known bugs with wrong verdicts, and whether a query has the features they need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from falsum.atlas.bug import WRONG_VERDICTS, AtlasBug
from falsum.atlas.collection import atlas
from falsum.audits.query.features import Features
from falsum.solvers.solver import Solver


class Exposure:
    """The wrong verdicts of some solvers that the atlas knows."""

    def __init__(self, solvers: Iterable[Solver], bugs: Sequence[AtlasBug] | None = None) -> None:
        all_bugs = atlas() if bugs is None else bugs
        self._bugs = [
            (bug, {"=".join(setting) for setting in solver.settings})
            for solver in solvers
            for bug in all_bugs
            if bug.kind in WRONG_VERDICTS and bug.is_in(solver.name, solver.version)
        ]

    def bugs(self, features: Features) -> tuple[str, ...]:
        """The names of the bugs that a query may meet, because it has all features of their scripts."""
        names = (bug.name for bug, own in self._bugs if bug.may_show(features.words, features.options | own))
        return tuple(dict.fromkeys(names))
