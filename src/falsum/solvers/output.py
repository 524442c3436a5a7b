"""Reads the result of a run: verdicts, model and core from its output, and how it ended."""

from __future__ import annotations

import signal
from dataclasses import replace
from typing import TYPE_CHECKING

from falsum.smtlib.models.old_escapes import as_standard
from falsum.smtlib.text.sexpr import items
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.content import Content, marked_content, plain_content
from falsum.solvers.inputs.harmless_names import restored
from falsum.solvers.inputs.solver_input import SolverInput
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
_LAST_SIGNAL = 64
# Those that a program brings upon itself.
_OWN_SIGNALS = frozenset(
    {
        signal.SIGABRT,
        signal.SIGBUS,
        signal.SIGFPE,
        signal.SIGILL,
        signal.SIGSEGV,
        signal.SIGSTKFLT,
        signal.SIGTRAP,
    }
)
_STOPPED = {
    ProcessStop.TIME: EndingKind.TIMED_OUT,
    ProcessStop.CPU: EndingKind.TIMED_OUT,
    ProcessStop.MEMORY: EndingKind.OUT_OF_MEMORY,
    ProcessStop.OUTPUT: EndingKind.FLOODED,
    ProcessStop.FILES: EndingKind.FLOODED,
    ProcessStop.PROCESSES: EndingKind.FLOODED,
}


def read(
    profile: Profile, result: ProcessResult, secret: str = "", asked: SolverInput | int | None = None
) -> Answer:
    """The answer of a run of a solver of this product.

    With a secret, verdicts are those between its markers, which are no part of the answer. `asked` is the
    solver's input, or the number of checks; without it, every printed verdict counts.
    """
    stdout = result.stdout.decode(errors="replace")
    stderr = result.stderr.decode(errors="replace")
    solver_input, checks = (asked, asked.checks) if isinstance(asked, SolverInput) else (None, asked)
    is_orderly = not result.stopped and result.status in profile.normal_exits
    # One that ends normally without printing the markers is a program that does not echo.
    if secret and profile.echoes and (secret in stdout or not is_orderly):
        content = marked_content(profile, stdout, stderr, secret, checks or 0)
    else:
        content = plain_content(profile, stdout, stderr, checks, is_orderly=is_orderly)
    stdout = content.stdout
    if _first_ending(profile.fatal_warnings, stderr):
        content.verdicts = [Verdict.MISSING] * (checks or 0)
    answer = Answer(
        verdicts=tuple(content.verdicts),
        ending=_ending(
            profile,
            result,
            content,
            stdout,
            stderr,
            may_repeat=solver_input is not None and solver_input.has_signs,
        ),
        model=content.model,
        core=content.core,
        stdout=stdout,
        stderr=stderr,
        seconds=result.seconds,
        cpu=result.cpu,
        printed=tuple(content.printed),
    )
    return answer if solver_input is None else _translated(answer, solver_input)


def _translated(answer: Answer, solver_input: SolverInput) -> Answer:
    """The answer with the original names of the script, and with strings in the standard's notation."""
    if solver_input.old_escapes and answer.model is not None:
        answer = replace(answer, model=as_standard(answer.model))
    if not solver_input.names:
        return answer
    return replace(
        answer,
        model=None if answer.model is None else restored(answer.model, solver_input.names),
        core=None if answer.core is None else restored(answer.core, solver_input.names),
        stdout=restored(answer.stdout, solver_input.names),
        printed=tuple(restored(text, solver_input.names) for text in answer.printed),
    )


def unsat_assumptions(answer: Answer, check: int) -> str:
    """The list that a solver prints after its verdict unsat at a check; "" if there is none."""
    if answer.verdict_at(check) is not Verdict.UNSAT or check >= len(answer.printed):
        return ""
    return next((item for item in items(answer.printed[check]) if item.startswith("(")), "")


def _ending(
    profile: Profile, result: ProcessResult, content: Content, stdout: str, stderr: str, *, may_repeat: bool
) -> Ending:
    """How a run ended; if the output `may_repeat` the script, no text alone makes it a crash."""
    if result.stopped in _STOPPED:
        return Ending(_STOPPED[result.stopped])
    status = result.status
    number = _signal_of(status)
    is_orderly = status in profile.normal_exits or (content.harmless and number is None)
    believes_text = number is not None or not may_repeat
    if believes_text and (reported := _sanitizer_ending(stderr)):
        return reported
    if content.error is not None:
        ending = _first_ending((*profile.ending_patterns, *SIGNS, *ERROR_SIGNS), content.error)
        rejected = Ending(EndingKind.REJECTED, Cause.ERROR, evidence(content.error))
        if ending and ending.kind is EndingKind.CRASHED and not believes_text:
            return rejected
        if number is None or (ending and ending.kind is not EndingKind.REJECTED):
            return ending or rejected
    # A program that has answered everything may print what it likes for its developers.
    is_answered = bool(content.verdicts) and Verdict.MISSING not in content.verdicts and number is None
    signs = CERTAIN_SIGNS if is_answered or not status else SIGNS
    if not is_orderly:
        ending = _first_ending((*profile.ending_patterns, *signs), f"{stderr}\n{stdout}")
        if ending and ending.kind is EndingKind.CRASHED and not believes_text:
            ending = None
        # Only an abort may be a rejection in disguise; any other signal is what it is, whatever was printed.
        if ending and (ending.kind is not EndingKind.REJECTED or number in {None, signal.SIGABRT}):
            return ending
        return _exit_ending(profile, status, stderr if believes_text else "", is_answered=is_answered)
    if not believes_text:
        return _first_ending(profile.fatal_warnings, stderr) or FINISHED
    return _first_ending((*profile.fatal_warnings, *signs), stderr) or FINISHED


def _sanitizer_ending(stderr: str) -> Ending | None:
    """The ending reported by a sanitizer, also for a program that goes on and answers."""
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


def _signal_of(status: int) -> int | None:
    """The signal that ended a program, or one behind a shell; None if it ended by itself."""
    number = -status if status < 0 else status - _SHELL_SIGNALS
    return number if status < 0 or 0 < number <= _LAST_SIGNAL else None


def _exit_ending(profile: Profile, status: int, stderr: str, *, is_answered: bool) -> Ending:
    """The ending of a program that prints nothing about it."""
    number = _signal_of(status)
    if number is not None:
        return _signal_ending(number)
    if status in profile.crash_exits:
        return Ending(EndingKind.CRASHED, Cause.EXIT, str(status))
    if is_answered:
        return FINISHED
    return _first_ending(ERROR_SIGNS, stderr) or Ending(EndingKind.ODD, Cause.EXIT, str(status))


def _signal_ending(number: int) -> Ending:
    if number == signal.SIGXCPU:
        return Ending(EndingKind.TIMED_OUT)
    if number == signal.SIGKILL:  # not sent by us, so by the kernel, short of memory
        return Ending(EndingKind.OUT_OF_MEMORY)
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = str(number)
    # Any other comes from outside.
    kind = EndingKind.CRASHED if number in _OWN_SIGNALS else EndingKind.ODD
    return Ending(kind, Cause.SIGNAL, name)


def _first_ending(patterns: Iterable[EndingPattern], text: str) -> Ending | None:
    if not text:
        return None
    searched = text if len(text) <= 2 * _SEARCHED else text[:_SEARCHED] + text[-_SEARCHED:]
    for pattern in patterns:
        if match := pattern.pattern.search(searched):
            detail = match.groupdict().get("detail") or match[0]
            return Ending(pattern.kind, pattern.cause, evidence(detail))
    return None
