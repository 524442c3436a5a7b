"""Target: what reduction, bisection, ablation, re-tests and replays look for."""

from __future__ import annotations

import hashlib
from typing import Self

import msgspec

from falsum.smtlib.verdict import Verdict
from falsum.solvers.request import Want


class Target(msgspec.Struct, frozen=True):
    """A defect, with the details that tell it from others of its kind.

    `oracle` is the one that finds it again, where only an oracle can tell. `truth` is the right verdict at
    check number `check` (from 0), `message` how a crash ended, `seconds` the CPU time that is too much.
    `script` is the digest of the script it was judged on. For other scripts, `manner` says how the right
    verdict must be shown again: by these `references`, or this `witness`; `chooses_alike` if the solvers must
    choose alike at open points.
    """

    defect: str
    oracle: str = ""
    script: str = ""
    want: Want = Want.VERDICT
    check: int = 0
    truth: Verdict | None = None
    message: str = ""
    seconds: float = 0.0
    manner: str = ""
    references: tuple[str, ...] = ()
    witness: str = ""
    chooses_alike: bool = False

    def on(self, text: str) -> Self:
        """The same target for another script to which the judgement applies, for example without an
        option.
        """
        return msgspec.structs.replace(self, script=digest_of_script(text))

    def is_known_of(self, text: str) -> bool:
        """Whether the judgement was about this very script."""
        return self.script == digest_of_script(text)


def digest_of_script(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:24]
