"""What the evaluator says of a formula given as text."""

from __future__ import annotations

from falsum.smtlib import read_script
from falsum.smtlib.evaluation.evaluator import STEPS, truths
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.values.cannot_say import CannotSay


def says(formula: str, model: str = "()", declarations: str = "", steps: int = STEPS) -> bool | str:
    """True, False, or the reason why it cannot be said."""
    script = read_script(f"{declarations}\n(assert {formula})")
    (answer,) = truths(script, read_model(model, script), steps)
    return answer.reason if isinstance(answer, CannotSay) else answer
