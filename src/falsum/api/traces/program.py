"""Translates a trace into a stand-alone Python program for a bug report, which needs only the library.

The trace is run through the product's binding again, and `call_recorder.py` records the calls of the library.
The program makes the same calls, except for those without effect, with the names of the trace. It prints
every answer; a comment says what the answer was.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from falsum.api.actions import BY_WORD, CALLS
from falsum.api.actions.action import Purpose
from falsum.api.bindings import serving_program
from falsum.api.trace import Line, Trace, read_line
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.limits import Limits
from falsum.solvers.supervision.process import ProcessRunner

if TYPE_CHECKING:
    from falsum.solvers.zoo import Release

_RECORDER: Final = Path(__file__).with_name("call_recorder.py")
_NUMBER: Final = re.compile(r"⟦(\d+)⟧")
# Calls that are queries, without effect.
_QUERY: Final = re.compile(r"\.(?:is|has|get|num|sort|name)[\w.]*\([^()]*\)\Z")
# Calls of z3 that take a bare pointer: its object needs a name, or it is freed before the pointer is used.
_POINTER: Final = re.compile(r"\.as_ast\(|\.(?:ast|vector)\b|_to_ast_array\(")
# Calls that give a verdict.
_CHECK: Final = re.compile(r"\.(?:check\w*|Sat|invoke)\(")
_VERDICTS: Final = frozenset(["sat", "unsat", "unknown"])
_LISTS: Final = frozenset(["list", "tuple", "AstVector"])
# How a program finds a C library.
_SEARCH: Final = "folder in sys.path for file in Path(folder)"
# Functions of C libraries that have an effect, whatever the action is.
_EFFECT: Final = re.compile(r"[\w.]+?_(?:init\(|set_)")
_LIMITS: Final = Limits(seconds=60.0, output=64)


@dataclass(slots=True)
class _Call:
    number: int
    text: str
    line: int
    type: str = ""
    is_plain: bool = False
    is_done: bool = False
    raised: str = ""
    name: str = ""
    is_printed: bool = False

    @property
    def uses(self) -> list[int]:
        return [int(number) for number in _NUMBER.findall(self.text)]


@dataclass(slots=True)
class _Recorded:
    imports: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    calls: dict[int, _Call] = field(default_factory=dict)
    raised: dict[int, str] = field(default_factory=dict)
    # Of a C library: its file, the variable it is in, statements that prepare its functions.
    library: str = ""
    variable: str = ""
    prepared: list[str] = field(default_factory=list)
    has_literals: bool = False


def trace_to_program(
    trace: Trace, release: Release, runner: ProcessRunner, binding: Path | None = None
) -> str:
    """Translate a trace.

    Raises UsageError for what is not a library, SurroundingsError if nothing is recorded.
    """
    recording = _recorded(trace, release, runner, binding)
    calls = _kept(recording)
    names = _names(recording)
    body = "\n".join(_program_rows(calls, trace, names))
    if recording.library:
        body = "\n".join(_with_library(recording, body, release))
    imports, body = _imported(recording.imports, body)
    head = f"# {release.name}; written by falsum from a trace"
    return "\n".join([head, *imports, "", body, ""])


def _imported(modules: list[str], body: str) -> tuple[list[str], str]:
    """The import statements, and the body with names of submodules shortened."""
    rows = ["import ctypes"] if "ctypes." in body else []
    rows += ["import sys", "from pathlib import Path"] if _SEARCH in body else []
    for module in dict.fromkeys(modules):
        if "." not in module:
            rows.append(f"import {module}")
            continue
        pattern = re.compile(rf"(?<![\w.]){re.escape(module)}\.(\w+)")
        aliases = sorted(set(pattern.findall(body)))
        if aliases:
            rows.append(f"from {module} import {', '.join(aliases)}")
            body = pattern.sub(r"\1", body)
    return rows, body


def _with_library(recording: _Recorded, body: str, release: Release) -> Iterator[str]:
    """The body with the statements that load a C library; it fails where the library reported an error."""
    file = Path(recording.library)
    if release.binding is None and release.folder is not None and file.is_relative_to(release.folder):
        library = f"{file.relative_to(release.folder).parent}/{file.name.partition('.so')[0]}.so*"
        yield f"file = next(file for {_SEARCH}.glob({library!r}))"
    else:
        yield f"file = {recording.library!r}"
    yield f"{recording.variable} = ctypes.CDLL(str(file))"
    for statement in recording.prepared:
        if f"{statement.partition('.restype')[0].partition('.argtypes')[0]}(" in body:
            yield statement
    yield body
    for message in [*recording.raised.values()][:1]:
        yield f"raise SystemExit({message!r})"


def _recorded(trace: Trace, release: Release, runner: ProcessRunner, binding: Path | None) -> _Recorded:
    program = serving_program(release, binding)
    argv = (*program.argv[:3], str(_RECORDER), *program.argv[4:6])
    ran = runner.run(replace(program, argv=argv), _LIMITS, f"{CALLS}\n{trace}".encode())
    recording = _Recorded()
    for row in ran.stdout.decode(errors="replace").splitlines():
        _add_event(recording, msgspec.json.decode(row))
    if not (recording.imports or recording.library) and not ran.status:
        raise UsageError(f"{release.name} is not a library: a program cannot be written for it")
    if not recording.lines:
        output = ran.stderr.decode(errors="replace").strip()[-500:]
        raise SurroundingsError(f"{release.name}: the trace cannot be written as a program: {output}")
    return recording


def _add_event(recording: _Recorded, event: dict[str, Any]) -> None:
    """Take one event of the recorder."""
    line = len(recording.lines) - 1
    if "imported" in event:
        recording.imports.append(event["imported"])
    elif "loaded" in event:
        recording.library, recording.variable = event["loaded"], event["variable"]
    elif "prepared" in event:
        recording.prepared.append(event["prepared"])
    elif "literal" in event:
        recording.has_literals = True
    elif "line" in event:
        recording.lines.append(read_line(event["line"]))
    elif "call" in event:
        recording.calls[event["call"]] = _Call(event["call"], event["text"], line)
    elif "done" in event:
        call = recording.calls[event["done"]]
        call.is_done, call.type, call.is_plain = True, event["type"], event["is_plain"]
        call.raised = event.get("raised", "")
    elif "made" in event:
        number = _NUMBER.fullmatch(event["text"])
        if number is not None and not recording.calls[int(number[1])].name:
            recording.calls[int(number[1])].name = event["made"]
    else:
        recording.raised[line] = event["raised"]


def _word(recording: _Recorded, call: _Call) -> str:
    return recording.lines[call.line].word if call.line >= 0 else ""


def _kept(recording: _Recorded) -> list[_Call]:
    """The calls that matter, in order: those with an effect, those that are printed, and what they use."""
    answers = _answer_calls(recording)
    used_numbers: set[int] = set()
    calls: list[_Call] = []
    for call in reversed(recording.calls.values()):
        if call.raised and call.line not in recording.raised:
            continue  # the binding expects it
        word = _word(recording, call)
        purpose = BY_WORD[word].purpose if word else Purpose.MAKER
        if purpose is Purpose.QUESTION:
            call.is_printed = call.number == answers.get(call.line) and call.is_done
            # Calls before it with an effect, such as making an assumption, belong to the question.
            has_effect = call.type == "NoneType" or not (call.is_plain or _QUERY.search(call.text))
            is_needed = call.is_printed or (has_effect and call.number < answers[call.line])
        elif purpose is Purpose.DISPLAY:
            is_needed = call.number not in used_numbers
            call.is_printed = is_needed and not call.name and call.type != "NoneType"
        else:
            is_needed = purpose is not Purpose.MAKER and not (call.is_plain and _QUERY.search(call.text))
        if recording.library:  # its numbers may depend on all calls before
            is_needed = is_needed or recording.has_literals or _EFFECT.match(call.text) is not None
        if is_needed or call.number in used_numbers or call.raised or not call.is_done:
            calls.append(call)
            used_numbers.update(call.uses)
    return calls[::-1]


def _answer_calls(recording: _Recorded) -> dict[int, int]:
    """Line → the call with its answer: one that did not return, else the last that returned a list, else the
    last that did not return plain data, else the last that is named like the action, else the last.
    """
    answers_by_line: dict[int, tuple[int, int]] = {}
    for call in recording.calls.values():
        rank = 4 if not call.is_done else 3 if call.type in _LISTS else 2
        if rank == 2 and call.is_plain:
            word = _word(recording, call)
            rank = int(bool(word) and word in call.text.partition("(")[0])
        answers_by_line[call.line] = max(answers_by_line.get(call.line, (0, 0)), (rank, call.number))
    return {line: number for line, (_rank, number) in answers_by_line.items()}


def _names(recording: _Recorded) -> dict[int, str]:
    counts: Counter[str] = Counter()
    names = {}
    for call in recording.calls.values():
        kind = re.sub(r"\W", "", call.type.lower()) or "it"
        counts[kind] += 1
        names[call.number] = call.name or f"{kind}_{counts[kind]}"
    return names


@dataclass(slots=True)
class _Row:
    call: _Call
    text: str


def _program_rows(calls: list[_Call], trace: Trace, names: dict[int, str]) -> Iterator[str]:
    times = Counter(number for call in calls for number in call.uses)
    rows: list[_Row] = []
    for call in calls:
        text = call.text
        # The result of a call that is used once, by the next call, is written where it is used.
        while rows and rows[-1].call.number in call.uses and _is_inlined(rows[-1].call, call, times):
            before = rows.pop()
            text = text.replace(f"⟦{before.call.number}⟧", before.text)
        rows.append(_Row(call, text))
    replies = {index: step.reply.text for index, step in enumerate(trace.steps)}
    commented = _commented_rows(rows, replies)
    for index, row in enumerate(rows):
        text = _NUMBER.sub(lambda found: names[int(found[1])], row.text)
        comment = f"  # {commented[index][:100]}" if commented.get(index) else ""
        if row.call.is_printed:
            yield f"print({text}){comment}"
        elif times[row.call.number]:
            yield f"{names[row.call.number]} = {text}{comment}"
        else:
            yield f"{text}{comment}"


def _commented_rows(rows: list[_Row], replies: Mapping[int, str]) -> dict[int, str]:
    """The replies beside the rows that gave them: the last one of a line, or the check for a verdict."""
    last = {row.call.line: index for index, row in enumerate(rows)}
    checks = {row.call.line: index for index, row in enumerate(rows) if _CHECK.search(row.text)}
    return {
        checks.get(line, index) if replies.get(line) in _VERDICTS else index: replies.get(line, "")
        for line, index in last.items()
    }


def _is_inlined(call: _Call, user: _Call, times: Counter[int]) -> bool:
    if call.name or call.is_printed or call.raised or times[call.number] != 1:
        return False
    return call.is_plain or not _POINTER.search(user.text)
