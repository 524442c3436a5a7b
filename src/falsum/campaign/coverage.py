"""CodeCoverage: counts the lines and functions that solvers have reached, from the data they left.

gcov comes with GCC and reads `.gcda`; `llvm-profdata` and `llvm-cov` read `.profraw`. Nothing is counted
where the tools are missing.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from falsum.errors import SurroundingsError
from falsum.solvers.limits import Limits
from falsum.solvers.supervision.process import ProcessRunner, Program

_LIMITS: Final = Limits(seconds=120.0, memory=4096, output=1024)
_MERGED: Final = "merged.profdata"
_SYSTEM: Final = "/usr/"
# The section in which clang keeps what the counters are about; llvm-cov refuses files without it.
_LLVM_MAP: Final = b"__llvm_covmap"


class CodeCoverage(NamedTuple):
    """The numbers of lines and functions, and of those executed at least once."""

    lines: int = 0
    all_lines: int = 0
    functions: int = 0
    all_functions: int = 0

    def __str__(self) -> str:
        share = 100 * self.lines / self.all_lines if self.all_lines else 0.0
        return (
            f"{self.lines} of {self.all_lines} lines ({share:.1f}%), "
            f"{self.functions} of {self.all_functions} functions"
        )


class _Line(msgspec.Struct):
    line_number: int
    count: int


class _Function(msgspec.Struct):
    name: str
    start_line: int
    execution_count: int


class _File(msgspec.Struct):
    file: str
    lines: list[_Line] = []
    functions: list[_Function] = []


class _Object(msgspec.Struct):
    """What gcov says about one object file."""

    current_working_directory: str = ""
    files: list[_File] = []


class _Count(msgspec.Struct):
    count: int
    covered: int


class _Totals(msgspec.Struct):
    lines: _Count
    functions: _Count


class _Data(msgspec.Struct):
    totals: _Totals


class _Export(msgspec.Struct):
    data: list[_Data]


def has_data(folder: Path) -> bool:
    return any(folder.rglob("*.gcda")) or any(folder.glob("*.profraw"))


def measure(folder: Path, binaries: Sequence[Path] = ()) -> CodeCoverage:
    """Count what the data in a folder covers; `binaries` are what LLVM's data is about.

    One solver may be built by GCC and another by clang: the counts of both are added up.
    """
    objects = sorted(folder.rglob("*.gcda"))
    gcc = _by_gcov(folder, objects) if objects else CodeCoverage()
    clang = _by_llvm(folder, binaries) if any(folder.glob("*.profraw")) else CodeCoverage()
    return CodeCoverage(*(one + other for one, other in zip(gcc, clang, strict=True)))


def _by_gcov(folder: Path, objects: Iterable[Path]) -> CodeCoverage:
    gcov = _tool("gcov")
    lines: dict[tuple[str, int], bool] = {}
    functions: dict[tuple[str, int, str], bool] = {}
    with ProcessRunner() as runner:
        for data in objects:
            _link_notes(folder, data)
            argv = (gcov, "--json-format", "--stdout", "--object-directory", str(data.parent), str(data))
            ran = runner.run(Program(argv), _LIMITS)
            for row in ran.stdout.splitlines():
                _add(msgspec.json.decode(row, type=_Object), lines, functions)
    return CodeCoverage(sum(lines.values()), len(lines), sum(functions.values()), len(functions))


def _link_notes(folder: Path, data: Path) -> None:
    """Put a link to the compiler's notes beside the data, where gcov looks for them.

    The data of `/build/x.gcda` is in `FOLDER/build/x.gcda`.
    """
    notes = Path("/", data.relative_to(folder)).with_suffix(".gcno")
    link = data.with_suffix(".gcno")
    if notes.exists() and not link.is_symlink():
        link.symlink_to(notes)


def _add(
    text: _Object, lines: dict[tuple[str, int], bool], functions: dict[tuple[str, int, str], bool]
) -> None:
    """Add the counts of one object; a line of a header is reached if it is reached in any object."""
    for file in text.files:
        name = os.path.normpath(Path(text.current_working_directory, file.file))
        if name.startswith(_SYSTEM):
            continue
        for line in file.lines:
            key = (name, line.line_number)
            lines[key] = lines.get(key, False) or line.count > 0
        for function in file.functions:
            place = (name, function.start_line, function.name)
            functions[place] = functions.get(place, False) or function.execution_count > 0


def _by_llvm(folder: Path, binaries: Sequence[Path]) -> CodeCoverage:
    merged_file = folder / _MERGED
    raw = map(str, sorted(folder.glob("*.profraw")))
    with ProcessRunner() as runner:
        merge = (_tool("llvm-profdata"), "merge", "-sparse", "-o", str(merged_file), *raw)
        runner.run(Program(merge, fenced=False), _LIMITS)
        covered = [file for file in binaries if _LLVM_MAP in file.read_bytes()]
        objects = [word for file in covered for word in ("-object", str(file))]
        export = (_tool("llvm-cov"), "export", "-summary-only", f"-instr-profile={merged_file}", *objects[1:])
        ran = runner.run(Program(export), _LIMITS)
    if ran.status:
        raise SurroundingsError(f"llvm-cov: {ran.stderr.decode(errors='replace').strip()[-200:]}")
    totals = msgspec.json.decode(ran.stdout, type=_Export).data[0].totals
    return CodeCoverage(
        totals.lines.covered, totals.lines.count, totals.functions.covered, totals.functions.count
    )


def _tool(name: str) -> str:
    program = shutil.which(name)
    if program is None:
        raise SurroundingsError(f"{name} is needed to count coverage, and is not on PATH")
    return program
