"""Finding: a wrong answer, the suspected solvers, and the evidence."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from falsum.defects.case import Case
from falsum.solvers.answer import Exchange
from falsum.solvers.request import Request

FLAKY: Final = "flaky"


@dataclass(frozen=True, slots=True)
class Finding:
    """`kind` is the name of the oracle that found it, or *flaky*; then `seemed` is the name of the oracle.

    `signature` is a line people can read; equal signatures are taken for the same finding. `request` is the
    one whose answer is wrong, if that is not the case's own; `details` is a script the evidence is about.
    `needs_history` if it shows only in a process that has run other scripts.
    """

    kind: str
    suspects: tuple[str, ...]
    signature: str
    evidence: str
    case: Case
    exchanges: tuple[Exchange, ...] = ()
    seemed: str = ""
    request: Request | None = None
    details: str = ""
    needs_history: bool = False

    @property
    def digest(self) -> str:
        """The signature as a short name for files."""
        return digest_of(self.signature)


def shortened(text: str, most: int = 300) -> str:
    """Text for a message, cut off after a number of characters."""
    return text if len(text) <= most else text[:most] + " …"


def digest_of(signature: str) -> str:
    return hashlib.sha256(signature.encode()).hexdigest()[:12]
