"""Builds are recognised by their files, and get the variables that they need."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.toy.builds import COVERED, LIBRARY, SANITIZED, toy

from falsum.errors import UsageError
from falsum.solvers.instruments.build import COVERAGE_VARIABLE, PLAIN, VARIABLE, Build, Instrument, build_of

ASAN, UBSAN = Instrument.ASAN, Instrument.UBSAN


def test_what_a_program_was_built_with(tmp_path: Path) -> None:
    assert build_of([toy(*SANITIZED) / "toy"]).instruments == (ASAN, UBSAN)
    assert build_of([toy(*COVERED) / "toy"]).instruments == (Instrument.COVERAGE,)
    plain = build_of([toy() / "toy"])
    assert plain.instruments == ()
    assert plain.compiler.startswith("GCC ")
    script = tmp_path / "run.sh"
    script.write_text("#!/bin/sh\nexec __asan_init\n")
    assert build_of([script]) == PLAIN


def test_a_program_that_is_built_again_is_looked_at_again(tmp_path: Path) -> None:
    program = tmp_path / "toy"
    program.write_bytes((toy() / "toy").read_bytes())
    assert not build_of([program]).has_sanitizer
    program.write_bytes((toy(*SANITIZED) / "toy").read_bytes())
    assert build_of([program]).has_sanitizer


def test_the_user_knows_better(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, sanitized = toy() / "toy", toy(*SANITIZED) / "toy"
    monkeypatch.setenv(VARIABLE, "msan,coverage")
    assert build_of([plain]).instruments == (Instrument.MSAN, Instrument.COVERAGE)
    monkeypatch.setenv(VARIABLE, "plain")
    assert build_of([sanitized]).instruments == ()
    monkeypatch.setenv(VARIABLE, "leaks")
    assert build_of([sanitized]).instruments == (ASAN, UBSAN)
    assert build_of([sanitized]).reports_leaks
    monkeypatch.setenv(VARIABLE, "asam")
    with pytest.raises(UsageError, match="unknown build 'asam'; choose from asan"):
        build_of([plain])


def test_the_variables_of_sanitizers_are_kept_and_win() -> None:
    given = {"ASAN_OPTIONS": "detect_leaks=1:x=2", "HOME": "/home/me", "LD_LIBRARY_PATH": "/lib/mine"}
    kept = Build((ASAN,)).environment(given)
    assert kept["ASAN_OPTIONS"] == "detect_leaks=0:detect_leaks=1:x=2"  # the last one counts
    assert kept["LD_LIBRARY_PATH"] == "/lib/mine"
    assert "HOME" not in kept


def test_a_plain_build_gets_nothing_but_the_folders_of_libraries() -> None:
    given = {"ASAN_OPTIONS": "x=1", "LD_PRELOAD": "evil.so", "LD_LIBRARY_PATH": "/lib/mine"}
    assert PLAIN.environment(given) == {"LD_LIBRARY_PATH": "/lib/mine"}
    assert Build(folders=("/b",)).environment(given) == {"LD_LIBRARY_PATH": "/b:/lib/mine"}


def test_the_run_time_of_a_library_is_loaded_first() -> None:
    build = build_of([toy(*LIBRARY, *SANITIZED) / "libtoy.so"])
    assert build.environment({}, preloads=True)["LD_PRELOAD"].startswith("libasan.so.")
    assert "libstdc++.so.6" in build.environment({}, preloads=True)["LD_PRELOAD"]
    assert "LD_PRELOAD" not in build.environment({})
    assert build.environment({"LD_PRELOAD": "mine.so"}, preloads=True)["LD_PRELOAD"] == "mine.so"


def test_coverage_data_goes_where_it_is_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    build = Build((Instrument.COVERAGE,))
    monkeypatch.delenv(COVERAGE_VARIABLE, raising=False)
    assert build.environment({}) == {"GCOV_PREFIX": ".", "LLVM_PROFILE_FILE": "/dev/null"}
    monkeypatch.setenv(COVERAGE_VARIABLE, "/data")
    assert build.environment({})["GCOV_PREFIX"] == "/data"
    assert PLAIN.environment({}) == {}
