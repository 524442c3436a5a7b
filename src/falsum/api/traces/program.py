"""Program: a trace as a stand-alone Python program that needs the library alone, for a bug report.

The trace is run through the product's binding once more, and the calls it makes are written down
(`call_recorder.py`): what the program does is what was done. Calls nobody needs are left out, names are
those of the trace, and every answer is printed, with what it was as a comment.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from falsum.api.bindings import serving_program
from falsum.api.traces.trace import Line, Trace, read_line
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.limits import Limits
from falsum.solvers.process import Program, Runner

if TYPE_CHECKING:
    from falsum.solvers.zoo import Release

_RECORDING: Final = Path(__file__).with_name("call_recorder.py")
_NUMBER: Final = re.compile(r"⟦(\d+)⟧")
# Lines whose calls only make something: what nobody uses of it is left out.
_MAKING: Final = frozenset(
    ["", "new", "delete", "sort", "declare-sort", "const", "var", "value", "special", "term"]
)
# Lines of which the last thing returned is what people want to see.
_ANSWERED: Final = frozenset(["check", "get-core", "get-unsat-assumptions", "get-assertions"])
_SHOWN: Final = frozenset(["get-value", "get-model", "get-sort", "get-children", "print", "extra"])
# Calls that look at something and change nothing, for sure.
_LOOK: Final = re.compile(r"\.(?:is|has|get|num|sort|name)[\w.]*\([^()]*\)\Z")
# Of z3, calls that take a bare pointer of something: it needs a name, or it is gone when the pointer is used.
_POINTER: Final = re.compile(r"\.as_ast\(|\.(?:ast|vector)\b|_to_ast_array\(")
_LISTS: Final = frozenset(["list", "tuple", "AstVector"])
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


def program_for(trace: Trace, release: Release, runner: Runner, binding: Path | None = None) -> str:
    """The program; raises UsageError for a library without a Python module, SurroundingsError if nothing is
    recorded.
    """
    recorded = _recorded(trace, release, runner, binding)
    kept = _kept(recorded)
    names = _names(recorded)
    body = "\n".join(_written(kept, trace, names))
    imports, body = _imported(recorded.imports, body)
    head = f"# {release.name}; made by falsum from a trace"
    return "\n".join([head, *imports, "", body, ""])


def _imported(modules: list[str], body: str) -> tuple[list[str], str]:
    """The lines that import what is used; what is in a module of a module goes by its own name."""
    rows = ["import ctypes"] if "ctypes." in body else []
    for module in dict.fromkeys(modules):
        if "." not in module:
            rows.append(f"import {module}")
            continue
        pattern = re.compile(rf"(?<![\w.]){re.escape(module)}\.(\w+)")
        used = sorted(set(pattern.findall(body)))
        if used:
            rows.append(f"from {module} import {', '.join(used)}")
            body = pattern.sub(r"\1", body)
    return rows, body


def _recorded(trace: Trace, release: Release, runner: Runner, binding: Path | None) -> _Recorded:
    served, folder = serving_program(release, binding).argv[4:6]
    argv = (sys.executable, "-I", "-S", str(_RECORDING), served, folder)
    ran = runner.run(Program(argv), str(trace).encode(), _LIMITS)
    found = _Recorded()
    for row in ran.stdout.decode(errors="replace").splitlines():
        _take(found, msgspec.json.decode(row))
    if not found.imports and not ran.status:
        raise UsageError(f"{release.name} is no Python module: a program cannot be written for it")
    if not found.lines:
        said = ran.stderr.decode(errors="replace").strip()[-500:]
        raise SurroundingsError(f"{release.name}: the trace cannot be written as a program: {said}")
    return found


def _take(found: _Recorded, told: dict[str, Any]) -> None:
    here = len(found.lines) - 1
    if "imported" in told:
        found.imports.append(told["imported"])
    elif "line" in told:
        found.lines.append(read_line(told["line"]))
    elif "call" in told:
        found.calls[told["call"]] = _Call(told["call"], told["text"], here)
    elif "done" in told:
        call = found.calls[told["done"]]
        call.is_done, call.type, call.is_plain = True, told["type"], told["is_plain"]
        call.raised = told.get("raised", "")
    elif "made" in told:
        number = _NUMBER.fullmatch(told["text"])
        if number is not None and not found.calls[int(number[1])].name:
            found.calls[int(number[1])].name = told["made"]
    else:
        found.raised[here] = told["raised"]


def _word(recorded: _Recorded, call: _Call) -> str:
    return recorded.lines[call.line].word if call.line >= 0 else ""


def _kept(recorded: _Recorded) -> list[_Call]:
    """The calls that matter, in order: what changes something, what is shown, and what those use."""
    mains = _mains(recorded)
    used: set[int] = set()
    kept: list[_Call] = []
    for call in reversed(recorded.calls.values()):
        word = _word(recorded, call)
        if word in _ANSWERED:
            call.is_printed = call.number == mains.get(call.line) and call.is_done
            # What is done before, such as an assumption that is made, is part of the question.
            is_deed = call.type == "NoneType" or not (call.is_plain or _LOOK.search(call.text))
            wanted = call.is_printed or (is_deed and call.number < mains[call.line])
        elif word in _SHOWN:
            wanted = call.number not in used
            call.is_printed = wanted and not call.name and call.type != "NoneType"
        else:
            wanted = word not in _MAKING and not (call.is_plain and _LOOK.search(call.text))
        if wanted or call.number in used or call.raised or not call.is_done:
            kept.append(call)
            used.update(call.uses)
    return kept[::-1]


def _mains(recorded: _Recorded) -> dict[int, int]:
    """Of each line the call whose answer is the line's: one that never came back, else the last that gave a
    list, else the last that gave more than plain data, else the last.
    """
    found: dict[int, tuple[int, int]] = {}
    for call in recorded.calls.values():
        rank = 3 if not call.is_done else 2 if call.type in _LISTS else 0 if call.is_plain else 1
        found[call.line] = max(found.get(call.line, (0, 0)), (rank, call.number))
    return {line: number for line, (_rank, number) in found.items()}


def _names(recorded: _Recorded) -> dict[int, str]:
    counts: Counter[str] = Counter()
    names = {}
    for call in recorded.calls.values():
        kind = re.sub(r"\W", "", call.type.lower()) or "it"
        counts[kind] += 1
        names[call.number] = call.name or f"{kind}_{counts[kind]}"
    return names


@dataclass(slots=True)
class _Row:
    call: _Call
    text: str


def _written(kept: list[_Call], trace: Trace, names: dict[int, str]) -> Iterator[str]:
    times = Counter(number for call in kept for number in call.uses)
    rows: list[_Row] = []
    for call in kept:
        text = call.text
        # What is used once, by the very next call, is written where it is used.
        while rows and rows[-1].call.number in call.uses and _is_passing(rows[-1].call, call, times):
            before = rows.pop()
            text = text.replace(f"⟦{before.call.number}⟧", before.text)
        rows.append(_Row(call, text))
    replies = {place: step.reply for place, step in enumerate(trace.steps)}
    for place, row in enumerate(rows):
        text = _NUMBER.sub(lambda found: names[int(found[1])], row.text)
        is_last = place + 1 == len(rows) or rows[place + 1].call.line != row.call.line
        reply = replies.get(row.call.line) if is_last and row.call.line >= 0 else None
        said = f"  # {reply.text[:100]}" if reply is not None and reply.text else ""
        if row.call.is_printed:
            yield f"print({text}){said}"
        elif times[row.call.number]:
            yield f"{names[row.call.number]} = {text}{said}"
        else:
            yield f"{text}{said}"


def _is_passing(call: _Call, user: _Call, times: Counter[int]) -> bool:
    if call.name or call.is_printed or call.raised or times[call.number] != 1:
        return False
    return call.is_plain or not _POINTER.search(user.text)
