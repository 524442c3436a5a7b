"""`falsum audit`: the word of each check, and no word against honest solvers."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result
from tests.audits.plants import SAT, honest, liar, query, write

from falsum.app.commands import audit, solve
from falsum.atlas.bug import WRONG_VERDICTS
from falsum.atlas.collection import atlas
from falsum.audits.audit import Audit
from falsum.audits.query.queries import Query
from falsum.audits.rows import AuditRow
from falsum.audits.run import Examined
from falsum.errors import UsageError
from falsum.solvers.zoo import Zoo


def run(*arguments: object) -> Result:
    return CliRunner().invoke(audit.command, list(map(str, arguments)), catch_exceptions=False)


def words(result: Result) -> dict[str, str]:
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    return {f"{Path(row['query']).stem}/{row['check']}": row["word"] for row in rows}


@pytest.mark.timeout(300)
def test_lies_are_found_and_their_tellers_named(tmp_path: Path) -> None:
    rng = Random(2)
    lies = {name: query(SAT, name, rng).replace("value", "x") for name in ("plant_wrong",)}
    lies["plant_model"] = SAT.format(name="plant_model", low=9, value=12)
    folder = write(tmp_path / "queries", honest(4, rng) | lies)
    lying = liar(tmp_path)
    files = {name: tmp_path / name for name in ("a.csv", "a.xml", "a.sarif", "a.html")}
    result = run(
        folder, "-s", lying, "-s", "cvc5", "--out", tmp_path / "out", "--json", "--csv", files["a.csv"],
        "--junit", files["a.xml"], "--sarif", files["a.sarif"], "--page", files["a.html"],
    )  # fmt: skip
    found = words(result)
    assert {name for name, word in found.items() if word == "contradicted"} == {
        "plant_wrong/1", "plant_model/1",
    }  # fmt: skip
    assert {found["honest0/1"], found["honest2/1"]} == {"confirmed"}
    assert {found["honest1/1"], found["honest3/1"]} <= {"agreed", "confirmed"}
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert {tuple(row.get("suspects", ())) for row in rows} == {(), (lying,)}
    assert result.exit_code == 1

    assert len(list(csv.DictReader(files["a.csv"].read_text().splitlines()))) == 6
    suite = ET.parse(files["a.xml"]).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("6", "2")
    results = json.loads(files["a.sarif"].read_text())["runs"][0]["results"]
    assert [one["ruleId"] for one in results] == ["contradicted"] * 2
    assert "plant_wrong" in files["a.html"].read_text()
    assert "<script" not in files["a.html"].read_text()


def test_one_solver_alone_has_only_its_word_or_a_model(tmp_path: Path) -> None:
    rng = Random(3)
    folder = write(tmp_path / "queries", honest(2, rng))
    result = run(folder, "-s", "z3", "--out", tmp_path / "out", "--json")
    assert words(result) == {"honest0/1": "confirmed", "honest1/1": "only the solver's word"}
    assert result.exit_code == 0
    plainly = run(folder, "-s", "z3", "--out", tmp_path / "out", "--json", "--no-evidence")
    assert set(words(plainly).values()) == {"only the solver's word"}


def test_queries_that_meet_a_bug_of_the_atlas_are_exposed(tmp_path: Path) -> None:
    """A release has the bugs of its time, and a query meets those that it has all operators of."""
    if Zoo().find("z3", "4.8.7") is None:
        pytest.skip("z3 4.8.7 is not installed")
    bug = next(b for b in atlas() if b.kind in WRONG_VERDICTS and b.is_in("z3", "4.8.7") and b.may_show(
        frozenset(b.operators)))  # fmt: skip
    folder = write(tmp_path / "queries", {"a": bug.script, "b": "(assert false)(check-sat)"})
    result = run(folder, "-s", "z3@4.8.7", "--out", tmp_path / "out", "--no-evidence")
    assert f"  {bug.name}: " in result.stdout
    newest = run(folder, "-s", "z3", "--out", tmp_path / "other", "--no-evidence")
    assert f"  {bug.name}: " not in newest.stdout


def test_what_cannot_be_read_is_said_and_the_rest_is_done(tmp_path: Path) -> None:
    folder = write(tmp_path / "queries", {"a": "(assert true)(check-sat)"})
    (folder / "b.smt2.gz").write_bytes(b"no gzip")
    result = run(folder, "-s", "z3", "--out", tmp_path / "out")
    assert "b.smt2.gz" in result.stderr
    assert "1 query, 1 check" in result.stdout
    assert result.exit_code == 3


def test_a_solver_is_needed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--solver S"):
        run(tmp_path)


def test_an_interrupted_audit_goes_on_where_it_was(tmp_path: Path) -> None:
    """Ctrl-C while a solver hangs: the answers so far are kept."""
    folder = write(tmp_path / "queries", honest(2, Random(7)))
    hangs = tmp_path / "hangs"
    flag = tmp_path / "flag"
    flag.touch()
    hangs.write_text(
        f"#!/bin/sh\nfor last; do :; done\n[ -e {flag} ] && grep -q c1 $last && sleep 100\necho sat\n"
    )
    hangs.chmod(0o755)
    arguments = ["audit", str(folder), "-s", f"z3={hangs}", "--no-evidence", "-j", "1"]
    command = [sys.executable, "-m", "falsum.app.main", *arguments, "--out", str(tmp_path / "out"), "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - as in a terminal
    ) as running:  # fmt: skip
        try:
            assert running.stdout is not None
            assert "honest0" in running.stdout.readline()
            running.send_signal(signal.SIGINT)
            _rest, errors = running.communicate(timeout=30)
        finally:
            running.kill()
    assert running.returncode == 130
    assert "interrupted" in errors

    flag.unlink()
    again = subprocess.run(command[:-1], capture_output=True, text=True, check=True)
    assert "2 queries, 2 checks" in again.stdout
    assert "1 solver run," in again.stderr
    assert "1 query as before" in again.stderr


def test_an_error_in_falsum_does_not_end_an_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "queries", {"a": "(check-sat)", "b": "(assert true)(check-sat)"})
    examine = Audit.examine

    def broken(self: Audit, query: Query, text: str) -> Examined[AuditRow]:
        if "assert" in text:
            raise RecursionError("too deep")
        return examine(self, query, text)

    monkeypatch.setattr(Audit, "examine", broken)
    result = run(folder, "-s", "z3", "--out", tmp_path / "out")
    assert "1 query, 1 check" in result.stdout
    assert "b.smt2: internal error: RecursionError: too deep" in result.stderr
    assert result.exit_code == 4


def test_solve_names_the_command_for_directories(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="falsum audit"):
        CliRunner().invoke(solve.command, [str(tmp_path)], catch_exceptions=False)
