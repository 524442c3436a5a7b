"""Strategies are steered from the command line; plan, store and summary have what was asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.campaign.places import HONEST, liar

from falsum.app.commands import findings, fuzz, mutate
from falsum.errors import UsageError
from falsum.store.reader import StoreReader

SEED = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> (+ (abs x) 1) (* 2 3)))\n(check-sat)\n"
OPERATORS = "(<= Int Int Bool)\n(>= Int Int Bool)\n"


@pytest.fixture(autouse=True)
def _work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.smt2").write_text(SEED)
    Path("operators.txt").write_text(OPERATORS)


def fuzzed(*arguments: str) -> dict[str, object]:
    """The last event of a campaign."""
    asked = ["a.smt2", *arguments, "--json", "--rng", "1", "-j", "1", "--no-triage"]
    result = CliRunner().invoke(fuzz.command, asked, catch_exceptions=False)
    end: dict[str, object] = json.loads(result.stdout.splitlines()[-1])
    return end


def test_a_strategy_with_two_settings_has_two_rows() -> None:
    names = ["opfuzz:most=1", "opfuzz:most=2"]
    end = fuzzed(
        "-s", HONEST, "-t", names[0], "-t", names[1], "--count", "12", "--per-visit", "3", "--models", "0",
        "--min-timeout", "2s", "--time-factor", "7", "--operators", "operators.txt",
    )  # fmt: skip
    rows = end["strategies"]
    assert isinstance(rows, dict)
    assert list(rows) == names
    assert sum(row["made"] for row in rows.values()) == 12
    with StoreReader(Path("falsum-out")) as store:
        campaign = store.campaign()
        assert campaign is not None
        assert campaign.plan["strategies"] == names
        assert campaign.plan["operators"] == OPERATORS
        wanted = {"per_visit": 3, "models": 0.0, "least": 2.0, "multiple": 7.0}
        assert {name: campaign.plan[name] for name in wanted} == wanted
        batches = store.batches(campaign.id)
    assert {batch.strategy for batch in batches} == set(names)
    assert all(batch.made <= 3 for batch in batches)


def test_a_finding_names_the_settings() -> None:
    end = fuzzed("-s", liar("verdict", "<="), "-s", HONEST, "-t", "opfuzz:most=1", "--count", "40")
    rows = end["strategies"]
    assert isinstance(rows, dict)
    assert rows["opfuzz:most=1"]["findings"] >= 1
    listed = CliRunner().invoke(findings.command, ["list", "--json"]).stdout.splitlines()
    digest = json.loads(listed[0])["digest"]
    result = CliRunner().invoke(findings.command, ["show", digest, "--json"]).stdout
    assert "parameters: opfuzz:most=1" in result


def test_operator_files_reach_mutate() -> None:
    asked = ["a.smt2", "-t", "opfuzz", "--count", "5", "--operators", "operators.txt"]
    text = CliRunner().invoke(mutate.command, asked, catch_exceptions=False).stdout
    new = [line.rpartition(" -> ")[2] for line in text.splitlines() if line.startswith("; lineage")]
    assert new
    assert set(new) <= {"<=", ">="}


@pytest.mark.parametrize(
    ("name", "message"),
    [("opfuzz:mots=1", "did you mean most"), ("opfuzz:most=few", "most must be"), ("opfuz", "opfuzz")],
)
def test_wrong_settings_are_errors_with_a_suggestion(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        CliRunner().invoke(
            fuzz.command, ["a.smt2", "-s", HONEST, "-t", name, "--count", "1"], catch_exceptions=False
        )
