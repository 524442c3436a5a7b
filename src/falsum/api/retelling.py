"""Retelling: a trace written into a mirror by the replies in it, without any library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from falsum.api.actions import BY_WORD
from falsum.errors import FalsumError, UsageError

if TYPE_CHECKING:
    from falsum.api.mirror import Mirror
    from falsum.api.trace import Step, Trace


def retell(trace: Trace, mirror: Mirror) -> Iterator[Step]:
    """Each step after the mirror has taken it in; what is not possible is left out, as a replay does."""
    for step in trace.steps:
        action = BY_WORD.get(step.line.word)
        if action is None:
            raise UsageError(f"there is no action {step.line.word}")
        if not action.ready(mirror):
            continue
        try:
            action.apply(mirror, step.line, step.reply)
        except FalsumError:
            continue
        mirror.actions += 1
        yield step
