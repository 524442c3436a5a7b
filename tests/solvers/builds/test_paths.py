"""Solvers by their path: programs under other names, sanitizer builds, libraries in directories."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

import pytest
from tests.toy.builds import LEAKING, PLANTED, SANITIZED, binding, program

from falsum.errors import FalsumError, SurroundingsError, UsageError
from falsum.solvers.answer import Answer, Cause, EndingKind
from falsum.solvers.instruments.build import VARIABLE
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.versions import is_same_release
from falsum.solvers.zoo import Origin, Zoo

SITE_PACKAGES = sysconfig.get_path("purelib")
SCRIPT = "(declare-fun p () Bool)(declare-fun q () Bool)(assert (xor p q p))(check-sat)"


def answer(name: str, *, cold: bool = True) -> Answer:
    with LiveLab([resolve(name, Zoo())], Limits(seconds=30.0)) as lab:
        return lab.ask(Request(name, SCRIPT, cold=cold))


def z3() -> Path:
    release = Zoo().find("z3")
    assert release is not None
    assert release.program is not None
    return Path(release.program)


def test_a_program_under_another_name(tmp_path: Path) -> None:
    mine = tmp_path / "my-solver"
    mine.symlink_to(z3())
    solver = resolve(f"z3={mine}:smt.random_seed=3", Zoo())
    assert solver.profile.product == "z3"
    assert is_same_release(solver.version, resolve("z3", Zoo()).version)
    assert solver.settings == (("smt.random_seed", "3"),)
    assert solver.with_settings((("a", "b"),)).name == f"z3={mine}:a=b"
    assert str(answer(f"z3={mine}").verdict) == "sat"
    assert resolve(f"z3={mine} -smt2", Zoo()).profile.product == "z3"


@pytest.mark.parametrize("cold", [True, False])
@pytest.mark.parametrize("product", ["z3", "cvc5", "bitwuzla"])
@pytest.mark.parametrize("place", [sys.prefix, SITE_PACKAGES])
def test_a_library_in_an_environment_or_a_directory(product: str, place: str, cold: bool) -> None:
    name = f"{product}={place}"
    solver = resolve(name, Zoo())
    own = resolve(product, Zoo())
    assert solver.is_library
    assert solver.version == own.version
    assert solver.release is not None
    assert solver.release.origin is Origin.FILE
    assert str(answer(name, cold=cold).verdict) == "sat"


@pytest.mark.parametrize(
    ("files", "error", "says"),
    [
        ([], SurroundingsError, "no Python module bitwuzla in this directory"),
        (["bin/python"], SurroundingsError, "no Python module bitwuzla in this environment"),
        (
            ["python/bitwuzla.cpython-32-x86_64-linux-gnu.so"],
            SurroundingsError,
            "built for Python 3.2, which is not on PATH",
        ),
        (
            ["bitwuzla/__init__.py"],
            SurroundingsError,
            "cannot be loaded by .*: .*x = 1 / 0|ZeroDivisionError",
        ),
    ],
)
def test_what_is_wrong_with_a_directory(
    tmp_path: Path, files: list[str], error: type[Exception], says: str
) -> None:
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("x = 1 / 0\n")
    with pytest.raises(error, match=says):
        resolve(f"bitwuzla={tmp_path}", Zoo())


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("zz3=/bin/true", "zz3 is no product; say which one it is: zz3=PRODUCT=/bin/true"),
        ("/usr", "is a directory: say which product it is"),
        ("yices=/usr", "has no library that can be given by a directory"),
    ],
)
def test_wrong_paths_are_explained(name: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        resolve(name, Zoo())


def test_a_binding_reads_no_scripts() -> None:
    with pytest.raises(FalsumError, match="use: falsum api"):
        answer(binding(*SANITIZED))


def test_a_sanitizer_build_answers_and_its_crash_has_a_place() -> None:
    honest = answer(program(*SANITIZED))
    assert (str(honest.verdict), honest.ending.kind) == ("sat", EndingKind.FINISHED)
    crashed = answer(program(*PLANTED))
    assert crashed.ending.cause is Cause.SANITIZER
    assert "heap-buffer-overflow at toy.cpp:16 in Solver::apply" in crashed.ending.detail


def test_a_report_that_takes_longer_than_the_run_may_is_awaited() -> None:
    name = program(*PLANTED)
    with LiveLab([resolve(name, Zoo())], Limits(seconds=0.05)) as lab:
        given = [lab.ask(Request(name, SCRIPT, cold=True, again=True)).ending for _ in range(5)]
    assert any(ending.cause is Cause.SANITIZER for ending in given)


def test_behind_a_script_the_user_says_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the limit of the address space stops it, which is no crash of the solver."""
    wrapper = tmp_path / "run.sh"
    wrapper.write_text(f'#!/bin/sh\nexec {program(*SANITIZED)} "$@"\n')
    wrapper.chmod(0o755)
    assert answer(str(wrapper)).ending.kind is EndingKind.OUT_OF_MEMORY
    monkeypatch.setenv(VARIABLE, "asan")
    assert str(answer(str(wrapper)).verdict) == "sat"


def test_leaks_are_crashes_only_if_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer(program(*LEAKING)).ending.kind is EndingKind.FINISHED
    monkeypatch.setenv(VARIABLE, "leaks")
    assert "LeakSanitizer: detected memory leaks" in answer(program(*LEAKING)).ending.detail
