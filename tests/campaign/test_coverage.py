"""Lines and functions are counted from what instrumented programs leave behind."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.toy.builds import CLANG_COVERED, COVERED, binding, program

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.api.trace import read_trace
from falsum.campaign.coverage import CodeCoverage, has_data, measure
from falsum.solvers.instruments.build import COVERAGE_VARIABLE
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

SMALL = "(declare-fun p () Bool)(assert p)(check-sat)"
LARGER = (
    "(declare-fun p () Bool)(assert (ite p (xor p true) (distinct p false)))(push 1)(check-sat)(get-model)"
)

TRACE = """# falsum trace 1
# solver: toy
# theories: core
new
s1 = sort Bool
t1 = const s1 x1
t2 = term or t1 t1
assert t2
check
-> sat
"""


def run(name: str, *scripts: str) -> None:
    with LiveLab([resolve(name, Zoo())], Limits(seconds=30.0)) as lab:
        for script in scripts:
            assert lab.ask(Request(name, script)).verdict is not None


def test_more_scripts_reach_more_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(COVERAGE_VARIABLE, str(tmp_path))
    assert measure(tmp_path) == CodeCoverage()
    run(program(*COVERED), SMALL)
    assert has_data(tmp_path)
    first = measure(tmp_path)
    run(program(*COVERED), LARGER)
    second = measure(tmp_path)
    assert 0 < first.lines < second.lines < second.all_lines == first.all_lines
    assert 0 < first.functions < second.functions <= second.all_functions
    assert str(second).startswith(f"{second.lines} of {second.all_lines} lines (")


def test_nothing_is_left_in_the_build_without_a_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(COVERAGE_VARIABLE, raising=False)
    run(program(*COVERED), SMALL)
    assert list(Path(program(*COVERED)).parent.rglob("*.gcda")) == []


@pytest.fixture
def llvm() -> None:
    for tool in ("clang++", "llvm-cov", "llvm-profdata"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")


@pytest.mark.usefixtures("llvm")
def test_what_clang_leaves_is_counted_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(COVERAGE_VARIABLE, str(tmp_path))
    built = program(*CLANG_COVERED, compiler="clang++")
    run(built, SMALL)
    first = measure(tmp_path, [Path(built)])
    run(built, LARGER)
    second = measure(tmp_path, [Path(built)])
    assert 0 < first.lines < second.lines < second.all_lines == first.all_lines
    # A build of GCC beside it: what both reach is added up, whatever binaries are named.
    run(program(*COVERED), SMALL)
    both = measure(tmp_path, [Path(built), Path(program(*COVERED))])
    assert both.lines > second.lines
    assert both.all_lines > second.all_lines


@pytest.mark.usefixtures("llvm")
def test_a_library_of_clang_in_an_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(COVERAGE_VARIABLE, str(tmp_path))
    solver = resolve(binding(*CLANG_COVERED, compiler="clang++"), Zoo())
    with Fuzzer(solver, Settings(seconds=60, compare=0, options=0)) as fuzzer:
        assert fuzzer.replay(read_trace(TRACE)).status is RunStatus.DONE
    found = measure(tmp_path, solver.binaries())
    assert 0 < found.lines < found.all_lines
    assert 0 < found.functions < found.all_functions


def test_gcovr_reads_the_same_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gcovr = shutil.which("gcovr")
    if gcovr is None:
        pytest.skip("gcovr is not installed")
    monkeypatch.setenv(COVERAGE_VARIABLE, str(tmp_path))
    built = program(*COVERED)
    run(built, LARGER)
    ours = measure(tmp_path)
    only = f"{Path(built).parent}/"
    argv = [gcovr, "--root", "/", "--filter", only, "--json-summary-pretty", str(tmp_path)]
    result = subprocess.run(argv, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    theirs = json.loads(result.stdout)
    assert abs(theirs["line_covered"] - ours.lines) <= 0.1 * ours.lines  # it counts templates otherwise
