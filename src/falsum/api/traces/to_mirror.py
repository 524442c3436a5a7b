"""Retelling: a trace written into a mirror by the replies in it, without any library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from falsum.api.actions import action_of, check_shape
from falsum.errors import FalsumError

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror
    from falsum.api.traces.trace import Step, Trace


def retell(trace: Trace, mirror: Mirror) -> Iterator[Step]:
    """Each step after the mirror has taken it in; what is not possible is left out, as a replay does."""
    for step in trace.steps:
        action = action_of(step.line)
        if not action.ready(mirror):
            continue
        try:
            check_shape(action, step.line)
            action.apply(mirror, step.line, step.reply)
        except FalsumError:
            continue
        mirror.actions += 1
        yield step
