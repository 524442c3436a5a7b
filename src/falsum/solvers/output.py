"""Reads the result of a run: verdicts, model and core from its output, and how it ended."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.instruments.build import leaks_are_crashes
from falsum.solvers.instruments.sanitizers import first_report, lacks_memory
from falsum.solvers.messages import evidence, remark
from falsum.solvers.profiles.generic import CERTAIN_SIGNS, ERROR_SIGNS, SIGNS
from falsum.solvers.supervision.process import ProcessResult, ProcessStop

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from falsum.solvers.profiles.profile import EndingPattern, Profile

_VERDICTS = {str(verdict): verdict for verdict in Verdict}
_LANDMARK = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||[()]|["|]')
_MODEL = re.compile(r"\(\s*(?:model\b|\(\s*(?:define-|declare-|forall\b|;)|;|\))")
_HEAP = re.compile(r"\(\s*heap\b")  # after a model, of separation logic
_CORE = re.compile(r'\((?:\s*+(?:\|[^|]*+\||[^\s()"|;:]++))*+\s*+\)\Z')
_ERROR = re.compile(r"\(\s*error\b")
_MESSAGE = re.compile(r'\(\s*error\s+"?(.*?)"?\s*\)\Z', re.DOTALL)
# "unsupported" for an option, an attribute or a logic it does not know changes no verdict.
_HARMLESS_UNSUPPORTED = re.compile(r"; (?:ignoring unsupported logic|:)")
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


@dataclass(slots=True)
class _Content:
    """What is read from standard output, up to the first error that voids the rest."""

    verdicts: list[Verdict]
    model: str | None = None
    core: str | None = None
    error: str | None = None
    harmless: bool = False


def read(profile: Profile, result: ProcessResult, secret: str = "", checks: int | None = None) -> Answer:
    """The answer that a run of a solver of this product amounts to.

    With a secret, only verdicts between two lines of it count; the lines are no part of the answer. There
    are no more verdicts than `checks`.
    """
    printed = result.stdout.decode(errors="replace")
    stderr = result.stderr.decode(errors="replace")
    if not profile.echoes or (secret not in printed and result.status in profile.normal_exits):
        secret = ""  # it ended normally without printing it: a program that does not echo
    content = _content(profile, printed, stderr, secret)
    stdout = _without_lines(printed, secret) if secret else printed
    if _first_ending(profile.fatal_warnings, stderr):
        content.verdicts.clear()
    return Answer(
        verdicts=tuple(content.verdicts[:checks]),
        ending=_ending(profile, result, content, stdout, stderr),
        model=content.model,
        core=content.core,
        stdout=stdout,
        stderr=stderr,
        seconds=result.seconds,
        cpu=result.cpu,
    )


def _without_lines(text: str, secret: str) -> str:
    # Programs that print what they echo with its quotes have them around every secret.
    return re.sub(rf'^"?{re.escape(secret)}"?$\n?', "", text, flags=re.MULTILINE)


def _content(profile: Profile, stdout: str, stderr: str, secret: str) -> _Content:
    content = _Content([])
    is_check = not secret
    remarks: Iterator[str] | None = None
    for item in items(stdout):
        if secret and item.strip('"') == secret:
            is_check = not is_check
        elif item in _VERDICTS:
            if is_check:
                content.verdicts.append(_VERDICTS[item])
        elif item == "unsupported":
            remarks = remarks or _remarks(stdout, stderr)
            line = next(remarks, "")
            if not _HARMLESS_UNSUPPORTED.match(line):
                content.error = f"unsupported {remark(line)}".strip()
                return content
        elif not item.startswith("("):
            continue
        elif _ERROR.match(item):
            message = _MESSAGE.match(item)
            text = message[1] if message else item
            if profile.harmless_errors is None or not profile.harmless_errors.search(text):
                content.error = text  # what follows is void: z3 goes on and answers for the rest
                return content
            content.harmless = True
        elif content.verdicts and content.verdicts[-1] is Verdict.UNSAT:
            if _CORE.match(item):
                content.core = item
        elif content.verdicts and _MODEL.match(item):
            content.model = item
        elif content.model is not None and _HEAP.match(item):
            content.model += f"\n{item}"
    return content


def _remarks(stdout: str, stderr: str) -> Iterator[str]:
    """The remarks on the diagnostic channel: standard error, or standard output for a library.

    The n-th one explains the n-th "unsupported".
    """
    return iter([line for line in f"{stderr}\n{stdout}".splitlines() if line.startswith("; ")])


def items(output: str) -> Iterator[str]:
    """The top-level lists and the lines between them; a list that is not closed is left out."""
    depth = start = 0
    for landmark in _LANDMARK.finditer(output):
        mark = landmark[0]
        if mark == "(":
            if depth == 0:
                yield from _lines(output[start : landmark.start()])
                start = landmark.start()
            depth += 1
        elif mark == ")":
            if depth == 0:
                continue
            depth -= 1
            if depth == 0:
                yield output[start : landmark.end()]
                start = landmark.end()
        elif depth and mark in {'"', "|"}:
            return
    if depth == 0:
        yield from _lines(output[start:])


def unsat_assumptions(answer: Answer, check: int) -> str:
    """The list that a solver prints after its verdict unsat at a check; "" if there is none."""
    if check >= len(answer.verdicts) or answer.verdicts[check] is not Verdict.UNSAT:
        return ""
    number = -1
    for item in items(answer.stdout):
        number += item in _VERDICTS
        if number == check and item.startswith("("):
            return item
    return ""


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if stripped := line.strip():
            yield stripped


def _ending(profile: Profile, result: ProcessResult, content: _Content, stdout: str, stderr: str) -> Ending:
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
