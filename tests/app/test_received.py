"""Findings, traces and configurations of others run no programs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from falsum import trust
from falsum.app.commands import replay
from falsum.campaign import config
from falsum.campaign.triage.job import resolved
from falsum.errors import UsageError
from falsum.solvers.solver import resolve_received
from falsum.solvers.supervision import fence
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.records import ExchangeRecord, FindingRecord

_ANSWER = {
    "verdicts": ["sat"], "ending": "finished", "cause": "", "detail": "", "model": None, "core": None,
    "seconds": 0.1, "cpu": 0.1,
}  # fmt: skip


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "z3"
    file.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    file.chmod(0o755)
    return file


def _finding(solver: str) -> FindingRecord:
    exchange = ExchangeRecord(solver, "", (), "(check-sat)\n", "verdict", True, _ANSWER, "sat\n", "")
    return FindingRecord(
        kind="crash", seemed="", suspects=(solver,), signature="s", evidence="e", strategy="opfuzz",
        rng="1:0", batch=0, place=0, want="verdict", script="(check-sat)\n", seeds=(), lineage=(), claim=None,
        witness="", reference=None, exchanges=(exchange,),
    )  # fmt: skip


@pytest.mark.parametrize("name", ["./z3", "/bin/sh", "sh -c ls", "z3 ", "z3:dot_proof_file=/x", "../z3", ""])
def test_only_products_are_received(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--solver"):
        resolve_received(name, Zoo(tmp_path))


def test_a_product_or_a_named_program_is_received(program: Path) -> None:
    assert resolve_received("z3:smt.arith.solver=2", Zoo()).settings == (("smt.arith.solver", "2"),)
    command = f"{program} -v"
    assert resolve_received(command, Zoo(), [command]).command == (str(program), "-v")


def test_replay_and_triage_of_a_received_finding_run_no_program(tmp_path: Path, program: Path) -> None:
    for name in (str(program), f"{program} -x"):
        record = _finding(name)
        folder = finding_folder.write(tmp_path / str(len(name)), record)
        with pytest.raises(UsageError, match="not run"):
            CliRunner().invoke(replay.command, [str(folder)], catch_exceptions=False)
        with pytest.raises(UsageError, match="not run"):
            resolved(record, ("z3",), Zoo())
    assert not (tmp_path / "ran").exists()


def test_replay_runs_a_program_that_the_user_trusts(
    tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(trust.VARIABLE, "")
    folder = finding_folder.write(tmp_path / "store", _finding(f"{program} -x"))
    with pytest.raises(UsageError, match="not run"):
        CliRunner().invoke(replay.command, [str(folder), "--trust", str(program)], catch_exceptions=False)
    assert not (tmp_path / "ran").exists()
    arguments = [str(folder), "--trust", f"{program} -x", "--fence", "off"]
    monkeypatch.setenv(fence.VARIABLE, fence.OFF)
    CliRunner().invoke(replay.command, arguments, catch_exceptions=False)
    assert (tmp_path / "ran").exists()


def test_a_received_trace_runs_no_program(
    tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(program.parent)
    trace = tmp_path / "a.trace"
    trace.write_text("# falsum trace 1\n# solver: ./z3\n")
    with pytest.raises(UsageError, match="not run"):
        CliRunner().invoke(replay.command, [str(trace)], catch_exceptions=False)
    assert not (tmp_path / "ran").exists()


def test_a_configuration_of_another_user_names_no_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "falsum.toml"
    file.write_text('solvers = ["./z3", "cvc5"]\n')
    assert config.read(file).solvers == ("./z3", "cvc5")
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(UsageError, match=r"belongs to another user.*--trust \./z3"):
        config.read(file)
    monkeypatch.setenv(trust.VARIABLE, "./z3")
    assert config.read(file).solvers == ("./z3", "cvc5")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('solvers = ["z3:smt.arith.solver=2", "cvc5@1.1.0"]', ()),
        ('solvers = ["z3:dot_proof_file=/x", "sh -c ls"]', ("z3:dot_proof_file=/x", "sh -c ls")),
        ('solvers = ["z3=build/z3"]', ("z3=build/z3",)),
        ('solvers = ["z3"]\n[options.z3]\ndot_proof_file = "/x"', ("z3:dot_proof_file=/x",)),
        ('[api]\ncompare_with = ["./z3"]', ("./z3",)),
        ('[clusters.here]\nkind = "ssh"', ("clusters.here",)),
    ],
)
def test_everything_that_names_programs_or_paths_counts(
    text: str, named: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "falsum.toml"
    file.write_text(text)
    assert config.read(file).programs == named
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    if named:
        with pytest.raises(UsageError, match="belongs to another user"):
            config.read(file)
    else:
        config.read(file)
