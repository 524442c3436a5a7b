"""Scripts that push and pop, to `solve`, `reduce` and `bisect`; `test_eval.py` has those of `eval`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.app.test_main import called
from tests.odd_solvers import ODD

from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

P, Q, R = "(declare-const p Bool)", "(declare-const q Bool)", "(declare-const r Int)"
GLOBAL = "(set-option :global-declarations true)"
# A script, the right verdicts, and the check at which a solver lies.
CASES = {
    "in a level": (
        f"{P}(push 1)(assert p)(assert (not p))(check-sat)(pop 1)(assert p)(check-sat)",
        "unsat sat", 1,
    ),
    "after a level": (
        f"{P}(push 1)(assert (not p))(check-sat)(pop 1)(assert p)(check-sat)",
        "sat sat", 2,
    ),
    "two levels of three": (
        f"{P}(push 3)(assert p)(pop 1)(assert (not p))(push 1)(check-sat)(pop 2)(assert (not p))(check-sat)",
        "sat sat", 2,
    ),
    "what follows a check": (
        f"{P}(assert p)(check-sat)(assert (not p))(check-sat)",
        "sat unsat", 1,
    ),
    "assumptions": (
        f"{P}(assert p)(check-sat-assuming ((not p)))(check-sat)",
        "unsat sat", 1,
    ),
    "reset-assertions": (
        f"{P}(assert (not p))(check-sat)(reset-assertions){Q}(assert q)(check-sat)",
        "sat sat", 2,
    ),
    # What follows a reset is not sent, and that is said.
    "reset": (
        f"{P}(assert (not p))(check-sat)(reset){Q}(assert q)(assert (not q))(check-sat)",
        "sat", 1,
    ),
    "a name that outlives its level": (
        f"{GLOBAL}{P}(push 1)(assert (! p :named n))(check-sat)(pop 1)(assert (not n))(check-sat)",
        "sat sat", 2,
    ),
    "a symbol with another sort": (
        f"(push 1){R}(assert (= r 1))(check-sat)(pop 1)(declare-const r Bool)(assert r)(check-sat)",
        "sat sat", 1,
    ),
    "exit": (f"{P}(assert p)(check-sat)(exit)(assert (not p))(check-sat)", "sat", 1),
}  # fmt: skip
# What takes most commands at once.
FIRST = {"after a level", "a name that outlives its level"}
WORDS = {"sat": "refutation unsoundness", "unsat": "solution unsoundness"}


@pytest.fixture(autouse=True)
def here(own_releases: None) -> None:
    Path("falsum.toml").write_text('solvers = ["z3", "cvc5"]\n')


def liar(check: int) -> str:
    """A z3 that says the contrary at one check."""
    return f"{ODD} {resolve('z3', Zoo()).served_release.program} lies-at-{check}"


def build_of(check: int) -> str:
    """The same as a program, by its path alone."""
    build = Path("liar")
    build.write_text(f'#!/bin/sh\nfor last; do :; done\nexec {liar(check)} "$last"\n')
    build.chmod(0o755)
    return f"z3={build.resolve()}"


@pytest.mark.parametrize("name", CASES)
def test_solve(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text, verdicts, check = CASES[name]
    Path("a.smt2").write_text(text)
    code, out, err = called(capsys, "solve", "a.smt2", "--json")
    first, *_rest, last = map(json.loads, out.splitlines())
    assert (code, first["verdicts"]) == (0, verdicts.split()), err
    assert ("(reset) and everything after it left out" in first["changes"]) == ("(reset)" in text)
    assert "suspects" not in last or not last["suspects"]
    code, out, err = called(capsys, "solve", "a.smt2", "-s", "z3", "-s", "cvc5", "-s", liar(check), "--json")
    last = json.loads(out.splitlines()[-1])
    truth = verdicts.split()[check - 1]
    assert (code, last["word"], last["check"]) == (1, WORDS[truth], check), (out, err)
    assert last["suspects"] == [liar(check)]


slowly = pytest.mark.parametrize(
    "name", [name if name in FIRST else pytest.param(name, marks=pytest.mark.slow) for name in CASES]
)


@slowly
@pytest.mark.timeout(600)
def test_reduce(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text, verdicts, check = CASES[name]
    Path("a.smt2").write_text(text)
    code, out, err = called(capsys, "reduce", "a.smt2", "-s", liar(check), "--tests", "40")
    truth = verdicts.split()[check - 1]
    assert code == 0, err
    assert f"keeping {WORDS[truth]}: {liar(check)}" in err
    assert len(out) <= len(text) + text.count("(")  # a line for each command
    Path("small.smt2").write_text(out)
    code, out, err = called(
        capsys, "solve", "small.smt2", "-s", "z3", "-s", "cvc5", "-s", liar(check), "--json"
    )
    last = json.loads(out.splitlines()[-1])
    assert (code, last["word"], last["suspects"]) == (1, WORDS[truth], [liar(check)]), (out, err)


@slowly
def test_bisect(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text, verdicts, check = CASES[name]
    Path("a.smt2").write_text(text)
    code, out, err = called(capsys, "bisect", "a.smt2", "--solver", build_of(check))
    truth = verdicts.split()[check - 1]
    assert code == 0, err
    assert f"falsum: {WORDS[truth]}: {build_of(check)}" in err
    assert ") shows it: new since " in out
    code, _out, err = called(capsys, "bisect", "a.smt2", "--product", "z3")
    assert code == 2
    assert "use --expect, --slower-than or --unknown to say what is wrong" in err
