"""`falsum summary`: the reasons behind the numbers of a campaign."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.app.test_main import called
from tests.campaign.places import HONEST, SEED, liar

from falsum.campaign.outcome import FAILED, KILLED
from falsum.store.records import BatchRecord, FaultRecord
from falsum.store.store import Store


@pytest.fixture
def out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    (seeds / "good.smt2").write_text(f'(echo "unsat")(set-option :out "/x"){SEED}')
    (seeds / "foreign.smt2").write_text(f"(frobnicate){SEED}")
    (seeds / "empty.smt2").write_text("(declare-const x Int)(check-sat)")
    (seeds / "silent.smt2").write_text("(declare-const x Int)")
    (seeds / "bad.smt2").write_text("(assert (= y 1))(check-sat)")
    (seeds / "binary.smt2").write_bytes(b"\xff\xfe")
    out = str(tmp_path / "out")
    called(
        capsys, "fuzz", str(seeds), "-s", HONEST, "-s", liar("error", "distinct"), "-t", "opfuzz",
        "--count", "40", "-j", "1", "--rng", "1", "--out", out, "--no-triage",
        "--schedule", "even", "--no-engines",
    )  # fmt: skip
    return out


def test_why_seeds_were_left_out_and_mutants_rejected(out: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, printed, _err = called(capsys, "summary", "--out", out)
    assert code == 0
    assert printed.startswith("campaign 1: count reached after 0:")
    assert "40 mutants in " in printed
    assert "seeds left out: 5" in printed
    for reason in (
        "nothing is asserted",
        "no (check-sat)",
        "unreadable: 1:12: unknown symbol y",
        "solvers would not get all of it: (frobnicate …), which falsum does not know, left out",
    ):
        assert f"1 × {reason}\n" in called(capsys, "summary", "--out", out, "--all")[1]
    shown = json.loads(called(capsys, "summary", "--out", out, "--json")[1])
    assert sum(each["count"] for each in shown["left_out"]) == 5
    assert any("binary.smt2" in name for each in shown["left_out"] for name in each["names"])
    assert [(each["reason"], each["count"], len(each["names"])) for each in shown["not_sent"]] == [
        ("(echo …) left out", 1, 2),
        ("(set-option :out …) left out", 1, 2),
    ]
    assert "seeds with commands that were not sent: 2" in printed
    (rejected,) = shown["rejected"]
    assert "unknown function" in rejected["reason"]
    assert rejected["names"] == [liar("error", "distinct")]
    assert rejected["count"] >= 1
    assert shown["faults"] == []
    assert shown["given_up"] == []


def test_what_is_killed_from_outside_is_no_bug_in_falsum(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Store(tmp_path) as store:
        number = store.begin({"solvers": []})
        for batch, ending, text in ((0, KILLED, "status -9"), (1, FAILED, "ZeroDivisionError")):
            record = BatchRecord(batch, "opfuzz", "a.smt2", 0, 0.0, ending, {})
            store.record(number, record, faults=[FaultRecord(-1, text)])
    printed = called(capsys, "summary", "--out", str(tmp_path))[1]
    assert "internal errors, which are bugs in falsum: 1\n  ZeroDivisionError" in printed
    assert "batches given up, whose workers were killed time and again: 1\n  status -9" in printed
    shown = json.loads(called(capsys, "summary", "--out", str(tmp_path), "--json")[1])
    assert (shown["faults"], shown["given_up"]) == (["ZeroDivisionError"], ["status -9"])


def test_without_a_campaign(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Store(tmp_path).close()
    assert called(capsys, "summary", "--out", str(tmp_path))[0] == 2
    assert called(capsys, "summary", "--out", str(tmp_path / "no"))[0] == 3
