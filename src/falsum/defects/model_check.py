"""Whether a model, as a solver prints it, satisfies a flat script under our evaluator, or falsifies it.

Only a plain *true* or *false* of the evaluator counts; *cannot say* and a model that cannot be read prove
nothing. Where a model has strings that older solvers mean in another way, it must hold, or fail, in both
readings.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from falsum.defects.finding import shortened
from falsum.errors import FalsumError
from falsum.smtlib import Script, print_term
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.model import Model, declared_functions
from falsum.smtlib.models.old_escapes import readings
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.terms import App, Function, Term
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.walk import subterms

# A mutant is worth a few milliseconds; the judge allows more.
_STEPS: Final = 5_000


class Satisfaction(NamedTuple):
    """Whether a model satisfies every assertion of a script.

    `always` if it does so whatever a solver chooses at points the standard leaves open.
    """

    holds: bool
    always: bool


_UNPROVED: Final = Satisfaction(holds=False, always=False)


def satisfies(flat: Script, model: str) -> Satisfaction:
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
    return all(held is True for held in truths(flat, model))


def falsified(flat: Script, model: str, steps: int = _STEPS, *, is_standard: bool = False) -> Term | None:
    """The first assertion that a model makes false; None if it is not known to make any false.

    `is_standard` says that the solver is known to write strings as the standard does.
    """
    found = [_falsified(flat, one, steps) for one in ((model,) if is_standard else readings(model))]
    return found[0] if all(term is not None for term in found) else None


def _falsified(flat: Script, model: str, steps: int) -> Term | None:
    try:
        read = read_model(model, flat)
        held = truths(flat, read, steps)
    except FalsumError:
        return None
    for term, value in zip(flat.assertions, held, strict=True):
        if value is False and _covers(read, term, flat):
            return term
    return None


def why_undecided(flat: Script, model: str) -> str:
    """Why it is not known whether a model satisfies a script, as a clause."""
    try:
        read = read_model(model, flat)
    except FalsumError as error:
        return f"the model cannot be read ({error})"
    for term, value in zip(flat.assertions, truths(flat, read), strict=True):
        shown = shortened(print_term(term), 100)
        if isinstance(value, CannotSay):
            return f"the assertion {shown} cannot be evaluated ({value.reason})"
        if value is False and not _covers(read, term, flat):
            return f"the model does not define every symbol of the assertion {shown}"
    return "it has strings with a backslash, which older solvers and the standard read differently"


def _covers(model: Model, term: Term, flat: Script) -> bool:
    """Whether the model defines every declared symbol of a term; what it leaves out may be anything."""
    declared = set(declared_functions(flat))
    symbols = {part.head.symbol for part in subterms(term) if isinstance(part, App)}
    return all(
        symbol not in declared or symbol in model.definitions or symbol.name in model.named
        for symbol in symbols
        if isinstance(symbol, Function)
    )
