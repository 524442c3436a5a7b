"""Applies a trace to a mirror by its recorded replies, without a library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from falsum.api.actions import action_of, check_shape
from falsum.errors import FalsumError

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror
    from falsum.api.trace import Step, Trace


def apply_trace(trace: Trace, mirror: Mirror) -> Iterator[Step]:
    """Apply each step and yield it; lines that are not possible are skipped, as in a replay."""
    for step in trace.steps:
        action = action_of(step.line)
        if not action.is_ready(mirror):
            continue
        try:
            check_shape(action, step.line)
            action.apply(mirror, step.line, step.reply)
        except FalsumError:
            continue
        mirror.actions += 1
        yield step
