"""Asks solvers for a proof of a law: its negation, at concrete sorts, must be unsatisfiable."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.smtlib.laws.sampling_laws import languages

from falsum.smtlib.laws import LawInstance
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.sorts import REGLAN
from falsum.smtlib.terms import Term, sort_text
from falsum.smtlib.walk import transform

SOLVERS: Final = ("z3", "cvc5", "bitwuzla")
_END: Final = "end-of-law"

# Libraries are loaded in a child, never in the process that runs the tests. One fresh solver per script.
_CVC5_CHILD = """
import json, sys, cvc5
for line in sys.stdin:
    text, limit = json.loads(line)
    try:
        solver = cvc5.Solver(cvc5.TermManager())
        for name, value in (("tlimit-per", str(limit)), ("strings-exp", "true"), ("fp-exp", "true"),
                            ("sets-exp", "true"), ("arrays-exp", "true")):
            try:
                solver.setOption(name, value)
            except Exception:
                pass
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "(set-logic ALL)" + text, "law")
        symbols, said = parser.getSymbolManager(), ""
        while not (command := parser.nextCommand()).isNull():
            said += command.invoke(solver, symbols)
    except Exception as error:
        said = "error: " + str(error)
    print(json.dumps(said.strip()), flush=True)
"""
_BITWUZLA_CHILD = """
import json, sys, bitwuzla
for line in sys.stdin:
    text, limit = json.loads(line)
    try:
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.TIME_LIMIT_PER, limit)
        parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
        parser.parse("(set-logic ALL)" + text.replace("(check-sat)", ""), True, False)
        said = str(parser.bitwuzla().check_sat()).lower().rpartition(".")[2]
    except Exception as error:
        said = "error: " + str(error)
    print(json.dumps(said), flush=True)
"""


def scripts(instance: LawInstance, choice: int = 0) -> str:
    """The script that denies the law; `choice` picks the languages that stand for variables of RegLan."""
    known = languages()
    regexes = [b for b in instance.binders if b.sort is REGLAN]
    by: dict[Term, Term] = {b: known[(7 * choice + 5 * n + 8) % len(known)] for n, b in enumerate(regexes)}
    claim = transform(instance.claim, by.get)
    declared = [
        f"(declare-const {b.name} {sort_text(b.sort)})" for b in instance.claim_binders if b not in by
    ]
    lines = [*instance.law.prelude, *declared, f"(assert (not {print_term(claim)}))", "(check-sat)"]
    return "\n".join(lines)


# z3's finite sets have names of their own.
_Z3_NAMES: Final = {
    "(Set ": "(FiniteSet ",
    "(set.inter ": "(set.intersect ",
    "(set.minus ": "(set.difference ",
    "(set.member ": "(set.in ",
    "(set.card ": "(set.size ",
}


def spelled(solver: str, text: str) -> str:
    """The script in the solver's dialect."""
    for name, other in _Z3_NAMES.items() if solver == "z3" else ():
        text = text.replace(name, other)
    return text


def ask(solver: str, asked: Sequence[str], milliseconds: int) -> list[str]:
    """One answer for each script: unsat, sat, unknown, or an error."""
    asked = [spelled(solver, text) for text in asked]
    said: list[str] = []
    while len(said) < len(asked):
        # A solver that dies takes the script it was at with it, not the rest.
        got = list(_batch(solver, asked[len(said) :], milliseconds))
        said += got
        if len(said) < len(asked):
            said.append("error: no answer")
    return said


def _batch(solver: str, asked: Sequence[str], milliseconds: int) -> Iterator[str]:
    if solver == "z3":
        yield from _ask_z3(asked, milliseconds)
        return
    child = _CVC5_CHILD if solver == "cvc5" else _BITWUZLA_CHILD
    lines = "".join(json.dumps([text, milliseconds]) + "\n" for text in asked)
    for line in _run([sys.executable, "-c", child], lines, len(asked) * milliseconds).splitlines():
        if line.startswith('"'):
            yield str(json.loads(line))


def _ask_z3(asked: Sequence[str], milliseconds: int) -> Iterator[str]:
    questions = (f'(reset)(set-option :timeout {milliseconds})\n{text}\n(echo "{_END}")\n' for text in asked)
    binary = str(Path(sys.executable).parent / "z3")
    output = _run([binary, "-in"], "".join(questions), len(asked) * milliseconds)
    for part in output.split(f"{_END}\n")[:-1]:
        lines = [line for line in part.splitlines() if line.strip()]
        errors = [line for line in lines if line.startswith("(error")]
        yield f"error: {errors[0]}" if errors else lines[-1] if lines else "error: nothing"


def _run(command: list[str], text: str, milliseconds: int) -> str:
    finished = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=30 + milliseconds / 500, check=False
    )
    return finished.stdout
