"""ReferenceSolvers: other solvers that decide scripts, to compare a library with."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Final, Protocol

from falsum.smtlib.printing.printer import print_script
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request

if TYPE_CHECKING:
    from falsum.smtlib.scripts import Script

_SECONDS: Final = 2.0


class ReferenceSolvers(Protocol):
    """Solvers to compare with."""

    def verdicts(self, script: Script) -> Iterator[tuple[str, str]]:
        """The names of solvers that decide a script, with their verdicts."""
        ...


class NoReferenceSolvers:
    """No solver at all."""

    def verdicts(self, script: Script) -> Iterator[tuple[str, str]]:
        del script
        return iter(())


class LabReferenceSolvers:
    """The solvers of a lab, asked about a share of scripts, which are drawn at random by a key."""

    def __init__(self, lab: Lab, share: float = 1.0, key: str = "") -> None:
        self._lab = lab
        self._share = share
        self._rng = Random(key)

    def verdicts(self, script: Script) -> Iterator[tuple[str, str]]:
        if self._rng.random() >= self._share:
            return
        text = print_script(script)
        for solver in self._lab.solvers:
            answer = self._lab.ask(Request(solver, text, seconds=_SECONDS))
            if answer.finished and answer.verdict is not None and answer.verdict.decided:
                yield solver, str(answer.verdict)
