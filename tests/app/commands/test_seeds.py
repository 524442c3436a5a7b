"""`falsum seeds`: stats, import, filter and minimise."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from falsum.app.commands import seeds
from falsum.errors import UsageError

SAT = "(set-logic QF_LIA)(set-info :status sat)(declare-const x Int)(assert (> (* 2 x) 3))(check-sat)"
UNSAT = "(set-logic QF_LRA)(set-info :status unsat)(declare-const r Real)(assert (< r (- r 1.0)))(check-sat)"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    for name, text in {"a": SAT, "b": UNSAT, "same": SAT.replace("x", "y"), "bad": "(assert"}.items():
        (tmp_path / "mine" / f"{name}.smt2").write_text(text)
    return tmp_path


def run(*arguments: str) -> str:
    result = CliRunner().invoke(seeds.command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_stats(here: Path) -> None:
    shown = json.loads(run("stats", "mine", "--json"))
    assert shown["seeds"] == {"usable": 3, "unusable": 1}
    assert shown["logic"] == {"QF_LIA": 2, "QF_LRA": 1}
    assert shown["status"] == {"sat": 2, "unsat": 1}
    assert "logic: QF_LIA 2, QF_LRA 1" in run("stats", "mine")


def test_import_takes_each_structure_once(here: Path) -> None:
    with zipfile.ZipFile("corpus.zip", "w") as archive:
        for file in (here / "mine").iterdir():
            archive.write(file, f"../evil/{file.name}")
    assert "4 scripts, 3 new" in run("import", "corpus.zip", "--to", "to")
    assert "4 scripts, 0 new" in run("import", "corpus.zip", "--to", "to")
    assert sorted(path.parent.name for path in here.glob("to/*/*.smt2")) == ["QF_LIA", "QF_LRA", "none"]
    assert not (here.parent / "evil").exists()
    with pytest.raises(UsageError, match="SHA-256"):
        run("import", "corpus.zip", "--sha256", "00", "--to", "other")


def test_filter(here: Path) -> None:
    assert [Path(line).name for line in run("filter", "mine", "--status", "unsat").split()] == ["b.smt2"]
    assert run("filter", "mine", "--operator", "*", "--logic", "QF_LRA") == ""
    run("filter", "mine", "--operator", "<", "--to", "to")
    assert [path.read_text() for path in here.glob("to/QF_LRA/*.smt2")] == [UNSAT]


def test_minimise(here: Path) -> None:
    """Seeds that are alike are not needed twice."""
    chosen = [Path(line).name for line in run("minimise", "mine", "-s", "z3").split()]
    assert len(chosen) == 2
    assert "b.smt2" in chosen
