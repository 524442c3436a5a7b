"""Hostile scripts on real solvers: no file is written or read, no verdict is forged."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.solvers.hostile import Trap, dropped, harm, scripts

from falsum.errors import SurroundingsError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.inputs.safe_script import safe_script
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.output import read
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.supervision import fence
from falsum.solvers.zoo import Zoo

SOLVERS = [
    "z3", "cvc5", "bitwuzla", "yices", "boolector", "cvc4", "z3@system",
    *(pytest.param(f"z3@{release}", marks=pytest.mark.slow) for release in ("4.8.7", "4.8.10")),
    *(pytest.param(f"cvc5@{release}", marks=pytest.mark.slow) for release in ("1.1.0", "system")),
]  # fmt: skip
# Solvers that are slow to start see every n-th script in a fresh process.
EVERY = 23
LIMITS = Limits(seconds=5)
# z3 4.8.8 to 4.8.12 end with SIGSEGV at `(get-interpolant …)`: a crash, and not a forged one.
OWN_CRASH = "interpolant"


@pytest.fixture(params=SOLVERS)
def solver(request: pytest.FixtureRequest) -> Solver:
    try:
        return resolve(request.param, Zoo())
    except SurroundingsError as error:
        pytest.skip(str(error))


def test_the_collection_is_large() -> None:
    assert len(scripts()) >= 500


def test_nothing_that_is_judged_is_dropped() -> None:
    assert [name for name, text in scripts().items() if dropped(text)] == []
    assert sum(safe_script(text).whole for text in scripts().values()) >= 200


def test_a_dropped_assertion_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "(declare-const a Bool)(assert a)(check-sat)"
    less = safe_script(text.replace("(assert a)", ""))
    monkeypatch.setattr("tests.solvers.hostile.safe_script", lambda _text: less)
    assert dropped(text)


def test_the_trap_tells_what_happens_in_it(tmp_path: Path) -> None:
    trap = Trap(tmp_path)
    assert not trap.is_touched()
    trap.secret.open().close()
    assert trap.is_touched()
    assert not trap.is_touched()
    trap.path.touch()
    assert trap.is_touched()
    trap.close()


@pytest.mark.parametrize(
    ("cold", "mode"),
    [(False, fence.OFF), (False, fence.BEST), (True, fence.OFF), (True, fence.BEST)],
    ids=["warm, no fence", "warm, fenced", "cold, no fence", "cold, fenced"],
)
def test_hostile_scripts_do_no_harm(
    solver: Solver, tmp_path: Path, cold: bool, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the kernel's help, too: what is sent is harmless by itself.

    All scripts on all products in all four ways: `python -m bench.solvers.hostile_scripts`.
    """
    monkeypatch.setenv(fence.VARIABLE, mode)
    trap = Trap(tmp_path)
    with LiveLab([solver], LIMITS) as lab:
        for name, text in list(scripts().items())[:: EVERY if cold or mode == fence.BEST else 1]:
            answer = lab.ask(Request(solver.name, trap.names(text), cold=cold))
            if not (name.startswith(OWN_CRASH) and answer.crashed and solver.profile.product == "z3"):
                assert not harm(answer, trap), name
    trap.close()


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_the_same_scripts_do_harm_when_sent_as_they_are(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the test above would show nothing."""
    monkeypatch.setenv(fence.VARIABLE, fence.OFF)
    solver = resolve(name, Zoo())
    harmful = set()
    with LiveLab([solver], LIMITS) as lab:
        program = solver.cold_program(solver.prepare("(check-sat)"))
        for place, (what, text) in enumerate(list(scripts().items())[::3]):
            path = tmp_path / str(place)
            result = lab.runner.run(program, LIMITS, text.replace("{path}", str(path)).encode())
            if path.exists() or Verdict.UNSAT in read(solver.profile, result).verdicts:
                harmful.add(what)
    assert len(harmful) >= 10, sorted(harmful)
