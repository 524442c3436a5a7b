"""Oracle: what every way of knowing that an answer is wrong has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from falsum.defects.case import Case
from falsum.defects.finding import Finding, Subject
from falsum.solvers.lab import Lab
from falsum.solvers.request import Want


class Oracle(ABC):
    """Looks at what solvers answer to a mutant. A finding is reproduced by judging again."""

    name: ClassVar[str]
    """The kind of its findings; stored with them."""

    subject: ClassVar[Subject]
    """What its findings are about."""

    want: ClassVar[Want] = Want.VERDICT
    """What it needs besides the verdict; it is run only on mutants for which solvers were asked for that."""

    compares_solvers: ClassVar[bool] = False
    """Whether it compares the answers of several solvers; otherwise each solver can be judged alone."""

    needs_history: ClassVar[bool] = False
    """Whether its findings depend on the scripts that the same process has answered before."""

    every: ClassVar[int] = 1
    """It is run on one mutant in so many, drawn at random: more than one if it asks the solvers more."""

    drops_unconfirmed: ClassVar[bool] = False
    """Whether what fresh processes do not show every time is dropped: chance, not a bug, explains it."""

    @abstractmethod
    def judge(self, case: Case, lab: Lab) -> Finding | None:
        """The first wrong answer of the lab's solvers, or None.

        *unknown*, a time-out and a rejection are never wrong. It asks as the case was asked first, so a lab
        that remembers answers at once.
        """
