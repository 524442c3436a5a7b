"""ChangedFile: the functions of a C or C++ source file that differ between two commits.

Functions are found by their layout, without a compiler: where a change is in none that is recognised, it is
one of the whole file. Names are those in the source; namespaces around them are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from falsum.campaign.lifecycle.git_repository import GitRepository

_SOURCES: Final = ("*.c", "*.cc", "*.cpp", "*.cxx", "*.h", "*.hh", "*.hpp", "*.hxx")
_HUNK: Final = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_CLASS: Final = re.compile(r"\s*(?:template\s*<.*>\s*)?(?:class|struct)\s+(?:\w+\s+)*?(\w+)[^;()]*$")
_HEAD: Final = re.compile(r"(\s*)((?:[\w:<>,*&~\[\]]+\s+)*[*&]*)((?:~?\w+(?:<[^<>()]*>)?::)*~?\w+)\s*$")
_TEMPLATE_ARGUMENTS: Final = re.compile(r"<[^<>]*>")
_AFTER_ARGUMENTS: Final = re.compile(r"(?:\s|const\b|noexcept\b|override\b|final\b|&&?|->\s*[\w:<>*&]+)*[{:]")
_NO_NAMES: Final = frozenset(
    "if for while switch return else catch assert do new delete throw sizeof case using typedef co_return "
    "static_assert alignas decltype defined".split()
)


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """`functions` are those that changed; `is_elsewhere` says that something outside of functions did."""

    name: str
    functions: tuple[str, ...]
    is_elsewhere: bool

    @property
    def is_c(self) -> bool:
        """Whether the names of its functions are those of its symbols."""
        return self.name.endswith(".c")


def changed_files(repository: GitRepository, revisions: str) -> Iterator[ChangedFile]:
    """The source files that differ between two commits, as they are in the newer one."""
    newer = revisions.rpartition("..")[2] or "HEAD"
    for name in repository.changed_files(revisions, _SOURCES):
        lines = _changed_lines(repository.diff(revisions, name))
        starts = list(functions_of(repository.text(newer, name)))
        changed: dict[str, None] = {}
        is_elsewhere = not lines
        for line in lines:
            function = next((one for first, last, one in starts if first <= line <= last), "")
            if function:
                changed[function] = None
            else:
                is_elsewhere = True
        yield ChangedFile(name, tuple(changed), is_elsewhere)


def _changed_lines(diff: str) -> list[int]:
    """The changed lines of the newer file; of lines that are gone, the one before."""
    lines: list[int] = []
    for match in _HUNK.finditer(diff):
        start, count = int(match[1]), int(match[2] or 1)
        lines += range(start, start + count) if count else [start]
    return lines


def functions_of(text: str) -> Iterator[tuple[int, int, str]]:
    """The functions that a text defines: first and last line, and name with its class."""
    classes: list[tuple[int, str]] = []
    last_line = offset = 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        start, offset = offset, offset + len(line)
        if number <= last_line or not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        if line.lstrip().startswith("}"):
            while classes and indent <= classes[-1][0]:
                classes.pop()
        if match := _CLASS.match(line):
            classes.append((indent, match[1]))
            continue
        inside = next((one for outer, one in reversed(classes) if outer < indent), "")
        name = _name(line, inside)
        end = _end(text, start + line.find("(")) if name else -1
        if end < 0:
            continue
        last_line = number + text.count("\n", start, end)
        yield number, last_line, name if "::" in name or not inside else f"{inside}::{name}"


def _name(line: str, inside: str) -> str:
    """The name of the function that a line may begin to define, inside of a class or of none; or ""."""
    before, bracket, _after = line.partition("(")
    match = _HEAD.fullmatch(before) if bracket else None
    if match is None:
        return ""
    indent, types, name = match.groups()
    if _NO_NAMES.intersection(types.split()) or name in _NO_NAMES:
        return ""
    is_constructor = name.removeprefix("~") == inside
    if not types.strip() and indent and "::" not in name and not is_constructor:  # a call
        return ""
    return _TEMPLATE_ARGUMENTS.sub("", name)


def _end(text: str, bracket: int) -> int:
    """Where the body ends of a function whose arguments begin at a bracket; -1 if it has none."""
    after = _closing(text, bracket, "(", ")")
    if after < 0 or not (match := _AFTER_ARGUMENTS.match(text, after)):
        return -1
    body = text.find("{", match.end() - 1)
    return _closing(text, body, "{", "}") if body >= 0 else -1


def _closing(text: str, start: int, opening: str, closing: str) -> int:
    """The place after the bracket that closes the one at a place; -1 if there is none."""
    depth = 0
    for match in re.compile(rf"[{re.escape(opening + closing)}]").finditer(text, start):
        depth += 1 if match[0] == opening else -1
        if not depth:
            return match.end()
    return -1
