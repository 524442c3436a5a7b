"""Focus: the edges of instrumented solvers in chosen source files and functions, such as those of a change.

A focus is written as AFL++ writes the lists of what to instrument (`AFL_LLVM_ALLOWLIST`): `src: FILE` or
`fun: FUNCTION`, each with wildcards. A bare word is a file if it has a dot or a slash, else a function.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, NamedTuple

from falsum.campaign.search.edge_places import EdgePlace, GuardedCode, edge_places
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.edge_watch import edge_count, family
from falsum.solvers.instruments.build import build_of
from falsum.solvers.solver import Solver
from falsum.solvers.supervision.process import ProcessRunner

FILE: Final = "src"
FUNCTION: Final = "fun"
_LIST: Final = "@"
_LINE: Final = re.compile(r"(src|source|fun|function)\s*:\s*(\S.*)")
_KINDS: Final = {"src": FILE, "source": FILE, "fun": FUNCTION, "function": FUNCTION}
# `*6Solver5apply*`, the middle of a mangled name.
_MANGLED: Final = re.compile(r"\*?((?:\d+[A-Za-z_]\w*)+)\*?")
_TEMPLATE_ARGUMENTS: Final = re.compile(r"<[^<>]*>")


class Pattern(NamedTuple):
    """Files or functions; `kind` is FILE or FUNCTION."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"

    def matches(self, place: EdgePlace) -> bool:
        if self.kind == FILE:
            return any(fnmatchcase(file, f"*{self.text}") for file in place.files)
        name = readable(self.text)
        return fnmatchcase(place.symbol, f"*{self.text}") or any(
            fnmatchcase(function, name) or fnmatchcase(function, f"*::{name}")
            for function in map(bare_name, place.functions)
        )


def read_patterns(words: Iterable[str]) -> tuple[str, ...]:
    """The patterns of the words of `--focus`, written out; `@FILE` is replaced by the lines of the file."""
    lines: list[str] = []
    for word in words:
        if not word.startswith(_LIST):
            lines.append(word)
            continue
        try:
            text = Path(word[1:]).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"--focus {word}: the list cannot be read: {error}") from None
        lines += [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]
    if not all(lines):
        raise UsageError("--focus needs a file, a function, or @LIST")
    return tuple(dict.fromkeys(str(pattern_of(line)) for line in lines))


def pattern_of(line: str) -> Pattern:
    if match := _LINE.fullmatch(line):
        return Pattern(_KINDS[match[1]], match[2].strip())
    return Pattern(FILE if "." in line or "/" in line else FUNCTION, line)


def readable(name: str) -> str:
    """The readable form of the middle of a mangled name: `Solver::apply` for `*6Solver5apply*`."""
    match = _MANGLED.fullmatch(name)
    if match is None:
        return name
    parts, rest = [], match[1]
    while rest:
        length = re.match(r"\d+", rest)
        if length is None:
            return name
        start = length.end()
        parts.append(rest[start : start + int(length[0])])
        rest = rest[start + int(length[0]) :]
    return "::".join(parts)


def mangled(name: str) -> str:
    """The pattern of AFL++ for a function of C++."""
    return f"*{''.join(f'{len(part)}{part}' for part in name.split('::'))}*"


def bare_name(function: str) -> str:
    """The name of a function without its arguments and types: `Solver::apply`."""
    while (shorter := _TEMPLATE_ARGUMENTS.sub("", function)) != function:
        function = shorter
    return function.partition("(")[0].rpartition(" ")[2]


class Focus:
    """The edges in focus, each with the name of its function; by the family of a solver."""

    def __init__(self, functions: Mapping[str, Mapping[int, str]] | None = None) -> None:
        self._functions = dict(functions or {})
        self.edges = {solver: frozenset(edges) for solver, edges in self._functions.items()}

    @classmethod
    def of(cls, patterns: Sequence[str], solvers: Iterable[Solver]) -> Focus:
        """The edges of instrumented solvers in these files and functions; UsageError if there are none."""
        if not patterns:
            return cls()
        parsed = [pattern_of(line) for line in patterns]
        functions = {
            family(solver): edges
            for solver in solvers
            if solver.build.has_edges and (edges := _edges(solver, parsed))
        }
        if not functions:
            raise UsageError(
                f"no instrumented code is in {', '.join(patterns)}; files need debug information (-g1), and "
                "functions may be inlined into others; see docs/builds.md"
            )
        return cls(functions)

    def __bool__(self) -> bool:
        return bool(self._functions)

    def count(self, edges: Mapping[str, Iterable[int]]) -> int:
        """The number of some edges that are in focus."""
        return sum(
            len(self.edges[name].intersection(some)) for name, some in edges.items() if name in self.edges
        )

    def reached(self, edges: Mapping[str, Iterable[int]]) -> dict[str, FocusReached]:
        """How much of the focus is among some edges, by solver."""
        report = {}
        for solver, functions in self._functions.items():
            reached = self.edges[solver].intersection(edges.get(solver, ()))
            entered = {functions[edge] for edge in reached}
            missing = tuple(sorted(set(functions.values()) - entered))
            report[solver] = FocusReached(len(reached), len(functions), len(entered), missing)
        return report


class FocusReached(NamedTuple):
    """Numbers of edges and functions in focus that were reached; `missing` are the other functions."""

    edges: int
    all_edges: int
    functions: int
    missing: tuple[str, ...]

    def __str__(self) -> str:
        functions = self.functions + len(self.missing)
        return f"{self.edges} of {self.all_edges} edges, {self.functions} of {functions} functions"


def _edges(solver: Solver, patterns: Sequence[Pattern]) -> dict[int, str]:
    """The edges of a solver in focus, each with the function whose code it is."""
    files = [file for file in solver.binaries() if build_of([file]).has_edges]
    with ProcessRunner() as runner:
        count = edge_count(runner, solver.cold_program(solver.prepare("(check-sat)")))
    places = edge_places(files[0]) if len(files) == 1 else GuardedCode(0, {})
    if places.edges + 1 != count:  # nobody knows which file has which numbers
        raise SurroundingsError(
            f"{solver.name} counts {count - 1} edges, and --focus needs them all in one file: link the "
            "solver statically; see docs/builds.md"
        )
    return {
        edge: _function(place, patterns)
        for edge, place in places.places.items()
        if any(pattern.matches(place) for pattern in patterns)
    }


def _function(place: EdgePlace, patterns: Sequence[Pattern]) -> str:
    """The innermost function of a place that is in focus by itself."""
    for function, file in zip(place.functions, place.files, strict=True):
        frame = EdgePlace("", (function,), (file,))
        if any(pattern.matches(frame) for pattern in patterns):
            return bare_name(function)
    return bare_name(place.functions[-1]) if place.functions else place.symbol
