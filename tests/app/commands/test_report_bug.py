"""`falsum report-bug`: a script becomes a report in one command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.app.test_main import called
from tests.campaign.places import HONEST, liar

from falsum.store.reader import StoreReader

SCRIPT = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (and (> (abs x) 3) (< x 100)))\n(check-sat)\n"


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "falsum.toml").write_text('solvers = ["z3"]\n')
    (tmp_path / "odd.smt2").write_text(SCRIPT)
    return "odd.smt2"


def test_a_wrong_verdict_becomes_a_report(script: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = called(capsys, "report-bug", script, "-s", liar("verdict"), "--for", "60s", "--out", "o")
    assert code == 1, err
    assert "disagreement: check 1: " in out
    assert f"judged: refutation unsoundness: {liar('verdict')}" in out
    assert f"reduced: from {len(SCRIPT)} to " in out
    with StoreReader(Path("o")) as store:
        (found,) = store.findings()
        assert store.campaign() is None
    folder = Path("o", "findings", found.folder)
    assert f"report {found.digest}: {folder / 'report.md'}\n" in out
    report = (folder / "report.md").read_text()
    assert "Refutation unsoundness: unsat for a satisfiable" in report
    assert "Examined by falsum" in report
    assert len((folder / "reduced.smt2").read_text()) < len(SCRIPT)


def test_a_crash_as_json(script: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--json", "--no-bisect", "--out", "o")
    code, out, _err = called(capsys, "report-bug", script, "-s", liar("abort"), *asked)
    shown = json.loads(out)
    assert (code, shown["found"], shown["triage"]["judgement"]["word"]) == (1, True, "crash")
    assert Path(shown["report"]).is_file()


def test_nothing_wrong_leaves_nothing_behind(script: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _err = called(capsys, "report-bug", script, "-s", HONEST)
    assert code == 0
    assert out.splitlines()[:2] == [f"{HONEST}: sat", "z3: sat"]
    assert out.splitlines()[-1].startswith("nothing wrong: ")
    assert not Path("falsum-out").exists()


def test_wrong_use(script: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert called(capsys, "report-bug", script)[0] == 0  # whoever is wrong; nobody is
    assert called(capsys, "report-bug", "nowhere.smt2", "-s", "z3")[0] == 3
    Path("wrong.smt2").write_text("(assert (> x 1))(check-sat)")
    code, _out, err = called(capsys, "report-bug", "wrong.smt2", "-s", "z3")
    assert code == 2
    assert err.startswith("falsum: wrong.smt2:1:12: unknown symbol x\ncorrect the script, then: falsum check")


def test_models_that_are_not_looked_at_are_named(script: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(script).write_text("(declare-const x Int)(assert (> x 0))" + "(check-sat)" * 9)
    _code, _out, err = called(capsys, "report-bug", script, "-s", "z3")
    assert "Models of checks 7 to 8 were not looked at." in err
