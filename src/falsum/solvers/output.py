"""Reads what a run left behind: verdicts, model and core from the output, the ending from it all."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.messages import evidence, remark
from falsum.solvers.process import Outcome, Stop
from falsum.solvers.profiles.generic import ERROR_SIGNS, SIGNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from falsum.solvers.profiles.profile import Profile, Sign

_VERDICTS = {str(verdict): verdict for verdict in Verdict}
_LANDMARK = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||[()]|["|]')
_MODEL = re.compile(r"\(\s*(?:model\b|\(\s*(?:define-|declare-|forall\b|;)|;|\))")
_CORE = re.compile(r'\((?:\s*+(?:\|[^|]*+\||[^\s()"|;:]++))*+\s*+\)\Z')
_ERROR = re.compile(r"\(\s*error\b")
_MESSAGE = re.compile(r'\(\s*error\s+"?(.*?)"?\s*\)\Z', re.DOTALL)
# "unsupported" for an option, an attribute or a logic it does not know changes no verdict.
_HARMLESS_UNSUPPORTED = re.compile(r"; (?:ignoring unsupported logic|:)")
_SEARCHED = 1 << 16
_SHELL_SIGNALS = 128  # a program behind a shell shows its signal as 128 + number
_STOPPED = {
    Stop.TIME: EndingKind.TIMED_OUT,
    Stop.CPU: EndingKind.TIMED_OUT,
    Stop.MEMORY: EndingKind.OUT_OF_MEMORY,
    Stop.OUTPUT: EndingKind.FLOODED,
}


@dataclass(slots=True)
class _Said:
    """What the output says, as far as it counts."""

    verdicts: list[Verdict]
    model: str | None = None
    core: str | None = None
    error: str | None = None
    harmless: bool = False


def read(profile: Profile, outcome: Outcome, secret: str = "", checks: int | None = None) -> Answer:
    """The answer that a run of a solver of this profile amounts to.

    With a secret, only verdicts between two lines of it count; the lines are no part of the answer. There
    are no more verdicts than `checks`.
    """
    printed = outcome.stdout.decode(errors="replace")
    stderr = outcome.stderr.decode(errors="replace")
    if not profile.echoes or (secret not in printed and outcome.status in profile.good_exits):
        secret = ""  # it came to its end and never printed one: a program that does not echo
    said = _listen(profile, printed, stderr, secret)
    stdout = _without_lines(printed, secret) if secret else printed
    if _first_sign(profile.remarks, stderr):
        said.verdicts.clear()
    return Answer(
        verdicts=tuple(said.verdicts[:checks]),
        ending=_ending(profile, outcome, said, stdout, stderr),
        model=said.model,
        core=said.core,
        stdout=stdout,
        stderr=stderr,
        seconds=outcome.seconds,
        cpu=outcome.cpu,
    )


def _without_lines(text: str, secret: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if line.strip('"\n') != secret)


def _listen(profile: Profile, stdout: str, stderr: str, secret: str) -> _Said:
    said = _Said([])
    is_check = not secret
    # The n-th "unsupported" is explained by the n-th remark, on the diagnostic channel: standard error,
    # or for a library the same text.
    remarks = iter([line for line in f"{stderr}\n{stdout}".splitlines() if line.startswith("; ")])
    for item in items(stdout):
        if secret and item.strip('"') == secret:
            is_check = not is_check
        elif item in _VERDICTS:
            if is_check:
                said.verdicts.append(_VERDICTS[item])
        elif item == "unsupported":
            line = next(remarks, "")
            if not _HARMLESS_UNSUPPORTED.match(line):
                said.error = f"unsupported {remark(line)}".strip()
                return said
        elif not item.startswith("("):
            continue
        elif _ERROR.match(item):
            message = _MESSAGE.match(item)
            text = message[1] if message else item
            if profile.harmless is None or not profile.harmless.search(text):
                said.error = text  # z3 goes on and answers for what is left: void
                return said
            said.harmless = True
        elif said.verdicts and said.verdicts[-1] is Verdict.UNSAT:
            if _CORE.match(item):
                said.core = item
        elif said.verdicts and _MODEL.match(item):
            said.model = item
    return said


def items(output: str) -> Iterator[str]:
    """Top-level lists, and lines between them; a list that never ends is not given."""
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


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if stripped := line.strip():
            yield stripped


def _ending(profile: Profile, outcome: Outcome, said: _Said, stdout: str, stderr: str) -> Ending:
    if outcome.stopped in _STOPPED:
        return Ending(_STOPPED[outcome.stopped])
    status = outcome.status
    if said.error is not None:
        found = _first_sign((*profile.signs, *SIGNS, *ERROR_SIGNS), said.error)
        rejected = Ending(EndingKind.REJECTED, Cause.ERROR, evidence(said.error))
        if status >= 0 or (found and found.kind is not EndingKind.REJECTED):
            return found or rejected
    if status < 0 or (status not in profile.good_exits and not said.harmless):
        found = _first_sign((*profile.signs, *SIGNS), f"{stderr}\n{stdout}")
        # Only an abort may be a rejection in disguise; any other signal is a crash whatever was said.
        if found and (found.kind is not EndingKind.REJECTED or status > 0 or status == -signal.SIGABRT):
            return found
        return _exit_ending(status, stderr)
    return _first_sign((*profile.remarks, *SIGNS), stderr) or FINISHED


def _exit_ending(status: int, stderr: str) -> Ending:
    if status < 0:
        return _signal_ending(-status)
    if status > _SHELL_SIGNALS:
        return _signal_ending(status - _SHELL_SIGNALS)
    return _first_sign(ERROR_SIGNS, stderr) or Ending(EndingKind.CRASHED, Cause.EXIT, str(status))


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


def _first_sign(signs: Iterable[Sign], text: str) -> Ending | None:
    searched = text if len(text) <= 2 * _SEARCHED else text[:_SEARCHED] + text[-_SEARCHED:]
    for known in signs:
        if found := known.pattern.search(searched):
            detail = found.groupdict().get("detail") or found[0]
            return Ending(known.kind, known.cause, evidence(detail))
    return None
