"""Noise in solvers' messages, and the parts that tell one failure from another.

Messages are compared without the parts that vary without meaning: addresses, folders, process numbers, line
numbers. How much varies depends on what is compared: two runs of one release, two releases, or two runs of a
library. Stores and lists of known findings hold messages in the forms `without_run_noise`, `crash_place` and
`without_call_noise`: a change to one of them makes known findings new.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from itertools import pairwise
from typing import Final

from falsum.solvers.answer import PLACELESS, Answer, Cause, Ending
from falsum.solvers.instruments.sanitizers import first_report

_Noise = tuple[tuple[re.Pattern[str], str], ...]

_ADDRESS: Final = re.compile(r"0x[0-9a-fA-F]+")
_NUMBER: Final = re.compile(r"\d+")
_SPACE: Final = re.compile(r"\s+")
_SOURCE_FILE: Final = r"\.(?:c|cc|cpp|h|hpp)\b"
_MOST_FRAMES: Final = 3
_BETWEEN_FRAMES: Final = " < "
# Of a debugger's frames: how many are kept; how many make a stack deep, and a function in it one that recurs;
# which are on top.
_MOST_DEBUGGED: Final = 5
_DEEP: Final = 90
_REPEATED: Final = 8
_ON_TOP: Final = 2
_LONGEST_PLACE: Final = 240
_LONGEST_MESSAGE: Final = 160
_LONGEST_COMPLAINT: Final = 400
_LONGEST_EVIDENCE: Final = 200
# Two releases may word one failure in two ways.
_ALIKE: Final = 0.6

# Where in the script a solver stopped reading: it depends on what a warm host has read before.
_POSITION: Final = re.compile(
    r"(?:Parse Error: )?(?:(?:\S+|<\w+>):\d+(?:[.:]\d+)?: |(?:at )?line \d+,? column \d+: )"
)
_REMARK: Final = re.compile(r"^; | line: \d+ position: \d+")

_RUN_NOISE: Final[_Noise] = (
    (_ADDRESS, "0x"),
    (re.compile(r"(?:/[\w.+-]+)+/(?=[\w.+-]+)"), ""),
    (re.compile(r"\b(?:pid|thread|tid)[ =:#]*\d+", re.IGNORECASE), ""),
    (re.compile(r"\d{7,}"), "N"),
    (_SPACE, " "),
)
_RELEASE_NOISE: Final[_Noise] = (
    (_ADDRESS, ""),
    (re.compile(r"(?:(?<=\s)|(?<=^)|(?<=\())(?:[\w.+-]*/)+(?=[\w.+-]+)"), ""),
    (re.compile(r"(?<=\.[ch])(pp|c|h)?:\d+(?::\d+)?"), r"\1"),
    (re.compile(r"\b(?:[Ll]ine|column|position|pid|thread|tid)[ =:#]*\d+"), ""),
    (re.compile(r"\b\d{3,}\b"), "N"),
    (re.compile(r"\|"), "/"),
    (_SPACE, " "),
)
# What a library printed before it ended, for people: debug output, warnings and timing identify nothing.
_LAST_OUTPUT: Final = "; last output: "
_CALL_NOISE: Final[_Noise] = (
    (re.compile(rf"{_LAST_OUTPUT}.*", re.DOTALL), ""),
    (re.compile(r'(\(error "[^"]*"\)).*', re.DOTALL), r"\1"),  # of many errors the first
    (re.compile(r'\(error "(.*)"\)'), r"\1"),
    (re.compile(r"\bb'(.*)'"), r"\1"),
    (re.compile(r"\.?(?:/[\w.+-]+)+/(?=[\w.+-]+)"), ""),
    (_ADDRESS, "0x"),
    (re.compile(r"'[^']*'|`[^`]*`|\"[^\"]*\"|\|[^|]*\|"), "…"),
    (re.compile(r"\([^()]*\)"), "()"),
    (re.compile(r"\((?:[^()]|\(\))*\)"), "()"),
    (re.compile(rf"#[bx][0-9a-fA-F]+|[a-zA-Z!]*\d+(?!\w*{_SOURCE_FILE})"), "N"),
    (_SPACE, " "),
)
_REPORTED: Final = re.compile(r"\b[A-Z]\w+Sanitizer: ")
# For comparisons that are not stored.
_ANY_NOISE: Final[_Noise] = ((re.compile(r"0x[0-9a-fA-F]+|(?:[\w.+-]*/)+|\d{2,}|\s+"), " "),)

_FRAME: Final = re.compile(r"^\s*#\d+\s+(?:0x[0-9a-fA-F]+\s+)?(?:in\s+)?([\w:~<>$*&,]+)", re.MULTILINE)
# In what a program prints, an address or `in` tells a frame from a line of debug output.
_CERTAIN_FRAME: Final = re.compile(
    r"^\s*#\d+\s+(?:0x[0-9a-fA-F]+\s+(?:in\s+)?|in\s+)([\w:~<>$*&,]+)", re.MULTILINE
)
# Frames of the machinery that ends a program, not of what went wrong.
_MACHINERY: Final = re.compile(
    r"(?:__)?(?:GI_)?(?:raise|abort|assert_fail\w*|libc_\w+|sanitizer\w*|asan\w*|interceptor\w*|kill\w*)\Z"
    r"|std::terminate|__cxx\w+|_start\Z|pthread_\w+"
)
# Of what a library prints when it gives up, the lines that say where and why.
_TELLING: Final = re.compile(
    r"ASSERTION VIOLATION|^File: |^Line: |Failed to verify|UNEXPECTED|UNREACHABLE|Assertion|Fatal|what\(\)|"
    r"terminate called|[Ss]egmentation fault|\b(?:malloc|free|realloc|munmap_chunk)\(\): |double free|"
    r"stack smashing|pure virtual|corrupted size|^(?:\w+\.)*\w+Error\b|"
    r"^\S*\]? ?(?:ERROR|FATAL|error|fatal)[:\]]"
)
_WARNING: Final = "WARNING"


def evidence(text: str) -> str:
    """A message on one line of bounded length, without positions in the script."""
    line = " ".join(_POSITION.sub("", text).split())
    return line if len(line) <= _LONGEST_EVIDENCE else line[:_LONGEST_EVIDENCE] + "…"


def remark(line: str) -> str:
    """The text of a diagnostic line: `; no such option line: 3 position: 7` → `no such option`."""
    return _REMARK.sub("", line)


def without_run_noise(message: str) -> str:
    """The message without what varies between runs of a release: addresses, folders, process numbers."""
    return _cleaned(message, _RUN_NOISE)


def without_release_noise(message: str) -> str:
    """The message without what varies between builds and releases: also line numbers and long numbers."""
    return _cleaned(message, _RELEASE_NOISE).strip()


def without_call_noise(message: str) -> str:
    """The message without what varies between sequences of library calls: also terms, names and numbers."""
    if _REPORTED.search(message):  # as `SanitizerReport` writes it: the line and the frames belong to it
        return without_run_noise(message)[:_LONGEST_PLACE]
    return _cleaned(message, _CALL_NOISE).strip()[:_LONGEST_MESSAGE]


def names_source_file(message: str) -> bool:
    """Whether a message names the place in the solver's source where it comes from."""
    return re.search(_SOURCE_FILE, message) is not None


