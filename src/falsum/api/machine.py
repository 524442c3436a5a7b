"""Machine: walks through the model and draws one line after the other."""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate
from random import Random
from typing import Final

from falsum.api.actions import action_named
from falsum.api.mirror import Mirror
from falsum.api.model import FINAL, FIRST, Model
from falsum.api.trace import Line

# Draws that lead nowhere in a row before a run is given up: the model has a dead end.
_MOST_IDLE: Final = 2000


class Machine:
    """One walk."""

    def __init__(self, model: Model, rng: Random) -> None:
        self._model = model
        self._rng = rng
        self.state = FIRST
        self._weights = {
            name: list(accumulate(each.weight for each in state.transitions))
            for name, state in model.states.items()
        }

    def next(self, mirror: Mirror) -> Line | None:
        """The next line; None when the walk is over."""
        for _ in range(_MOST_IDLE):
            if self.state == FINAL:
                return None
            transitions = self._model.states[self.state].transitions
            weights = self._weights[self.state]
            chosen = transitions[bisect(weights, self._rng.random() * weights[-1], 0, len(weights) - 1)]
            if not self._model.may_enter(chosen.to, mirror):
                continue
            if not chosen.action:
                self.state = chosen.to or self.state
                continue
            action = action_named(chosen.action)
            if not action.ready(mirror):
                continue
            line = action.draw(mirror, self._rng)
            if line is not None:
                self.state = chosen.to or self.state
                return line
        return None
