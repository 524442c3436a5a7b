"""Batches of ground questions, each batch for one short-lived solver process."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SOLVERS = ("z3", "cvc5", "bitwuzla")

# The library is loaded in a child, never in the process that runs the tests.
_CVC5_CHILD = """
import sys, cvc5
solver = cvc5.Solver(cvc5.TermManager())
parser = cvc5.InputParser(solver)
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), "batch")
symbols = parser.getSymbolManager()
while True:
    command = parser.nextCommand()
    if command.isNull():
        break
    print(command.invoke(solver, symbols), end="", flush=True)
"""
_BITWUZLA_CHILD = """
import sys, bitwuzla
parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
parser.parse(sys.stdin.read(), parse_only=False, parse_file=False)
"""
_CVC5_PRELUDE = (
    "(set-option :incremental true)(set-option :strings-exp true)(set-option :fp-exp true)"
    "(set-option :sets-exp true)(set-option :tlimit-per 5000)(set-logic ALL)"
)
_PRELUDES = {
    "z3": "(set-option :timeout 5000)",
    "cvc5": _CVC5_PRELUDE,
    "bitwuzla": "(set-logic QF_BVFP)",
}


def script(solver: str, claims: Sequence[str]) -> str:
    """Every claim is denied in its own level; an honest solver answers unsat each time."""
    questions = (f'(push 1)(assert (not {claim}))(check-sat)(echo "end")(pop 1)' for claim in claims)
    return "\n".join((_PRELUDES[solver], *questions))


def answers(solver: str, claims: Sequence[str], seconds: float) -> list[str]:
    """One answer for each claim: unsat, sat, unknown, or the text of an error."""
    finished = subprocess.run(
        _command(solver),
        input=script(solver, claims),
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    lines = finished.stdout.replace("end\n", '"end"\n').replace('""end""', '"end"')
    said = [part.strip() for part in lines.split('"end"\n')[:-1]]
    missing = len(claims) - len(said)
    return said + [f"no answer: {finished.stderr.strip()[-300:]}"] * missing


def _command(solver: str) -> list[str]:
    if solver == "z3":
        beside = shutil.which("z3", path=str(Path(sys.executable).parent))
        return [beside or "z3", "-in"]
    return [sys.executable, "-c", _CVC5_CHILD if solver == "cvc5" else _BITWUZLA_CHILD]