def crash_place(answer: Answer, backtrace: str = "") -> str:
    """The message of a crash and its top frames, the same on another machine.

    `backtrace` is a debugger's output, for programs that print no frames themselves.
    """
    if answer.ending.cause is Cause.SANITIZER and (report := first_report(answer.stderr)):
        return f"{answer.ending.cause}: {report}"[:_LONGEST_PLACE]
    frames = _named_frames(f"{answer.stderr}\n{answer.stdout}", _CERTAIN_FRAME)[:_MOST_FRAMES]
    parts = [f"{answer.ending.cause}: {without_release_noise(answer.ending.detail)}"]
    parts += map(without_release_noise, frames or _debugged_frames(backtrace))
    return _BETWEEN_FRAMES.join(parts)[:_LONGEST_PLACE].strip()


def _named_frames(text: str, pattern: re.Pattern[str] = _FRAME) -> list[str]:
    return [name for name in pattern.findall(text) if not _MACHINERY.match(name)]


def _debugged_frames(backtrace: str) -> list[str]:
    """The top frames; for a stack overflow the functions that call each other, wherever it occurred."""
    frames = _named_frames(backtrace)
    if len(frames) >= _DEEP:
        cycle = sorted(name for name, times in Counter(frames).items() if times >= _REPEATED)
        if cycle:
            return ["recursion", *cycle[:_MOST_DEBUGGED]]
    return frames[:_MOST_DEBUGGED]


def same_place(one: str, other: str) -> bool:
    """Whether two places with frames, of crashes without a message, are probably one bug.

    Damaged memory may end the program in the same function or in a later one, so two successive common frames
    are enough if they are on top of one of the two.
    """
    cause, *first = one.split(_BETWEEN_FRAMES)
    other_cause, *second = other.split(_BETWEEN_FRAMES)
    if cause != other_cause or not first or not second:
        return False
    if first[0] == second[0]:
        return True
    others = list(pairwise(second))
    return any(
        pair in others and min(place, others.index(pair)) < _ON_TOP
        for place, pair in enumerate(pairwise(first))
    )


def has_frames(place: str) -> bool:
    """Whether a place of a crash without a message has frames."""
    return place.startswith(tuple(PLACELESS)) and _BETWEEN_FRAMES in place


def last_words(stderr: str) -> str:
    """The last words of a library: a sanitizer's report, or the lines that give the reason; otherwise
    the last line, marked as identifying no failure.
    """
    if report := first_report(stderr):
        return str(report)
    lines = [line.strip() for line in stderr.splitlines()]
    # Warnings are about earlier calls.
    lines = [line for line in lines if line and not line.startswith(_WARNING)]
    telling = " ".join(line for line in lines if _TELLING.search(line))
    if telling or not lines:
        return telling[:_LONGEST_COMPLAINT]
    return f"{_LAST_OUTPUT}{lines[-1]}"[:_LONGEST_COMPLAINT]


def alike(one: str, other: str) -> bool:
    """Whether two messages of the form `cause: detail` may be one failure in the words of two releases."""
    if comparable(one) == comparable(other):
        return True
    (cause, _, detail), (other_cause, _, other_detail) = one.partition(":"), other.partition(":")
    pair = difflib.SequenceMatcher(None, comparable(detail), comparable(other_detail), autojunk=False)
    return cause == other_cause and pair.ratio() >= _ALIKE


def comparable(message: str) -> str:
    """A message without anything that may vary, for comparison only."""
    return _cleaned(message, _ANY_NOISE)


def comparable_detail(ending: Ending) -> str:
    """The common part of two endings of one failure; a failed self-check also tells how far it has read."""
    if ending.cause is Cause.SELF_CHECK:
        return _NUMBER.sub(" ", ending.detail)
    return comparable(ending.detail)


def _cleaned(message: str, noise: _Noise) -> str:
    for pattern, replacement in noise:
        message = pattern.sub(replacement, message)
    return message
