"""Hostile scripts on real solvers: no file is written or read, no verdict is forged."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.solvers.hostile import scripts

from falsum.errors import SurroundingsError
from falsum.smtlib.verdict import Verdict
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


@pytest.fixture(params=SOLVERS)
def solver(request: pytest.FixtureRequest) -> Solver:
    try:
        return resolve(request.param, Zoo())
    except SurroundingsError as error:
        pytest.skip(str(error))


def test_the_collection_is_large() -> None:
    assert len(scripts()) >= 150


@pytest.mark.parametrize(
    ("cold", "mode"),
    [(False, fence.OFF), (True, fence.OFF), (True, fence.BEST)],
    ids=["warm, no fence", "cold, no fence", "cold, fenced"],
)
def test_hostile_scripts_do_no_harm(
    solver: Solver, tmp_path: Path, cold: bool, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the kernel's help, too: what is sent is harmless by itself."""
    monkeypatch.setenv(fence.VARIABLE, mode)
    path, secret = tmp_path / "written", tmp_path / "secret"
    secret.write_text("(assert false)")
    with LiveLab([solver], LIMITS) as lab:
        chosen = list(scripts().items())[:: EVERY if cold else 1]
        for name, text in chosen:
            harmful = text.replace("{path}", str(path)).replace("{secret}", str(secret))
            answer = lab.ask(Request(solver.name, harmful, cold=cold))
            assert Verdict.UNSAT not in answer.verdicts, name
            assert not answer.crashed, (name, answer.ending)
            assert answer.model is None or "false" not in answer.model, name
            assert list(tmp_path.iterdir()) == [secret], name
            assert secret.read_text() == "(assert false)", name


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
