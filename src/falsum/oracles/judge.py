"""The judge: who is wrong, by the strongest evidence that can be had.

So far two kinds of evidence, both by our own evaluator: a model that satisfies everything asserted proves
*sat*, whoever gave it; and a script without declared symbols has only one model, so an assertion that is
false in it proves *unsat*.
"""

from __future__ import annotations

from itertools import islice

from falsum.errors import FalsumError
from falsum.oracles.in_force import at_each_check
from falsum.smtlib import Script, print_term, read_script
from falsum.smtlib.evaluate import truths
from falsum.smtlib.model_reading import read_model
from falsum.smtlib.models import bare_model, declared_functions
from falsum.smtlib.scripts import DeclareSort


def proves_sat(script: str, check: int, model: str) -> bool:
    """Whether a model, as a solver prints it, satisfies all that is in force at a check of the script."""
    flat = _in_force(script, check)
    try:
        return flat is not None and all(held is True for held in truths(flat, read_model(model, flat)))
    except FalsumError:
        return False  # what we cannot read proves nothing


def refuted(script: str, check: int) -> str:
    """An assertion in force at a check that is false whatever the model, as text; "" if none is known."""
    flat = _in_force(script, check)
    if flat is None or declared_functions(flat) or any(isinstance(c, DeclareSort) for c in flat.commands):
        return ""
    held = truths(flat, bare_model(flat))
    return next((print_term(t) for t, value in zip(flat.assertions, held, strict=True) if value is False), "")


def _in_force(script: str, check: int) -> Script | None:
    try:
        return next(islice(at_each_check(read_script(script)), check, None), None)
    except FalsumError:
        return None
