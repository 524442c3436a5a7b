"""EdgePlace: the functions and source files of an edge of a program built with `afl-clang-fast`.

AFL++ keeps no list of them. Its counters have guards, one after the other in a section of their own, and the
run-time library numbers them from 1. So the code that reads a guard is where its edge is; `objdump` finds it,
and `llvm-symbolizer` knows the source files if the program has debug information.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Final, NamedTuple

from falsum.errors import SurroundingsError
from falsum.solvers.limits import Limits
from falsum.solvers.supervision.process import ProcessRunner, Program

_SECTION: Final = "__sancov_guards"
_GUARD_BYTES: Final = 4
_LIMITS: Final = Limits(seconds=600.0, memory=8192, output=4096)
# `29 __sancov_guards 00000af8 0000000000016304 …`: size and address.
_HEADER: Final = re.compile(rf"^\s*\d+ {_SECTION}\s+([0-9a-f]+)\s+([0-9a-f]+)", re.MULTILINE)
_FUNCTION: Final = re.compile(rb"^[0-9a-f]+ <([^>]+)>:$")
_READ: Final = re.compile(rb"^\s*([0-9a-f]+):\s.*#\s([0-9a-f]+) <")


class EdgePlace(NamedTuple):
    """`symbol` is the function of the program, mangled; `functions` are the readable names of it and of what
    was inlined there, innermost first, and `files` their source files, none without debug information.
    """

    symbol: str
    functions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class GuardedCode(NamedTuple):
    """The number of edges that a file counts, and their places; a few of them are in no code."""

    edges: int
    places: dict[int, EdgePlace]


def edge_places(program: Path) -> GuardedCode:
    """The places of a program's edges, by edge; raises SurroundingsError if they cannot be known."""
    with ProcessRunner() as runner:
        objdump = _tool("objdump")
        sections = _output(runner, (objdump, "-h", str(program)))
        header = _HEADER.search(sections.decode(errors="replace"))
        if header is None:
            raise SurroundingsError(
                f"{program} does not say where its edges are; build it, in one piece, with afl-clang-fast"
            )
        size, start = (int(word, 16) for word in header.groups())
        code = _output(runner, (objdump, "-d", "--no-show-raw-insn", str(program)))
        reads = _reads(code, range(start, start + size, _GUARD_BYTES))
        places = _places(runner, program, sorted({address for address, _symbol in reads.values()}))
    found: dict[int, EdgePlace] = {}
    for edge in range(1, size // _GUARD_BYTES + 1):
        if edge in reads:
            address, symbol = reads[edge]
            found[edge] = EdgePlace(symbol, *places.get(address, ()))
        elif edge - 1 in found:  # computed from the address of another guard of the same function
            symbol, functions, files = found[edge - 1]
            found[edge] = EdgePlace(symbol, functions[-1:], files[-1:])
    return GuardedCode(size // _GUARD_BYTES, found)


def _reads(code: bytes, guards: range) -> dict[int, tuple[int, str]]:
    """By edge: the first address at which its guard is read, and the function it is in."""
    reads: dict[int, tuple[int, str]] = {}
    symbol = ""
    for row in code.splitlines():
        if match := _FUNCTION.match(row):
            symbol = match[1].decode(errors="replace")
        elif (match := _READ.match(row)) and (guard := int(match[2], 16)) in guards:
            reads.setdefault(guards.index(guard) + 1, (int(match[1], 16), symbol))
    return reads


def _places(
    runner: ProcessRunner, program: Path, addresses: list[int]
) -> dict[int, tuple[tuple[str, ...], tuple[str, ...]]]:
    """By address: the functions there, innermost first, and their files."""
    # The addresses are a file, which is the last argument.
    shell = '"$1" --output-style=JSON "--obj=$2" < "$3"'
    argv = ("/bin/sh", "-c", shell, "sh", _tool("llvm-symbolizer"), str(program))
    rows = _output(runner, argv, "".join(f"{address:#x}\n" for address in addresses).encode())
    places = {}
    for address, row in zip(addresses, rows.splitlines(), strict=True):
        frames = json.loads(row).get("Symbol", [])
        named_frames = [frame for frame in frames if frame["FunctionName"]]
        functions = tuple(str(frame["FunctionName"]) for frame in named_frames)
        places[address] = functions, tuple(str(frame["FileName"]) for frame in named_frames)
    return places


def _output(runner: ProcessRunner, argv: tuple[str, ...], text: bytes | None = None) -> bytes:
    result = runner.run(Program(argv), _LIMITS, text)
    if result.status or result.stopped:
        why = result.stderr.decode(errors="replace").strip()[-200:] or result.stopped or result.status
        raise SurroundingsError(f"the functions of edges cannot be found: {Path(argv[0]).name}: {why}")
    return result.stdout


def _tool(name: str) -> str:
    tool = shutil.which(name)
    if tool is None:
        package = "binutils" if name == "objdump" else "llvm"
        raise SurroundingsError(
            f"{name} is needed to find the functions of edges, and is not on PATH; install {package}"
        )
    return tool
