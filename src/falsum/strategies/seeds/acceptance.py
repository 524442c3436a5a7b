"""Whether a solver accepts a mutant, so that the next one may be made from it."""

from __future__ import annotations

from typing import Final

from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request

# A mutant may always be this long, however short the seed.
MIN_LENGTH: Final = 400
_SECONDS: Final = 0.2


def is_accepted(text: str, lab: Lab | None) -> bool:
    """Whether the first solver of a lab reads a script; a time-out is no rejection. True without solvers."""
    if lab is None or not lab.solvers:
        return True
    return lab.ask(Request(lab.solvers[0], text, seconds=_SECONDS)).ending.kind is not EndingKind.REJECTED
