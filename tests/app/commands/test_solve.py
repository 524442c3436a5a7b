"""`falsum solve` and `falsum solvers`, as scripts use them."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from falsum.app.commands import solve, solvers
from falsum.errors import SurroundingsError, UsageError

SCRIPT = "(set-logic QF_BV)(declare-fun x () (_ BitVec 8))(assert (bvult x #x05))(check-sat)\n"


def says(word: str) -> str:
    return shlex.join([sys.executable, "-c", f"print({word!r})"])


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a.smt2"
    file.write_text(SCRIPT)
    return str(file)


def run_solve(*arguments: str) -> Result:
    return CliRunner().invoke(solve.command, arguments, catch_exceptions=False)


def test_all_answers_as_json_lines(script: str) -> None:
    result = run_solve(script, "--json")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line.get("solver") for line in lines] == ["z3", "cvc5", "bitwuzla", None]
    assert all(line["verdicts"] == ["sat"] for line in lines[:3])
    assert lines[-1] == {"file": script, "word": "all solvers that decide answer sat"}
    assert result.exit_code == 0


def test_a_contradiction_is_something_found(script: str) -> None:
    result = run_solve(script, "--solver", says("sat"), "--solver", says("unsat"))
    assert result.exit_code == 1
    assert "undecided\n" in result.stdout
    assert "falsum found no evidence that decides which is right." in result.stdout


def test_a_model_tells_who_is_wrong(script: str) -> None:
    result = run_solve(script, "--solver", "z3", "--solver", says("unsat"))
    assert f"refutation unsoundness: {says('unsat')} (check 1 is sat)\n" in result.stdout
    assert "Under this model, printed by z3, every assertion evaluates to true" in result.stdout
    assert result.exit_code == 1


def test_the_judgement_as_a_json_line(script: str) -> None:
    result = run_solve(script, "--solver", "z3", "--solver", says("unsat"), "--json")
    word = json.loads(result.stdout.splitlines()[-1])
    assert (word["word"], word["truth"], word["check"]) == ("refutation unsoundness", "sat", 0)
    assert word["suspects"] == [says("unsat")]
    assert word["evidence"][0]["kind"] == "model"
    assert "(define-fun x () (_ BitVec 8)" in word["evidence"][0]["details"]


def test_a_script_without_symbols_needs_no_model(tmp_path: Path) -> None:
    file = tmp_path / "ground.smt2"
    file.write_text('(assert (str.contains "ab" "c"))(check-sat)')
    result = run_solve(str(file), "--solver", "z3", "--solver", says("sat"))
    assert f"solution unsoundness: {says('sat')} (check 1 is unsat)\n" in result.stdout
    assert result.stdout.endswith('    (str.contains "ab" "c")\n')


def test_a_crash_is_something_found(script: str) -> None:
    crash = f"{sys.executable} -c 'import os; os.abort()'"
    result = run_solve(script, "--solver", crash, "--solver", says("sat"))
    assert result.exit_code == 1
    assert "SIGABRT" in result.stdout


def test_unknown_contradicts_nobody(script: str) -> None:
    assert run_solve(script, "--solver", says("sat"), "--solver", says("unknown")).exit_code == 0


def test_models_are_shown(script: str) -> None:
    assert "define-fun x" in run_solve(script, "--solver", "bitwuzla", "--model").stdout


def test_the_file_names_the_solvers(script: str) -> None:
    Path("falsum.toml").write_text('solvers = ["bitwuzla"]\n')
    result = run_solve(script)
    assert result.stdout.startswith("bitwuzla  sat")


def test_wrong_use_and_broken_surroundings(script: str) -> None:
    with pytest.raises(UsageError):
        run_solve(script, "--solver", "z4")
    with pytest.raises(SurroundingsError):
        run_solve("nope.smt2")


def test_solvers_list_and_doctor_as_json() -> None:
    listed = CliRunner().invoke(solvers.command, ["list", "--json"], catch_exceptions=False)
    rows = [json.loads(line) for line in listed.stdout.splitlines()]
    assert {"z3", "cvc5", "bitwuzla"} <= {row["product"] for row in rows}
    examined = CliRunner().invoke(solvers.command, ["doctor", "bitwuzla", "--json"], catch_exceptions=False)
    (checkup,) = [json.loads(line) for line in examined.stdout.splitlines()]
    assert checkup["healthy"]
    assert checkup["works"]["models"]
    assert examined.exit_code == 0


def test_adding_nonsense_is_refused() -> None:
    with pytest.raises(UsageError, match="choose one of"):
        CliRunner().invoke(solvers.command, ["add", "frob@1"], catch_exceptions=False)
    with pytest.raises(UsageError, match="options cannot be given here"):
        CliRunner().invoke(solvers.command, ["add", "z3@4.8:a=b"], catch_exceptions=False)
