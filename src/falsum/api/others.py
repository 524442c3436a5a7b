"""Others: solvers that are asked about the scripts a run amounts to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Protocol
from zlib import crc32

from falsum.smtlib.printer import print_script
from falsum.solvers.lab import Lab

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
    """The solvers of a lab, asked about a share of all scripts: which ones, the script's text decides."""

    def __init__(self, lab: Lab, share: float = 1.0) -> None:
        self._lab = lab
        self._share = share

    def asked(self, script: Script) -> Iterator[tuple[str, str]]:
        text = print_script(script)
        if crc32(text.encode(errors="replace")) % 10_000 >= self._share * 10_000:
            return
        for solver in self._lab.solvers:
            answer = self._lab.ask(solver, text, seconds=_SECONDS)
            if answer.finished and answer.verdict is not None and answer.verdict.decided:
                yield solver, str(answer.verdict)
