"""Others: solvers that are asked about the scripts a run amounts to."""

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


class Others(Protocol):
    def asked(self, script: Script) -> Iterator[tuple[str, str]]:
        """Solvers and their verdicts, only those that decide."""
        ...


class Nobody:
    """No other solver."""

    def asked(self, script: Script) -> Iterator[tuple[str, str]]:
        del script
        return iter(())


class LabOthers:
    """The solvers of a lab, asked about all scripts or a share; which ones, the key of the run decides."""

    def __init__(self, lab: Lab, share: float = 1.0, key: str = "") -> None:
        self._lab = lab
        self._share = share
        self._rng = Random(key)

    def asked(self, script: Script) -> Iterator[tuple[str, str]]:
        if self._rng.random() >= self._share:
            return
        text = print_script(script)
        for solver in self._lab.solvers:
            answer = self._lab.ask(Request(solver, text, seconds=_SECONDS))
            if answer.finished and answer.verdict is not None and answer.verdict.decided:
                yield solver, str(answer.verdict)
