"""Reports of real builds with UBSan, TSan, MSan and ASan, of GCC and clang: found with their place.

Each build answers honestly as long as a script has no `xor`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.toy.builds import DEFECTS, LIBRARY, PLANTED, compiler_named, plain, program, toy

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.api.trace import read_trace
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.instruments.build import Instrument
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

HONEST = "(declare-fun p () Bool)(assert (or p true false))(check-sat)"
WRONG = "(declare-fun p () Bool)(assert (xor p true false))(check-sat)"
OVERFLOW = (
    "UndefinedBehaviorSanitizer: signed integer overflow: N + N cannot be represented in type 'int' "
    "at toy.cpp:23 in Solver::apply < Session::term < Session::run"
)
RACE = "ThreadSanitizer: data race at toy.cpp:29 in Solver::apply < Session::term < Session::run"
HEAP = "AddressSanitizer: heap-buffer-overflow at toy.cpp:16 in Solver::apply"
TRACE = """# falsum trace 1
# solver: toy
# theories: core
new
s1 = sort Bool
t1 = const s1 x1
t2 = term xor t1 t1 t1
assert t2
check
-> sat
"""


def answers(name: str) -> tuple[Answer, Answer]:
    with LiveLab([resolve(name, Zoo())], Limits(seconds=60.0)) as lab:
        honest, wrong = (lab.ask(Request(name, script, cold=True)) for script in (HONEST, WRONG))
    return honest, wrong


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize(
    ("sanitizer", "instrument", "line"),
    [
        ("undefined", Instrument.UBSAN, OVERFLOW),
        ("thread", Instrument.TSAN, RACE),
        ("address", Instrument.ASAN, HEAP),
    ],
)
def test_a_program(compiler: str, sanitizer: str, instrument: Instrument, line: str) -> None:
    """Also where the program goes on after the report and answers."""
    flags = PLANTED[1:] if sanitizer == "address" else DEFECTS
    name = program(f"-fsanitize={sanitizer}", *flags, compiler=compiler)
    build = resolve(name, Zoo()).build
    assert instrument in build.instruments
    assert build.compiler.startswith("clang " if compiler == "clang++" else "GCC ")
    honest, wrong = answers(name)
    assert honest.ending.kind is EndingKind.FINISHED, honest
    assert honest.verdict == "sat"
    assert wrong.crashed
    assert wrong.ending.detail.startswith(line)


def test_memory_that_is_not_initialised(tmp_path: Path) -> None:
    name = plain(tmp_path, "-fsanitize=memory", *DEFECTS)
    assert Instrument.MSAN in resolve(name, Zoo()).build.instruments
    honest, wrong = answers(name)
    assert (honest.ending.kind, honest.verdict) == (EndingKind.FINISHED, "sat")
    assert wrong.crashed
    assert wrong.ending.detail == (
        "MemorySanitizer: use-of-uninitialized-value at plain.c:13 in decide < main"
    )


@pytest.mark.parametrize(
    ("compiler", "sanitizer", "line"),
    [
        ("g++", "undefined", OVERFLOW),
        ("g++", "thread", RACE),
        ("clang++", "undefined", OVERFLOW),
        ("clang++", "address", HEAP),
    ],
)
def test_a_library_in_a_plain_interpreter(compiler: str, sanitizer: str, line: str) -> None:
    compiler_named(compiler)
    flags = PLANTED[1:] if sanitizer == "address" else DEFECTS
    folder = toy(*LIBRARY, f"-fsanitize={sanitizer}", *flags, compiler=compiler)
    solver = resolve(f"toy={folder / 'binding.py'}", Zoo())
    with Fuzzer(solver, Settings(seconds=60, compare=0, options=0)) as fuzzer:
        honest = fuzzer.replay(read_trace(TRACE.replace("xor", "or")))
        wrong = fuzzer.replay(read_trace(TRACE))
    assert honest.status is RunStatus.DONE, honest.evidence
    assert wrong.status is RunStatus.CRASHED
    assert line.partition(" < ")[0] in wrong.evidence
