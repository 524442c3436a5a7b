"""SanitizerReport: the error that a sanitizer found: its kind, its place in the source, the top frames."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath
from typing import Final

_HEADER: Final = re.compile(
    r"(?:ERROR|WARNING): (?P<tool>(?:HW)?Address|Memory|Thread|Leak|UndefinedBehavior)Sanitizer:? "
    r"(?P<what>[^\n]*)"
    # From the start of a word only: from every letter of a long line would take quadratic time.
    r"|(?<![^\s:])(?P<place>[^\s:]++:\d+)(?::\d+)?: runtime error: (?P<error>[^\n]*)"
)
# The tool itself could not get the memory it needs; nothing is known about the program.
_NO_MEMORY: Final = re.compile(
    r"Sanitizer failed to allocate|Sanitizer: out of memory|ReserveShadowMemoryRange failed|"
    r"rss limit exhausted|failed to intercept|Shadow memory range interleaves|unexpected memory mapping"
)
_FRAME: Final = re.compile(
    r"[ \t]*#\d+ +(?:0x[0-9a-f]+ +)?(?:in +)?(?P<name>\S[^\n]*?)"
    r"(?: +(?P<file>[^\s:()]+):(?P<line>\d+)(?::\d+)?)?(?: +\([^()\n]*\)){0,2}[ \t]*"
)
# What a header says about this one run only.
_VARIABLE_PART: Final = re.compile(r"(?: on (?:unknown )?(?:address|0x)| \(|: | 0x| at pc| in thread).*")
_NUMBER: Final = re.compile(r"0x[0-9a-f]+|(?<![\w.])-?\d[\d.e+-]*")
_ARGUMENTS: Final = re.compile(r"(?<!^)\((?!anonymous namespace\)).*")
# Frames of the tool, of the C library and of templates: not where the solver went wrong.
_RUNTIME_NAME: Final = re.compile(
    r"(?:__)?(?:interceptor|asan|msan|tsan|ubsan|lsan|sanitizer)\w*|operator (?:new|delete).*|__libc_\w+|"
    r"_start|_?_?(?:GI_)?(?:raise|abort|assert\w*)|mem(?:cpy|move|set|cmp)|str(?:len|cpy|cmp|dup)|"
    r"malloc|calloc|realloc|free|<null>.*|\(.*\+0x[0-9a-f]+\)|std::.*|__gnu_cxx::.*|__cxxabi\w+.*"
)
_RUNTIME_FILE: Final = re.compile(
    r"(?:.*/)?(?:libsanitizer|compiler-rt|sysdeps)/.*|/usr/include/.*|.*/include/c\+\+/.*"
)
_MOST_FRAMES: Final = 3
# Finding the source lines of a report takes seconds in a large program: it has so long to finish one, even if
# its time is over.
REPORT_SECONDS: Final = 30.0
_BEGUN: Final = re.compile(rb"(?:ERROR|WARNING): \w+Sanitizer|: runtime error: ")
_LEAK: Final = "Leak"


@dataclass(frozen=True, slots=True)
class SanitizerReport:
    """`place` is `file:line`, empty if the program was built without debug information."""

    tool: str
    kind: str
    place: str
    frames: tuple[str, ...]

    @property
    def is_leak(self) -> bool:
        return self.tool.startswith(_LEAK)

    def __str__(self) -> str:
        """One line, the same for every run that fails in the same way."""
        at = f" at {self.place}" if self.place else ""
        inside = f" in {' < '.join(self.frames)}" if self.frames else ""
        return f"{self.tool}: {self.kind}{at}{inside}"


def first_report(text: str) -> SanitizerReport | None:
    """The first report in the output of a program; None if there is none."""
    header = _HEADER.search(text)
    if header is None:
        return None
    frames = list(_frames(text, header.end()))
    own = [frame for frame in frames if not _is_runtime(frame)]
    called = (_ARGUMENTS.sub("", frame["name"]).strip() for frame in own)
    names = tuple(name for name, _calls in groupby(called))[:_MOST_FRAMES]  # however deep a recursion is
    if header["place"]:
        kind = _NUMBER.sub("N", header["error"]).strip()
        return SanitizerReport("UndefinedBehaviorSanitizer", kind, _plain_place(header["place"]), names)
    place = next((f"{frame['file']}:{frame['line']}" for frame in own if frame["file"]), "")
    kind = _VARIABLE_PART.sub("", header["what"]).strip()
    return SanitizerReport(f"{header['tool']}Sanitizer", kind, _plain_place(place), names)


def is_reporting(stderr: bytes | bytearray) -> bool:
    """Whether a program has begun to print a report."""
    return _BEGUN.search(stderr) is not None


def lacks_memory(text: str) -> bool:
    """Whether a sanitizer gave up because it could not get memory or address space for itself."""
    return _NO_MEMORY.search(text) is not None


def _frames(text: str, start: int) -> Iterator[re.Match[str]]:
    """The first stack after a place in the text."""
    seen = False
    for line in text[start:].splitlines()[1:]:
        frame = _FRAME.fullmatch(line)
        if frame is not None:
            seen = True
            yield frame
        elif seen or _HEADER.search(line):
            return


def _is_runtime(frame: re.Match[str]) -> bool:
    return bool(_RUNTIME_NAME.fullmatch(_ARGUMENTS.sub("", frame["name"]).strip())) or bool(
        frame["file"] and _RUNTIME_FILE.fullmatch(frame["file"])
    )


def _plain_place(place: str) -> str:
    """The file without its folders, which differ between builds."""
    return PurePosixPath(place).name if place else ""
