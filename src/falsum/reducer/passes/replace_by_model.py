"""Replaces terms by their values under a model. Guided: made for one reduction, with its witness."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from falsum.errors import FalsumError
from falsum.reducer.edits import Edit, ReplaceTerm
from falsum.reducer.measure import Measurer
from falsum.reducer.outline import Outline
from falsum.reducer.passes.protocol import rank_by_size
from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.printing.values_as_terms import value_of
from falsum.smtlib.theories import kind_of
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.functions import Closure, OpenPoint

_STEPS: Final = 100_000


class ReplaceByModel:
    """With x = 3 and y = 5: `(assert (< (+ x 1) (* y y)))` → `(assert (< 4 (* y y)))` → `(assert (< 4 25))`.

    The model of the script stays a model, so a finding keeps its witness.
    """

    name = "replace-by-model"

    def __init__(self, model: str) -> None:
        self._model = model

    def edits(self, outline: Outline) -> Iterator[Edit]:
        try:
            evaluation = Evaluation(read_model(self._model, outline.script), _STEPS)
        except FalsumError:
            return  # a model in a dialect falsum does not read
        measurer = Measurer()
        for place, term in outline.terms():
            if not kind_of(term.sort).has_literals or outline.is_value(place) or outline.free[term]:
                continue
            evaluation.steps = _STEPS
            payload = evaluation.run(term)
            if isinstance(payload, CannotSay | Closure | OpenPoint):
                continue
            new = value_of(term.sort, payload)
            if new is not None and measurer.term_weight(new) < outline.weights[place]:
                yield ReplaceTerm(place, new, rank=rank_by_size(outline.sizes[place]))
