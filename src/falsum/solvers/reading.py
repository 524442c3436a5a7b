"""Reads what a run left behind: verdicts, model and core from the output, the ending from it all."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.process import Outcome, Stop
from falsum.solvers.profiles.generic import ERROR_SIGNS, SIGNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from falsum.solvers.profiles.profile import Profile, Sign

_VERDICTS = {str(verdict): verdict for verdict in Verdict}
_LANDMARK = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||[()]|["|]')
_MODEL = re.compile(r"\(\s*(?:model\b|\(\s*(?:define-|declare-|forall\b|;)|;|\))")
_CORE = re.compile(r'\((?:\s*(?:\|[^|]*\||[^\s()"|;:]+))*\s*\)\Z')
_ERROR = re.compile(r"\(\s*error\b")
_MESSAGE = re.compile(r'\(\s*error\s+"?(.*?)"?\s*\)\Z', re.DOTALL)
# "unsupported" for an option, an attribute or a logic it does not know changes no verdict.
_HARMLESS_UNSUPPORTED = re.compile(r"; (?:ignoring unsupported logic|:)")
_EVIDENCE_LENGTH = 200
_SEARCHED = 1 << 16
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


def read(profile: Profile, outcome: Outcome) -> Answer:
    """The answer that a run of a solver of this profile amounts to."""
    stdout = outcome.stdout.decode(errors="replace")
    stderr = outcome.stderr.decode(errors="replace")
    said = _listen(profile, stdout, stderr)
    return Answer(
        verdicts=tuple(said.verdicts),
        ending=_ending(profile, outcome, said, stdout, stderr),
        model=said.model,
        core=said.core,
        stdout=stdout,
        stderr=stderr,
        seconds=outcome.seconds,
        cpu=outcome.cpu,
    )


def _listen(profile: Profile, stdout: str, stderr: str) -> _Said:
    said = _Said([])
    # The n-th "unsupported" on standard output is explained by the n-th remark on standard error.
    remarks = iter([line for line in stderr.splitlines() if line.startswith("; ")])
    for item in items(stdout):
        if item in _VERDICTS:
            said.verdicts.append(_VERDICTS[item])
        elif item == "unsupported":
            remark = next(remarks, "")
            if not _HARMLESS_UNSUPPORTED.match(remark):
                said.error = f"unsupported {remark}".strip()
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
    if said.error is not None:
        found = _first_sign((*profile.signs, *SIGNS, *ERROR_SIGNS), said.error)
        if found is None:
            return Ending(EndingKind.REJECTED, Cause.ERROR, _evidence(said.error))
        if found.kind is not EndingKind.REJECTED or outcome.status >= 0:
            return found
    bad_exit = outcome.status not in profile.good_exits and not said.harmless
    if found := _first_sign(SIGNS, stderr):
        return found
    if bad_exit and (found := _first_sign((*profile.signs, *SIGNS), f"{stderr}\n{stdout}")):
        return found
    if outcome.status < 0:
        return _signal_ending(-outcome.status)
    if bad_exit:
        # A program behind a shell shows its signal as 128 + number.
        if outcome.status > 128:
            return _signal_ending(outcome.status - 128)
        if found := _first_sign(ERROR_SIGNS, stderr):
            return found
        return Ending(EndingKind.CRASHED, Cause.EXIT, str(outcome.status))
    return FINISHED


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
            return Ending(known.kind, known.cause, _evidence(detail))
    return None


def _evidence(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _EVIDENCE_LENGTH else line[:_EVIDENCE_LENGTH] + "…"
