"""Lines and functions are counted from what instrumented programs leave behind."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.toy.builds import COVERED, HERE, SOURCES, program

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


@pytest.mark.skipif(not all(map(shutil.which, ("clang++", "llvm-cov", "llvm-profdata"))), reason="no clang")
def test_what_clang_leaves_is_counted_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built, data = tmp_path / "toy", tmp_path / "data"
    data.mkdir()
    flags = ["-std=c++17", "-fprofile-instr-generate", "-fcoverage-mapping", "-o", str(built)]
    subprocess.run(["clang++", *flags, *(str(HERE / name) for name in SOURCES[1:])], check=True)
    monkeypatch.setenv(COVERAGE_VARIABLE, str(data))
    run(str(built), SMALL)
    first = measure(data, [built])
    run(str(built), LARGER)
    assert 0 < first.lines < measure(data, [built]).lines
