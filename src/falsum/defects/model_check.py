"""Whether a model, as a solver prints it, satisfies a flat script under our evaluator, or falsifies it.

Only a plain *true* or *false* of the evaluator counts; *cannot say* and a model that cannot be read prove
nothing. That a model satisfies a script says nothing where recursive definitions may have no solution: those
are constraints, too. Where a model has strings that older solvers mean in another way, it must hold, or fail,
in both readings.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

from falsum.defects.case import terms_of
from falsum.defects.finding import shortened
from falsum.errors import FalsumError
from falsum.smtlib import Script, print_term, read_script
from falsum.smtlib.at_check import at_check
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.fragments.recursion import has_solution
from falsum.smtlib.models.model import Model, undefined_symbols
from falsum.smtlib.models.old_escapes import readings
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.terms import Term, Value
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.walk import subterms

# A number with at least so many digits after the point.
_DECIMAL: Final = re.compile(r"(?<![\w.])\d+\.\d{6,}(?![\w.])")
# A mutant is worth a few milliseconds; the judge allows more.
_STEPS: Final = 5_000


class Satisfaction(NamedTuple):
    """Whether a model satisfies every assertion of a script; `always` if it does for every choice at
    open points.
    """

    holds: bool
    always: bool


_UNPROVED: Final = Satisfaction(holds=False, always=False)


def satisfies(flat: Script, model: str) -> Satisfaction:
    if not has_solution(flat):
        return _UNPROVED
    always = True
    for reading in readings(model):
        try:
            read = read_model(reading, flat)
        except FalsumError:
            return _UNPROVED
        if not _all_hold(flat, read):
            return _UNPROVED
        always = always and (not read.named or _all_hold(flat, replace(read, named={})))
    return Satisfaction(holds=True, always=always)


def _all_hold(flat: Script, model: Model) -> bool:
    return all(truth is True for truth in truths(flat, model))


def falsified(flat: Script, model: str, steps: int = _STEPS, *, is_standard: bool = False) -> Term | None:
    """The first assertion that a model falsifies; None if none is known.

    `is_standard` says that the solver is known to write strings as the standard does.
    """
    if is_approximate(flat, model):
        return None
    results = [_falsified(flat, one, steps) for one in ((model,) if is_standard else readings(model))]
    return results[0] if all(term is not None for term in results) else None


def is_approximate(flat: Script, model: str) -> bool:
    """Whether a model has decimals that approximate numbers without a finite decimal.

    Those that the script has itself are exact; other exact values are printed as fractions.
    """
    decimals = {Fraction(decimal) for decimal in _DECIMAL.findall(model)}
    if not decimals:
        return False
    parts = (part for term in terms_of(flat) for part in subterms(term))
    return not decimals <= {part.payload for part in parts if isinstance(part, Value)}


def _falsified(flat: Script, model: str, steps: int) -> Term | None:
    try:
        read = read_model(model, flat)
        truth_values = truths(flat, read, steps)
    except FalsumError:
        return None
    for term, value in zip(flat.assertions, truth_values, strict=True):
        if value is False and not undefined_symbols(read, term):
            return term
    return None


def why_undecided(flat: Script, model: str) -> str:
    """Why it is unknown whether a model satisfies a script, as a clause."""
    try:
        read = read_model(model, flat)
    except FalsumError as error:
        return f"the model cannot be read ({error})"
    for term, value in zip(flat.assertions, truths(flat, read), strict=True):
        text = shortened(print_term(term), 100)
        if isinstance(value, CannotSay):
            return f"the assertion {text} cannot be evaluated ({value.reason})"
        if value is False and undefined_symbols(read, term):
            return f"the model does not define every symbol of the assertion {text}"
    if not has_solution(flat):
        return "every assertion evaluates to true, but the recursive definitions may have no solution"
    if is_approximate(flat, model):
        return "it has decimals that may be approximations"
    return "it has strings with a backslash, which older solvers and the standard read differently"


def proves_sat(script: str, check: int, model: str, *, always: bool = False) -> bool:
    """Whether a printed model satisfies the assertions at a check of the script; with `always`, for every
    choice at open points.

    Unknown for a script with a command before the check that falsum does not understand, because it may
    assert more.
    """
    try:
        read = read_script(until_check(script, check))
        flat = None if read.not_understood else at_check(read, check)
    except FalsumError:
        return False
    proof = satisfies(flat, model) if flat is not None else _UNPROVED
    return proof.always if always else proof.holds
