"""Machine: walks through the model and draws one line after the other."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Mapping
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from falsum.api.actions import action_named
from falsum.api.model.mirror import Mirror
from falsum.api.model.state_machine import FINAL, FIRST, NEEDS, Model

if TYPE_CHECKING:
    from falsum.api.actions.action import Action
    from falsum.api.traces.trace import Line

# Draws that lead nowhere in a row before a run is given up: the model has a dead end.
_MOST_IDLE: Final = 2000


class Way(NamedTuple):
    """A transition, looked up: its action, if it has one, the state after it, and whether that may be."""

    action: Action | None
    to: str
    may_enter: Callable[[Mirror], bool] | None


# By state: the sums of weights up to each way, and the ways.
Ways: TypeAlias = Mapping[str, tuple[list[float], list[Way]]]


def ways_of(model: Model) -> Ways:
    """The model for many walks."""
    return {
        name: (
            list(accumulate(each.weight for each in state.transitions)),
            [
                Way(
                    action_named(each.action) if each.action else None,
                    each.to or name,
                    NEEDS[model.states[each.to].needs] if each.to else None,
                )
                for each in state.transitions
            ],
        )
        for name, state in model.states.items()
    }


class Machine:
    """One walk."""

    def __init__(self, ways: Ways, rng: Random) -> None:
        self._ways = ways
        self._rng = rng
        self.state = FIRST

    def next(self, mirror: Mirror) -> Line | None:
        """The next line; None when the walk is over."""
        for _ in range(_MOST_IDLE):
            if self.state == FINAL:
                return None
            weights, ways = self._ways[self.state]
            way = ways[bisect(weights, self._rng.random() * weights[-1], 0, len(weights) - 1)]
            if way.may_enter is not None and not way.may_enter(mirror):
                continue
            if way.action is None:
                self.state = way.to
                continue
            line = way.action.draw(mirror, self._rng) if way.action.ready(mirror) else None
            if line is not None:
                self.state = way.to
                return line
        return None
