"""Run: one sequence of calls on one child, generated or replayed, watched by checks.

Lines that nothing depends on are sent without waiting; the first error among them, or the first complaint
about a reply, ends the run where it came: its trace ends with what is wrong.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from falsum.api.actions import action_of, check_shape
from falsum.api.actions.check_sat import VERDICTS
from falsum.api.checks import Check, by_word
from falsum.api.traces.trace import OK, Line, Reply, Step, Trace
from falsum.errors import UsageError
from falsum.solvers.messages import names_source_file, without_call_noise

if TYPE_CHECKING:
    from falsum.api.child import Child
    from falsum.api.model.mirror import Mirror
    from falsum.api.model.walk import Machine
    from falsum.api.reference_solvers import Others


class Ending(StrEnum):
    DONE = "done"
    REFUSED = "refused"  # the library does not take something, and says so
    RAISED = "raised"  # an exception where none is expected
    COMPLAINT = "complaint"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    FLOODED = "flooded"

    @property
    def is_wrong(self) -> bool:
        """Whether it is something to report."""
        return self in (Ending.RAISED, Ending.COMPLAINT, Ending.CRASHED, Ending.OUT_OF_MEMORY)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run went; `evidence` is one line for people; `skipped` counts lines a replay could not make."""

    trace: Trace
    ending: Ending
    kind: str = ""
    evidence: str = ""
    seconds: float = 0.0
    verdicts: tuple[str, ...] = ()
    skipped: int = 0

    @property
    def is_wrong(self) -> bool:
        return self.ending.is_wrong

    @property
    def signature(self) -> str:
        """What two sightings of one defect have in common: how it ended, where, and the message's words.

        A message that names the library's source says where; the call that came by does not matter then.
        """
        told = self.ending in (Ending.RAISED, Ending.CRASHED)
        message = without_call_noise(self.evidence) if told else ""
        parts = (str(self.ending), "" if names_source_file(message) else self.kind, message)
        return " | ".join(part for part in parts if part)

    def agrees_with(self, other: Outcome) -> bool:
        """Whether the same thing went wrong."""
        return self.signature == other.signature


class Run:
    """Call `generate` or `replay` once. `heeded`: only complaints of this kind end it; None for any."""

    def __init__(
        self,
        child: Child,
        mirror: Mirror,
        checks: tuple[Check, ...],
        others: Others,
        seconds: float,
        heeded: str | None = None,
    ) -> None:
        self._child = child
        self._mirror = mirror
        self._checks = by_word(checks)
        self._others = others
        self._heeded = heeded
        self._started = time.monotonic()
        self._steps: list[Step] = []
        self._pending: list[Line] = []
        self._ending: Ending | None = None
        self._kind = ""
        self._evidence = ""
        self._skipped = 0
        self._remarks = [re.compile(pattern) for pattern in child.capabilities.refusal_warnings]
        self._refusals = [re.compile(pattern) for pattern in child.capabilities.refusals]
        child.runs += 1
        child.allow(seconds)

    def generate(self, machine: Machine, header: dict[str, str]) -> Outcome:
        """Lines from the model until it ends, the bound is reached, or something is wrong."""
        while self._ending is None and self._mirror.actions < self._mirror.bounds.actions:
            line = machine.next(self._mirror)
            if line is None:
                break
            self._do(line, wanting=True)
        return self._finish(header)

    def replay(self, lines: Iterable[Line], header: dict[str, str]) -> Outcome:
        """The same lines again; one that is not possible any more is left out."""
        for line in lines:
            if self._ending is not None:
                break
            try:
                self._do(line, wanting=False)
            except UsageError:
                self._skipped += 1
        return self._finish(header)

    def _do(self, line: Line, *, wanting: bool) -> None:
        action = action_of(line)
        check_shape(action, line)
        if not action.ready(self._mirror):
            raise UsageError(f"{line.word} is not possible here")
        self._mirror.actions += 1
        if action.asks:
            self._require(line)
        if not action.waits(self._mirror, line):
            action.apply(self._mirror, line, OK)
            self._send(line)
            return
        self._send(line)
        reply = self._settle(line)
        if reply is None:
            return
        action.apply(self._mirror, line, reply)
        if self._remarks and line.word == "check" and self._is_void():
            return
        self._watch(line, reply, wanting=wanting)

    def _require(self, line: Line) -> None:
        """Names an asking line uses are known; what is unknown must not reach the child."""
        for word in line.args:
            if word[:1] == "t" and word[1:].isdigit():
                self._mirror.known(word)

    def _send(self, line: Line) -> None:
        self._child.send(line)
        self._pending.append(line)

    def _settle(self, awaited: Line | None = None) -> Reply | None:
        """The reply to the line that was waited for, the last one; None if the run is over."""
        replies = self._child.settle()
        for line, reply in zip(self._pending, replies, strict=False):
            self._steps.append(Step(line, reply))
            if reply.is_error:
                self._pending.clear()
                self._raised(line, reply)
                return None
            if line is not awaited and self._objects(line, reply):
                self._pending.clear()
                return None
        missing = self._pending[len(replies) :]
        self._pending.clear()
        if missing:
            end = self._child.end
            assert end is not None
            self._steps.append(Step(missing[0]))
            self._end(Ending(str(end.kind)), missing[0].word, end.detail)
            return None
        return self._steps[-1].reply if self._steps else None

    def _raised(self, line: Line, reply: Reply) -> None:
        refused = any(pattern.search(reply.text) for pattern in self._refusals)
        self._end(Ending.REFUSED if refused else Ending.RAISED, line.word, reply.text)

    def _is_void(self) -> bool:
        """Whether the library remarked that it does not really do what it was asked."""
        said = self._child.stderr()
        found = next((match for pattern in self._remarks if (match := pattern.search(said))), None)
        if found is not None:
            self._end(Ending.REFUSED, "check", found[0])
        return found is not None

    def _watch(self, line: Line, reply: Reply, *, wanting: bool) -> None:
        if self._objects(line, reply) or not wanting:
            return
        for check in self._checks.get(line.word, ()):
            for wanted in check.wants(self._mirror, line, reply):
                if self._ending is None:
                    self._do(wanted, wanting=False)

    def _objects(self, line: Line, reply: Reply) -> bool:
        """Whether a check has something to complain about, which ends the run."""
        for check in self._checks.get(line.word, ()):
            complaint = check.judge(self._mirror, line, reply, self._others)
            if complaint is not None and self._heeded in (None, complaint.kind):
                self._end(Ending.COMPLAINT, complaint.kind, complaint.evidence)
                return True
        return False

    def _end(self, ending: Ending, kind: str, evidence: str) -> None:
        if self._ending is None:
            self._ending, self._kind, self._evidence = ending, kind, evidence

    def _finish(self, header: dict[str, str]) -> Outcome:
        if self._pending:
            self._settle()
        verdicts = tuple(
            s.reply.text for s in self._steps if s.line.word == "check" and s.reply.text in VERDICTS
        )
        return Outcome(
            Trace(tuple(self._steps), header),
            self._ending or Ending.DONE,
            self._kind,
            self._evidence,
            time.monotonic() - self._started,
            verdicts,
            self._skipped,
        )
