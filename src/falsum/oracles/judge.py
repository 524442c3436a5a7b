"""The judge: who is wrong, by the strongest evidence that can be had.

So far one kind of evidence: a model that our own evaluator finds to satisfy everything asserted proves *sat*,
and whoever says unsat is wrong. It does not matter who gave the model.
"""

from __future__ import annotations

from itertools import islice

from falsum.errors import FalsumError
from falsum.oracles.in_force import at_each_check
from falsum.smtlib import read_script
from falsum.smtlib.evaluate import truths
from falsum.smtlib.model_reading import read_model


def proves_sat(script: str, check: int, model: str) -> bool:
    """Whether a model, as a solver prints it, satisfies all that is in force at a check of the script."""
    try:
        flat = next(islice(at_each_check(read_script(script)), check, None), None)
        if flat is None or not flat.assertions:
            return flat is not None
        return all(value is True for value in truths(flat, read_model(model, flat)))
    except FalsumError:
        return False  # what we cannot read proves nothing
