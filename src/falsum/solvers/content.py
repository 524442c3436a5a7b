"""Content: a solver's standard output, split into checks with their verdicts and the output after each.

With markers, a verdict is the only text between the two markers of a check, and a model or core is the text
between the two of its request: nothing is counted, so a check without an answer shifts no other, and what
other commands print counts for nothing. Without markers, verdicts are used as far as their order is
unambiguous, and of what looks like a model the first behind the last check: falsum asks for it there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from falsum.smtlib.text.sexpr import items
from falsum.smtlib.verdict import Verdict
from falsum.solvers.messages import remark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from falsum.solvers.profiles.profile import Profile

_VERDICTS: Final = {str(verdict): verdict for verdict in (Verdict.SAT, Verdict.UNSAT, Verdict.UNKNOWN)}
_MODEL: Final = re.compile(r"\(\s*(?:model\b|\(\s*(?:define-|declare-|forall\b|;)|;|\))")
_HEAP: Final = re.compile(r"\(\s*heap\b")  # after a model, of separation logic
_CORE: Final = re.compile(r'\((?:\s*+(?:\|[^|]*+\||[^\s()"|;:]++))*+\s*+\)\Z')
_ERROR: Final = re.compile(r"\(\s*error\b")
_MESSAGE: Final = re.compile(r'\(\s*error\s+"?(.*?)"?\s*\)\Z', re.DOTALL)
# "unsupported" for an option, an attribute or a logic it does not know changes no verdict.
_HARMLESS_UNSUPPORTED: Final = re.compile(r"; (?:ignoring unsupported logic|:)")
# What some programs add to *unknown* when their own limits end a check: then it is no answer.
_CUT_SHORT: Final = re.compile(r"\((?i:time-?out|interrupted|resource-?out|mem-?out|canceled)\)")


@dataclass(slots=True)
class Content:
    """`verdicts` has one for every check, *missing* for those without one.

    `model` and `core` are those of the last check. Everything after `error` is void, although z3 goes on and
    answers for the rest. `printed` is the output after each check, up to the next; `stdout` is the output
    without markers.
    """

    verdicts: list[Verdict] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)
    model: str | None = None
    core: str | None = None
    error: str | None = None
    harmless: bool = False
    stdout: str = ""


def begin(secret: str, check: int) -> str:
    """The marker before a check."""
    return f"{secret}.{check}"


def end(secret: str, check: int) -> str:
    """The marker behind a check."""
    return f"{secret}.{check}."


def marked_content(profile: Profile, stdout: str, stderr: str, secret: str, checks: int) -> Content:
    """The content of an output with markers; `checks` is the number of checks in the script, and requests
    have the numbers behind it.
    """
    content = Content([Verdict.MISSING] * checks, [""] * checks)
    remarks = _Remarks(stdout, stderr)
    regions = list(_regions(stdout, secret))
    content.stdout = "".join(text for _number, _is_own, text in regions)
    for number, is_own, text in regions:
        region = _Region(content, profile, remarks)
        is_known = 0 <= number < checks
        if number >= checks:
            region.read(text, content.verdicts[-1] if is_own and checks else None, ignores_verdicts=True)
            content.printed[-1:] = [printed + text for printed in content.printed[-1:]]
        elif is_own:
            region.read(text, None)
            content.model = content.core = None
            if is_known and len(region.verdicts) == 1:
                content.verdicts[number] = region.verdicts[0]
        else:
            # What looks like a verdict or a model here was printed by some other command.
            region.read(text, None, ignores_verdicts=True)
            if is_known:
                content.printed[number] = text
        if content.error is not None:
            break
    return content


def plain_content(
    profile: Profile, stdout: str, stderr: str, checks: int | None, *, is_orderly: bool
) -> Content:
    """The content of an output without markers.

    If there are fewer verdicts than checks, those before the first sign of an unanswered check count; without
    such a sign, and with an orderly end, none do.
    """
    content = Content(stdout=stdout)
    region = _Region(content, profile, _Remarks(stdout, stderr))
    region.read(stdout, None)
    verdict_count = len(region.verdicts)
    believed_count = verdict_count
    if checks is not None and verdict_count != checks:
        believed_count = 0 if verdict_count > checks or is_orderly else verdict_count
        if verdict_count < checks and region.doubtful_from is not None:
            believed_count = region.doubtful_from
        content.model = content.core = None
    missing = 0 if checks is None else checks - believed_count
    content.verdicts = region.verdicts[:believed_count] + [Verdict.MISSING] * missing
    content.printed = ["\n".join(lists) for lists in region.behind[:believed_count]] + [""] * missing
    return content


class _Region:
    """Reads a part of an output item by item into a content."""

    def __init__(self, content: Content, profile: Profile, remarks: _Remarks) -> None:
        self._content = content
        self._profile = profile
        self._remarks = remarks
        self.verdicts: list[Verdict] = []
        self.behind: list[list[str]] = []
        # How many verdicts come before the first sign of a check without an answer.
        self.doubtful_from: int | None = None

    def read(self, text: str, verdict: Verdict | None, *, ignores_verdicts: bool = False) -> None:
        """Take in the next text after a verdict, if any."""
        content = self._content
        for item in items(text):
            if item in _VERDICTS:
                if ignores_verdicts:
                    continue
                verdict = _VERDICTS[item]
                self.verdicts.append(verdict)
                self.behind.append([])
                content.model = content.core = None
            elif item == "unsupported":
                line = self._remarks.next()
                if not _HARMLESS_UNSUPPORTED.match(line):
                    content.error = f"unsupported {remark(line)}".strip()
            elif _ERROR.match(item):
                self._doubt()
                self._note_error(item)
            elif not item.startswith("("):
                self._doubt()
            elif verdict is Verdict.UNKNOWN and _CUT_SHORT.fullmatch(item):
                self.verdicts[-1:] = [Verdict.MISSING] * len(self.verdicts[-1:])
            else:
                self._note_list(item, verdict)
            if content.error is not None:
                return

    def _note_error(self, item: str) -> None:
        message = _MESSAGE.match(item)
        text = message[1] if message else item
        harmless = self._profile.harmless_errors
        if harmless is not None and harmless.search(text):
            self._content.harmless = True
        else:
            self._content.error = text

    def _note_list(self, item: str, verdict: Verdict | None) -> None:
        content = self._content
        if self.behind:
            self.behind[-1].append(item)
        if verdict is Verdict.UNSAT:
            if content.core is None and _CORE.match(item):
                content.core = item
        elif verdict in {Verdict.SAT, Verdict.UNKNOWN} and content.model is None and _MODEL.match(item):
            content.model = item
        elif verdict is not None and content.model is not None and _HEAP.match(item):
            content.model += f"\n{item}"

    def _doubt(self) -> None:
        if self.doubtful_from is None:
            self.doubtful_from = len(self.verdicts)


class _Remarks:
    """The remarks on the diagnostic channel: standard error, or standard output for a library.

    The n-th one explains the n-th "unsupported".
    """

    def __init__(self, stdout: str, stderr: str) -> None:
        self._texts = (stderr, stdout)
        self._lines: Iterator[str] | None = None

    def next(self) -> str:
        if self._lines is None:
            lines = "\n".join(self._texts).splitlines()
            self._lines = iter([line for line in lines if line.startswith("; ")])
        return next(self._lines, "")


def _regions(stdout: str, secret: str) -> Iterator[tuple[int, bool, str]]:
    """The texts between markers, each with the number of its check and whether it is the check's own."""
    # Programs that print what they echo with its quotes have them around every marker.
    markers = list(re.finditer(rf'^"?{re.escape(secret)}\.(\d+)(\.?)"?\s*?$\n?', stdout, re.MULTILINE))
    yield -1, False, stdout[: markers[0].start()] if markers else stdout
    for marker, following in zip_longest(markers, markers[1:]):
        stop = following.start() if following else len(stdout)
        yield int(marker[1]), not marker[2], stdout[marker.end() : stop]
