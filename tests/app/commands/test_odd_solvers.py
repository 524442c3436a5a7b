"""Odd but honest solvers, asked by every command that may blame somebody: nobody is blamed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.app.test_main import called
from tests.odd_solvers import HANGING, MANNERS, ODD

from falsum.app import exit_codes
from falsum.defects.evidence.judgement import Defect
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store.reader import StoreReader

CHECKS = """(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 5))
(check-sat)
(push 1)
(assert (< x 5))
(check-sat)
(pop 1)
(assert (< x 9))
(check-sat)
"""
CHECK = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 5))(assert (< x 9))(check-sat)"
# What took most to get right; the others are slow.
SAMPLE = ["timeout-at-2", "after-TERM"]
DEFECTS = {str(each) for each in Defect} - {Defect.UNDECIDED}


@pytest.fixture(autouse=True)
def here(own_releases: None) -> None:
    Path("checks.smt2").write_text(CHECKS)
    Path("check.smt2").write_text(CHECK)
    Path("queries").mkdir()
    Path("queries/a.smt2").write_text(CHECKS)
    Path("falsum.toml").write_text('solvers = ["cvc5"]\n')


@pytest.fixture(scope="module")
def program() -> str:
    found = resolve("z3", Zoo()).served_release.program
    assert found is not None
    return found


@pytest.fixture(params=["idle", pytest.param("busy", marks=pytest.mark.slow)])
def machine(request: pytest.FixtureRequest) -> Iterator[str]:
    """The machine as it is, or with two loops that never rest."""
    loops = []
    if request.param == "busy":
        loops = [subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]) for _ in range(2)]
    yield request.param
    for loop in loops:
        loop.kill()
        loop.wait()


def _manners() -> list[object]:
    return [
        manner if manner in SAMPLE else pytest.param(manner, marks=pytest.mark.slow) for manner in MANNERS
    ]


gallery = pytest.mark.parametrize("manner", _manners())
pytestmark = [pytest.mark.usefixtures("machine"), pytest.mark.timeout(600)]


def odd(program: str, manner: str) -> str:
    return f"{ODD} {program} {manner}"


def build_of(program: str, manner: str) -> str:
    """An odd program of z3, by its path alone."""
    build = Path("odd-z3")
    build.write_text(
        f"#!/bin/sh\ncase $1 in --version) exec {program} --version ;; esac\nfor last; do :; done\n"
        f'exec {odd(program, manner)} "$last"\n'
    )
    build.chmod(0o755)
    return "z3=./odd-z3"


def seconds(manner: str) -> str:
    return "1s" if manner in HANGING else "20s"


@gallery
def test_solve(program: str, manner: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("-s", odd(program, manner), "-s", "cvc5", "--timeout", seconds(manner))
    for more in ((), ("--model",)):
        code, out, err = called(capsys, "solve", "checks.smt2", *asked, *more, "--json")
        last = json.loads(out.splitlines()[-1])
        assert code in {0, exit_codes.BROKEN_SURROUNDINGS}, (out, err)
        assert last.get("suspects", []) == [], out


@gallery
def test_fuzz(program: str, manner: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [
        "-s", odd(program, manner), "-s", "cvc5", "-t", "opfuzz", "--count", "2", "--rng", "1", "-j", "1",
        "--no-triage", "--timeout", seconds(manner), "--out", "out",
    ]  # fmt: skip
    code, out, err = called(capsys, "fuzz", "checks.smt2", *asked)
    # There is no campaign with a solver that refuses everything.
    if Path("out").exists() or code == 0:
        with StoreReader(Path("out")) as store:
            assert [found.signature for found in store.findings()] == [], (out, err)
    assert code in {0, exit_codes.BROKEN_SURROUNDINGS}, (out, err)


@gallery
def test_reduce(program: str, manner: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("-s", odd(program, manner), "--timeout", seconds(manner), "--tests", "3")
    code, out, err = called(capsys, "reduce", "checks.smt2", *asked)
    # Answers that come anew each time are kept anew each time.
    assert "nothing is known to be wrong with the answers" in err or "no solver accepts" in err, (code, out)
    assert not any(f"keeping {word}" in err for word in DEFECTS), err


@gallery
def test_bisect(program: str, manner: str, capsys: pytest.CaptureFixture[str]) -> None:
    build = ("--solver", build_of(program, manner), "--timeout", seconds(manner))
    code, out, err = called(capsys, "bisect", "check.smt2", *build, "--expect", "sat")
    assert code in {0, exit_codes.BROKEN_SURROUNDINGS}, (out, err)
    assert ") shows it" not in out, out
    code, out, err = called(capsys, "bisect", "check.smt2", *build)
    # A z3 that gives up where z3 decides is incomplete, and not just odd.
    assert code == exit_codes.WRONG_USE or manner.startswith("unknown"), (out, err)
    assert not any(f"falsum: {word}" in err for word in DEFECTS - {Defect.INCOMPLETENESS}), err


@gallery
def test_audit(program: str, manner: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = (
        "-s",
        odd(program, manner),
        "-s",
        "cvc5",
        "-j",
        "1",
        "--timeout",
        seconds(manner),
        "--out",
        "out",
    )
    code, out, err = called(capsys, "audit", "queries", *asked, "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert len(rows) == 3
    assert all(row["word"] != "contradicted" and not row.get("suspects") for row in rows), out
    assert code == 0, err


@pytest.mark.parametrize("command", ["solve", "fuzz", "reduce", "bisect", "audit"])
def test_a_liar_is_blamed_all_the_same(
    command: str, program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Otherwise the tests above would show nothing."""
    name = odd(program, "lies")
    arguments = {
        "solve": ("checks.smt2", "-s", name, "-s", "cvc5"),
        "fuzz": ("checks.smt2", "-s", name, "-s", "cvc5", "-t", "opfuzz", "--count", "4", "--rng", "1",
                 "-j", "1", "--no-triage"),
        "reduce": ("checks.smt2", "-s", name, "--tests", "3"),
        "bisect": ("checks.smt2", "--solver", build_of(program, "lies")),
        "audit": ("queries", "-s", name, "-s", "cvc5", "-j", "1"),
    }  # fmt: skip
    code, out, err = called(capsys, command, *arguments[command])
    said = out + err
    assert code == (0 if command in ("reduce", "bisect") else exit_codes.FOUND), said
    word = {"fuzz": "disagreement", "audit": "contradicted"}.get(command, "solution unsoundness")
    assert word in said
