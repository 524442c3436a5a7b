"""Run: one sequence of calls on one child, generated or replayed, and its checks.

Lines whose replies are not needed yet are sent without waiting for them. The first error, or the first reply
that fails a check, ends the run, and its line is the last of the trace.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from falsum.api.actions import action_of, check_shape
from falsum.api.actions.check_sat import VERDICTS
from falsum.api.actions.last_lines import last_lines
from falsum.api.checks import RunCheck, by_word
from falsum.api.model.state_machine import AFTER_SCRIPT, BEFORE_SORTS
from falsum.api.run_result import RunResult, RunStatus
from falsum.api.trace import OK, Line, Reply, Step, Trace
from falsum.errors import UsageError

if TYPE_CHECKING:
    from falsum.api.child import Child
    from falsum.api.model.mirror import Mirror
    from falsum.api.reference_solvers import ReferenceSolvers
    from falsum.api.walk import Walk


class Run:
    """One run: call `generate` or `replay` once. With `failure_kind` only checks of this kind count."""

    def __init__(
        self,
        child: Child,
        mirror: Mirror,
        checks: tuple[RunCheck, ...],
        references: ReferenceSolvers,
        seconds: float,
        failure_kind: str | None = None,
    ) -> None:
        self._child = child
        self._mirror = mirror
        self._checks = by_word(checks)
        self._references = references
        self._failure_kind = failure_kind
        self._started = time.monotonic()
        self._steps: list[Step] = []
        self._pending: list[Line] = []
        self._status: RunStatus | None = None
        self._kind = ""
        self._evidence = ""
        self._skipped = 0
        self._refusal_warnings = [re.compile(pattern) for pattern in child.capabilities.refusal_warnings]
        self._refusals = [re.compile(pattern) for pattern in child.capabilities.refusals]
        child.runs += 1
        child.set_time_limit(seconds)

    def generate(self, walk: Walk, header: dict[str, str], first: Iterable[Line] | None = None) -> RunResult:
        """Execute lines of a walk until it ends, the run is long enough, or something is wrong.

        Once the options are set, the `first` lines are executed, and the walk goes on after them.
        """
        while self._status is None and self._mirror.actions < self._mirror.bounds.actions:
            if first is not None and walk.state == BEFORE_SORTS:
                self._execute_all(first)
                first, walk.state = None, AFTER_SCRIPT
                continue
            line = walk.next(self._mirror)
            if line is None:
                break
            self._execute(line, with_follow_ups=True)
        else:
            self._execute_all(last_lines(self._mirror))
        if self._status is None and not self._mirror.checks:
            self._end(RunStatus.EMPTY, walk.state, f"no way on in state {walk.state}")
        return self._finish(header)

    def _execute_all(self, lines: Iterable[Line]) -> None:
        for line in lines:
            if action_of(line).is_ready(self._mirror):
                self._execute(line, with_follow_ups=True)
            if self._status is not None:
                break

    def replay(self, lines: Iterable[Line], header: dict[str, str]) -> RunResult:
        """Execute given lines; those that are not possible are skipped."""
        for line in lines:
            if self._status is not None:
                break
            try:
                self._execute(line, with_follow_ups=False)
            except UsageError:
                self._skipped += 1
        return self._finish(header)

    def _execute(self, line: Line, *, with_follow_ups: bool) -> None:
        action = action_of(line)
        check_shape(action, line)
        if not action.is_ready(self._mirror):
            raise UsageError(f"{line.word} is not allowed in this state")
        self._mirror.actions += 1
        if action.has_reply:
            self._require_terms(line)
        if not action.awaits_reply(self._mirror, line):
            action.apply(self._mirror, line, OK)
            self._send(line)
            return
        self._send(line)
        reply = self._receive(line)
        if reply is None:
            return
        action.apply(self._mirror, line, reply)
        if self._refusal_warnings and line.word == "check" and self._has_refusal_warning():
            return
        self._check(line, reply, with_follow_ups=with_follow_ups)

    def _require_terms(self, line: Line) -> None:
        """Raise UsageError if a query uses an unknown term, before it is sent."""
        for word in line.args:
            if word[:1] == "t" and word[1:].isdigit():
                self._mirror.entry(word)

    def _send(self, line: Line) -> None:
        self._child.send(line)
        self._pending.append(line)

    def _receive(self, awaited: Line | None = None) -> Reply | None:
        """Take the replies to all pending lines; returns the last one, None if the run has ended."""
        replies = self._child.receive()
        for line, reply in zip(self._pending, replies, strict=False):
            self._steps.append(Step(line, reply))
            if reply.is_error:
                self._pending.clear()
                self._end_by_error(line, reply)
                return None
            if line is not awaited and self._fails_check(line, reply):
                self._pending.clear()
                return None
        missing = self._pending[len(replies) :]
        self._pending.clear()
        if missing:
            reason = self._child.exit
            assert reason is not None
            self._steps.append(Step(missing[0]))
            self._end(RunStatus(str(reason.kind)), missing[0].word, reason.detail)
            return None
        return self._steps[-1].reply if self._steps else None

    def _end_by_error(self, line: Line, reply: Reply) -> None:
        is_refused = any(pattern.search(reply.text) for pattern in self._refusals)
        self._end(RunStatus.REFUSED if is_refused else RunStatus.RAISED, line.word, reply.text)

    def _has_refusal_warning(self) -> bool:
        """Whether the library has warned that it does not support what it was asked, which ends the run."""
        output = self._child.stderr()
        hit = next((match for pattern in self._refusal_warnings if (match := pattern.search(output))), None)
        if hit is not None:
            self._end(RunStatus.REFUSED, "check", hit[0])
        return hit is not None

    def _check(self, line: Line, reply: Reply, *, with_follow_ups: bool) -> None:
        if self._fails_check(line, reply) or not with_follow_ups:
            return
        for check in self._checks.get(line.word, ()):
            for follow_up in check.follow_ups(self._mirror, line, reply):
                if self._status is None and action_of(follow_up).is_ready(self._mirror):
                    self._execute(follow_up, with_follow_ups=False)

    def _fails_check(self, line: Line, reply: Reply) -> bool:
        """Whether a reply fails a check, which ends the run."""
        for check in self._checks.get(line.word, ()):
            failure = check.examine(self._mirror, line, reply, self._references)
            if failure is not None and self._failure_kind in (None, failure.kind):
                self._end(RunStatus.CHECK_FAILED, failure.kind, failure.evidence)
                return True
        return False

    def _end(self, status: RunStatus, kind: str, evidence: str) -> None:
        if self._status is None:
            self._status, self._kind, self._evidence = status, kind, evidence

    def _finish(self, header: dict[str, str]) -> RunResult:
        if self._pending:
            self._receive()
        verdicts = tuple(
            s.reply.text for s in self._steps if s.line.word == "check" and s.reply.text in VERDICTS
        )
        return RunResult(
            Trace(tuple(self._steps), header),
            self._status or RunStatus.DONE,
            self._kind,
            self._evidence,
            time.monotonic() - self._started,
            verdicts,
            self._skipped,
        )
