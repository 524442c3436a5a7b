"""ProofChecker: an external program that reads a solver's proof; used when it is on PATH.

How to get them: docs/oracles.md. What a checker cannot read, or does not know, says nothing about the proof.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from falsum.solvers.supervision.tool import run_tool

# Where the signature of CPC is, for ethos: it belongs to the release of cvc5.
CPC_SIGNATURE: Final = "FALSUM_CPC_SIGNATURE"
_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class ProofChecker:
    """`arguments` have {proof}, {script} and {signature}.

    `is_bare` if it reads steps with no list around them; `refused` is what it prints about a wrong proof,
    `unread` about one that it cannot read.
    """

    program: str
    arguments: tuple[str, ...]
    refused: re.Pattern[str]
    unread: re.Pattern[str]
    is_bare: bool = False

    def refusal(self, proof: str, script: str) -> str:
        """The line with which the checker refuses a proof; "" if it accepts it, cannot say, or is not
        installed.
        """
        program = shutil.which(self.program)
        signature = os.environ.get(CPC_SIGNATURE, "")
        if program is None or (not signature and any("{signature}" in word for word in self.arguments)):
            return ""
        with tempfile.TemporaryDirectory(prefix="falsum-proof-") as name:
            folder = Path(name)
            (folder / "proof").write_text(_steps(proof) if self.is_bare else proof)
            (folder / "script.smt2").write_text(script)
            files = {
                "proof": str(folder / "proof"),
                "script": str(folder / "script.smt2"),
                "signature": signature,
            }
            process = run_tool(
                [program, *(word.format(**files) for word in self.arguments)], _SECONDS, folder
            )
        if self.unread.search(process.output) or not self.refused.search(process.output):
            return ""
        return next(line.strip() for line in process.output.splitlines() if self.refused.search(line))


def _steps(proof: str) -> str:
    return proof.strip().removeprefix("(").removesuffix(")")


CHECKERS: Final = {
    checker.program: checker
    for checker in (
        ProofChecker(
            "carcara",
            ("check", "--allow-int-real-subtyping", "--expand-let-bindings", "{proof}", "{script}"),
            refused=re.compile(r"^invalid$|checking error", re.MULTILINE),
            unread=re.compile(r"unknown rule|parser error|I/O error|unsupported|error: unexpected argument"),
        ),
        ProofChecker(
            "ethos",
            ("--include={signature}", "{proof}"),
            refused=re.compile(r"\bError: .*|unexpected conclusion"),
            unread=re.compile(
                r"[Ee]xpected|[Pp]ars|[Uu]nknown|[Nn]ot (?:declared|defined)|could not|include"
            ),
            is_bare=True,
        ),
    )
}
