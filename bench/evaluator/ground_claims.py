"""Asks solvers about ground claims in batches, each negated in a level of its own."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from typing import Final

SOLVERS: Final = ("z3", "cvc5", "bitwuzla")
# The libraries are loaded in a child process.
_CVC5: Final = """
import sys, cvc5
solver = cvc5.Solver(cvc5.TermManager())
parser = cvc5.InputParser(solver)
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), "batch")
symbols = parser.getSymbolManager()
while not (command := parser.nextCommand()).isNull():
    print(command.invoke(solver, symbols), end="", flush=True)
"""
_BITWUZLA: Final = """
import sys, bitwuzla
parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
parser.parse(sys.stdin.read(), parse_only=False, parse_file=False)
"""
_PRELUDES: Final = {
    "z3": "(set-option :timeout 3000)",
    "cvc5": "".join(
        f"(set-option :{name} {value})"
        for name, value in (
            ("incremental", "true"), ("strings-exp", "true"), ("fp-exp", "true"), ("sets-exp", "true"),
            ("arrays-exp", "true"), ("tlimit-per", "3000"),
        )
    )
    + "(set-logic ALL)",
    "bitwuzla": "(set-logic QF_ABVFP)",
}  # fmt: skip
_BATCH: Final = 250


def script(solver: str, claims: list[str]) -> str:
    checks = (f'(push 1)(assert (not {claim}))(check-sat)(echo "end")(pop 1)' for claim in claims)
    prelude = _PRELUDES[solver]
    if any("(lambda " in claim for claim in claims):
        prelude = prelude.replace("(set-logic ALL)", "(set-logic HO_ALL)")
    return "\n".join((prelude, *checks))


def answers(solver: str, claims: list[str], seconds: float = math.inf) -> list[str]:
    """An answer to each claim: unsat, sat, unknown, or an error message; fewer if the time is over before."""
    out: list[str] = []
    until = time.monotonic() + seconds
    while len(out) < len(claims) and time.monotonic() < until:
        batch = claims[len(out) : len(out) + _BATCH]
        answered, error = _ask(solver, batch)
        first_error = next((place for place, answer in enumerate(answered) if "(error" in answer), None)
        if first_error is not None:  # what a solver says after an error of its own is not to be trusted
            out += answered[: first_error + 1]
            continue
        out += answered
        if len(answered) < len(batch):
            # The claim after the last answer is the one that the solver could not process.
            out.append(f"no answer: {error}")
    return out


def _ask(solver: str, claims: list[str]) -> tuple[list[str], str]:
    try:
        finished = subprocess.run(
            _command(solver),
            input=script(solver, claims),
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    except subprocess.TimeoutExpired as expired:
        text = expired.stdout.decode() if isinstance(expired.stdout, bytes) else ""
        return _split(text), "time"
    return _split(finished.stdout), " ".join(finished.stderr.split())[-200:]


def _split(text: str) -> list[str]:
    text = text.replace("end\n", '"end"\n').replace('""end""', '"end"')
    return [" ".join(part.split()) for part in text.split('"end"\n')[:-1]]


def _command(solver: str) -> list[str]:
    if solver == "z3":
        from pathlib import Path

        return [str(Path(sys.executable).with_name("z3")), "-memory:1500", "-in"]
    return [sys.executable, "-c", _CVC5 if solver == "cvc5" else _BITWUZLA]
