"""Oracle: a way to find a kind of defect in the answers to a case."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from falsum.defects.case import Case
from falsum.defects.finding import Finding
from falsum.defects.kind import DefectKind
from falsum.solvers.lab import Lab
from falsum.solvers.request import Want


class Oracle(ABC):
    """Finds a kind of defect in the answers to a case; a finding is reproduced by running it again."""

    name: ClassVar[str]
    """Its name; stored with its findings."""

    defect: ClassVar[DefectKind]
    """The kind of defect it finds."""

    want: ClassVar[Want] = Want.VERDICT
    """What it needs besides the verdict; it is run only on mutants for which solvers were asked for that."""

    compares_solvers: ClassVar[bool] = False
    """Whether it compares the answers of several solvers; otherwise each solver can be judged alone."""

    needs_history: ClassVar[bool] = False
    """Whether its findings depend on the scripts that the same process has answered before."""

    every: ClassVar[int] = 1
    """It looks at one mutant in N, drawn at random: more than one if it asks the solvers more."""

    draws: ClassVar[int] = 1
    """How often it draws what it asks besides a script that somebody brings; once for a mutant."""

    drops_unconfirmed: ClassVar[bool] = False
    """Whether what fresh processes do not show every time is dropped: chance, not a bug, explains it."""

    @abstractmethod
    def find(self, case: Case, lab: Lab) -> Finding | None:
        """The first wrong answer of the lab's solvers, or None.

        *unknown*, a time-out and a rejection are never wrong. The first request is the case's own, which a
        lab that remembers answers need not run again.
        """
