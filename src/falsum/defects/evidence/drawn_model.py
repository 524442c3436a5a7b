"""A model drawn at random that satisfies a flat script; no solver has to be trusted."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Final

from cachetools import LRUCache

from falsum.defects.model_check import satisfies
from falsum.smtlib import Script, print_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.model import Model, declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.random_models import random_model
from falsum.smtlib.scripts import Assert
from falsum.smtlib.walk import subterms

# So many are drawn, for scripts with so many parts at most.
MOST_DRAWN: Final = 40
_MOST_PARTS: Final = 200
_STEPS: Final = 1_000
_SEEN: Final[LRUCache[str, str]] = LRUCache(256)


def drawn_model(flat: Script) -> str:
    """The first of some random models that satisfies every assertion whatever solvers choose at open
    points; "" if none does. Deterministic for a script.
    """
    text = print_script(flat)
    if text not in _SEEN:
        _SEEN[text] = _drawn(flat)
    return _SEEN[text]


def _holds(assertion: Script, model: Model) -> bool:
    return truths(assertion, model, steps=_STEPS) == [True]


def _drawn(flat: Script) -> str:
    parts = (part for term in flat.assertions for part in subterms(term))
    if len(list(islice(parts, _MOST_PARTS + 1))) > _MOST_PARTS:
        return ""
    symbols = declared_functions(flat)
    assertions = [Script((command,)) for command in flat.commands if isinstance(command, Assert)]
    for number in range(MOST_DRAWN if symbols else 1):
        model = random_model(flat, Random(number))
        if all(_holds(assertion, model) for assertion in assertions):
            text = print_model(model, symbols)
            if text and satisfies(flat, text).always:
                return text
    return ""
