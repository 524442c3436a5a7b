"""Walk: a random walk through the state machine that draws one line after the other."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from falsum.api.actions import action_named
from falsum.api.model.guidance import ACTION, Guidance
from falsum.api.model.mirror import Mirror
from falsum.api.model.state_machine import FINAL, PRECONDITIONS, START, StateMachine

if TYPE_CHECKING:
    from falsum.api.actions.action import Action
    from falsum.api.trace import Line

# After so many transitions in a row without a line the walk is stuck: the state machine has a dead end.
_MAX_IDLE: Final = 2000


class ResolvedTransition(NamedTuple):
    """A transition with its action, its target state and the precondition of that state looked up."""

    name: str
    action: Action | None
    to: str
    precondition: Callable[[Mirror], bool] | None


# By state: the cumulative weights of its transitions, and the transitions.
TransitionTable: TypeAlias = Mapping[str, tuple[list[float], list[ResolvedTransition]]]


def resolve_transitions(machine: StateMachine, guidance: Guidance | None = None) -> TransitionTable:
    """Look up all transitions once, for many walks."""
    guidance = guidance or Guidance()
    return {
        name: (
            list(
                accumulate(each.weight * guidance.weight(ACTION, each.action) for each in state.transitions)
            ),
            [
                ResolvedTransition(
                    each.action,
                    action_named(each.action) if each.action else None,
                    each.to or name,
                    PRECONDITIONS[machine.states[each.to].precondition] if each.to else None,
                )
                for each in state.transitions
            ],
        )
        for name, state in machine.states.items()
    }


class Walk:
    """One walk; `state` is where it is. It counts lines by state and action in `visits`."""

    def __init__(
        self, transitions: TransitionTable, rng: Random, visits: Counter[tuple[str, str]] | None = None
    ) -> None:
        self._visits = Counter[tuple[str, str]]() if visits is None else visits
        self._transitions = transitions
        self._rng = rng
        self.state = START

    def next(self, mirror: Mirror) -> Line | None:
        """Draw the next line; None at the end of the walk, or if it is stuck."""
        for _ in range(_MAX_IDLE):
            if self.state == FINAL:
                return None
            weights, transitions = self._transitions[self.state]
            transition = transitions[bisect(weights, self._rng.random() * weights[-1], 0, len(weights) - 1)]
            if transition.precondition is not None and not transition.precondition(mirror):
                continue
            if transition.action is None:
                self.state = transition.to
                continue
            line = transition.action.draw(mirror, self._rng) if transition.action.is_ready(mirror) else None
            if line is not None:
                self._visits[self.state, transition.name] += 1
                self.state = transition.to
                return line
        return None
