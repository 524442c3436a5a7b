"""Facts about a value mutant (φ^sub): that a model satisfies it, and the values its monitors take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from falsum.errors import ScriptError
from falsum.smtlib import read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.evaluation.evaluator import payload_of, truths
from falsum.smtlib.models.model import Model, declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.terms import Term
from falsum.smtlib.verdict import Verdict
from falsum.smtlib.walk import transform
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Claim
from falsum.strategies.valfuzz.meta_formula import MetaFormula

# Evaluation steps for one assertion: what takes longer is not claimed.
_STEPS: Final = 20_000


def witnessed_claim(text: str, model: Model) -> Claim | None:
    """A claim of sat for the checks whose assertions a model satisfies by the evaluator; None if there
    are none.
    """
    script = read_script(text)
    witness = print_model(model, declared_functions(script))
    try:
        seed_model = read_model(witness, script)
    except ScriptError:
        return None  # a value that only the solver can name
    truths_at = [
        all(value is True for value in truths(at, seed_model, _STEPS)) for at in at_each_check(script)
    ]
    return (
        Claim(tuple(Verdict.SAT if one else None for one in truths_at), witness) if any(truths_at) else None
    )


def values_in_mutant(
    text: str, meta: MetaFormula, constants: Mapping[int, Term], lab: Lab
) -> Iterator[tuple[int, bool]]:
    """The values of monitors in a model of a mutant (Definition III.2); none if no solver has a model."""
    script = read_script(text)
    holes = {hole.variable: constants.get(hole.place, hole.constant) for hole in meta.skeleton.holes}
    for solver in lab.solvers:
        answer = lab.ask(Request(solver, text, Want.MODEL))
        if answer.model is None:
            continue
        try:
            model = read_model(answer.model, script)
        except ScriptError:
            continue  # a dialect that falsum does not read: try the next solver
        for number, monitor in enumerate(meta.monitors):
            value = payload_of(transform(monitor.term, holes.get), model, _STEPS)
            if isinstance(value, bool):
                yield number, value
        return
