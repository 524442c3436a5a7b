"""Translates a trace into an SMT-LIB script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falsum.api.actions import action_of
from falsum.api.actions.script_writer import ScriptWriter
from falsum.api.traces.to_mirror import apply_trace

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror
    from falsum.api.trace import Trace
    from falsum.smtlib.scripts import Script


def trace_to_script(trace: Trace, mirror: Mirror) -> Script:
    """Translate a trace, given an empty mirror; raises UsageError for an extra that SMT-LIB does not have."""
    lines = [step.line for step in apply_trace(trace, mirror)]
    present = {f":{line.args[0]}" for line in lines if line.word == "set-option"}
    options = dict.fromkeys(option for line in lines if (option := action_of(line).script_option))
    writer = ScriptWriter(mirror, options, present)
    for line in lines:
        action_of(line).write(writer, line)
    return writer.script()
