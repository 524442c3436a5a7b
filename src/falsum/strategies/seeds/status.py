"""What is known of a flat seed: sat by a model that our evaluator has proved, or what solvers agree on."""

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
from falsum.strategies.seeds.agreement import agreed

# What the evaluator may spend on one assertion.
STEPS: Final = 200_000


@dataclass(frozen=True, slots=True)
class Known:
    """The verdict, None if nobody knows; a witness is a model that satisfies every assertion."""

    verdict: Verdict | None
    witness: str = ""


def known_of(flat: Script, lab: Lab | None) -> Known:
    """What is known of a flat script. A model that our evaluator proves needs nobody's word."""
    if lab is None:
        return Known(None)
    text = print_script(flat)
    (verdict,) = agreed(text, 1, lab)
    if verdict is Verdict.UNSAT:
        return Known(verdict)
    for solver in lab.solvers:
        if lab.ask(Request(solver, text)).verdict is Verdict.SAT:
            model = lab.ask(Request(solver, text, Want.MODEL)).model
            witness = proved(model, flat) if model is not None else ""
            if witness:
                return Known(Verdict.SAT, witness)
    return Known(verdict)


def proved(model: str, flat: Script) -> str:
    """A solver's model as a witness, if every assertion is true under what can be written of it; else ""."""
    try:
        witness, read = written(read_model(model, flat), flat)
    except ScriptError:
        return ""  # a dialect we do not read: there is no witness
    return witness if all(held is True for held in truths(flat, read, STEPS)) else ""


def written(model: Model, flat: Script) -> tuple[str, Model]:
    """A model as text, and as it reads back: nothing but what the text says, no solver's private choices."""
    witness = print_model(model, declared_functions(flat))
    return witness, read_model(witness, flat)
