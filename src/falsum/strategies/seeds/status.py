"""SeedStatus: sat by a model that falsum's evaluator has verified, or the verdict solvers agree on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from falsum.errors import ScriptError
from falsum.smtlib import Script, print_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.model import Model, declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.strategies.seeds.agreement import agreed_verdicts

# Evaluation steps allowed for one assertion.
EVALUATION_STEPS: Final = 200_000


@dataclass(frozen=True, slots=True)
class SeedStatus:
    """The verdict of a flat seed, None if unknown; `witness` is a model that satisfies every assertion."""

    verdict: Verdict | None
    witness: str = ""


def status_of(flat: Script, lab: Lab | None) -> SeedStatus:
    """The status of a flat script. A model that the evaluator verifies counts more than any verdict."""
    if lab is None:
        return SeedStatus(None)
    text = print_script(flat)
    (verdict,) = agreed_verdicts(text, 1, lab)
    if verdict is Verdict.UNSAT:
        return SeedStatus(verdict)
    for solver in lab.solvers:
        if lab.ask(Request(solver, text)).verdict is Verdict.SAT:
            model = lab.ask(Request(solver, text, Want.MODEL)).model
            witness = _verified(model, flat) if model is not None else ""
            if witness:
                return SeedStatus(Verdict.SAT, witness)
    return SeedStatus(verdict)


def write_witness(model: Model, flat: Script) -> tuple[str, Model]:
    """A model as text, and as that text reads back, without choices of a solver that cannot be written."""
    witness = print_model(model, declared_functions(flat))
    return witness, read_model(witness, flat)


def _verified(model: str, flat: Script) -> str:
    """A solver's model as a witness if every assertion is true under it, "" otherwise."""
    try:
        witness, read_back = write_witness(read_model(model, flat), flat)
    except ScriptError:
        return ""  # a dialect that falsum does not read
    return witness if all(held is True for held in truths(flat, read_back, EVALUATION_STEPS)) else ""
