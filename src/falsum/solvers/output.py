"""Reads the result of a run: verdicts, model and core from its output, and how it ended."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from falsum.smtlib.text.sexpr import items
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.content import Content, marked_content, plain_content, without_markers
from falsum.solvers.instruments.build import leaks_are_crashes
from falsum.solvers.instruments.sanitizers import first_report, lacks_memory
from falsum.solvers.messages import evidence
from falsum.solvers.profiles.generic import CERTAIN_SIGNS, ERROR_SIGNS, SIGNS
from falsum.solvers.supervision.process import ProcessResult, ProcessStop

if TYPE_CHECKING:
    from collections.abc import Iterable

    from falsum.solvers.profiles.profile import EndingPattern, Profile

_SEARCHED = 1 << 16
_SHELL_SIGNALS = 128  # a program behind a shell shows its signal as 128 + number
_STOPPED = {
    ProcessStop.TIME: EndingKind.TIMED_OUT,
    ProcessStop.CPU: EndingKind.TIMED_OUT,
    ProcessStop.MEMORY: EndingKind.OUT_OF_MEMORY,
    ProcessStop.OUTPUT: EndingKind.FLOODED,
    ProcessStop.FILES: EndingKind.FLOODED,
    ProcessStop.PROCESSES: EndingKind.FLOODED,
}


def read(profile: Profile, result: ProcessResult, secret: str = "", checks: int | None = None) -> Answer:
    """The answer that a run of a solver of this product amounts to.

    With a secret, verdicts are those between its markers, which are no part of the answer. `checks` is how
    many were asked; without it, every verdict that is printed counts.
    """
    stdout = result.stdout.decode(errors="replace")
    stderr = result.stderr.decode(errors="replace")
    # One that ends normally without printing the markers is a program that does not echo.
    is_marked = (
        bool(secret) and profile.echoes and (secret in stdout or result.status not in profile.normal_exits)
    )
    if is_marked:
        content = marked_content(profile, stdout, stderr, secret, checks or 0)
        stdout = without_markers(stdout, secret)
    else:
        content = plain_content(profile, stdout, stderr, checks, is_orderly=_is_orderly(profile, result))
    if _first_ending(profile.fatal_warnings, stderr):
        content.verdicts = [Verdict.MISSING] * (checks or 0)
    return Answer(
        verdicts=tuple(content.verdicts),
        ending=_ending(profile, result, content, stdout, stderr),
        model=content.model,
        core=content.core,
        stdout=stdout,
        stderr=stderr,
        seconds=result.seconds,
        cpu=result.cpu,
        printed=tuple(content.printed),
    )


def _is_orderly(profile: Profile, result: ProcessResult) -> bool:
    return not result.stopped and result.status in profile.normal_exits


def unsat_assumptions(answer: Answer, check: int) -> str:
    """The list that a solver prints after its verdict unsat at a check; "" if there is none."""
    if answer.verdict_at(check) is not Verdict.UNSAT or check >= len(answer.printed):
        return ""
    return next((item for item in items(answer.printed[check]) if item.startswith("(")), "")


def _ending(profile: Profile, result: ProcessResult, content: Content, stdout: str, stderr: str) -> Ending:
    if result.stopped in _STOPPED:
        return Ending(_STOPPED[result.stopped])
    if reported := _sanitizer_ending(stderr):
        return reported
    status = result.status
    if content.error is not None:
        found = _first_ending((*profile.ending_patterns, *SIGNS, *ERROR_SIGNS), content.error)
        rejected = Ending(EndingKind.REJECTED, Cause.ERROR, evidence(content.error))
        if status >= 0 or (found and found.kind is not EndingKind.REJECTED):
            return found or rejected
    if status < 0 or (status not in profile.normal_exits and not content.harmless):
        found = _first_ending((*profile.ending_patterns, *SIGNS), f"{stderr}\n{stdout}")
        # Only an abort may be a rejection in disguise; any other signal is a crash whatever was printed.
        if found and (found.kind is not EndingKind.REJECTED or status > 0 or status == -signal.SIGABRT):
            return found
        return _exit_ending(status, stderr)
    # A program that ends with status 0 may print what it likes for its developers.
    signs = SIGNS if status else CERTAIN_SIGNS
    return _first_ending((*profile.fatal_warnings, *signs), stderr) or FINISHED


def _sanitizer_ending(stderr: str) -> Ending | None:
    """What a sanitizer reports, also about a program that goes on and answers."""
    if not stderr:
        return None
    if lacks_memory(stderr):
        return Ending(EndingKind.OUT_OF_MEMORY)
    report = first_report(stderr)
    if report is None:
        return None
    if report.is_leak and not leaks_are_crashes():
        return FINISHED
    return Ending(EndingKind.CRASHED, Cause.SANITIZER, evidence(str(report)))


def _exit_ending(status: int, stderr: str) -> Ending:
    if status < 0:
        return _signal_ending(-status)
    if status > _SHELL_SIGNALS:
        return _signal_ending(status - _SHELL_SIGNALS)
    return _first_ending(ERROR_SIGNS, stderr) or Ending(EndingKind.CRASHED, Cause.EXIT, str(status))


def _signal_ending(number: int) -> Ending:
    if number == signal.SIGXCPU:
        return Ending(EndingKind.TIMED_OUT)
    if number == signal.SIGKILL:  # not sent by us, so by the kernel, short of memory
        return Ending(EndingKind.OUT_OF_MEMORY)
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = str(number)
    return Ending(EndingKind.CRASHED, Cause.SIGNAL, name)


def _first_ending(patterns: Iterable[EndingPattern], text: str) -> Ending | None:
    if not text:
        return None
    searched = text if len(text) <= 2 * _SEARCHED else text[:_SEARCHED] + text[-_SEARCHED:]
    for known in patterns:
        if found := known.pattern.search(searched):
            detail = found.groupdict().get("detail") or found[0]
            return Ending(known.kind, known.cause, evidence(detail))
    return None
