"""`falsum api` as people call it."""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.api.trace import read_trace
from falsum.app.main import main
from falsum.store.reader import StoreReader


def called(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as left:
        main(["api", *arguments])
    code = left.value.code
    assert isinstance(code, int)
    return code, capsys.readouterr().out


def test_one_run_prints_its_trace(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = called(capsys, "-s", "bitwuzla", "--theory", "bitvectors", "--rng", "4", "--compare", "0")
    trace = read_trace(out)
    assert code == 0
    assert trace.header["rng"] == "4"
    assert trace.header["theories"] == "core bitvectors"
    assert str(trace) == out


def test_the_model_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert "create_terms, needs an input" in called(capsys, "--print-model")[1]
    assert called(capsys, "--print-model", "--mermaid")[1].startswith("stateDiagram-v2")
    assert "extra simplify-term" in called(capsys, "--print-model", "-s", "bitwuzla")[1]


def test_weights_come_from_the_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "falsum.toml"
    file.write_text('[api]\ntheories = ["bitvectors"]\n[api.weights]\n"assert.assert" = 0\n')
    out = called(capsys, "--config", str(file), "--print-model")[1]
    assert "    0.00 %  assert\n" in out
    file.write_text("[api]\ntheory = []\n")
    assert called(capsys, "--config", str(file), "--print-model")[0] == 2


@pytest.mark.parametrize(
    "arguments", [("-s", "yices2"), ("--theory", "poetry"), ("--count", "1", "--for", "1s")]
)
def test_wrong_use_is_told(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    assert called(capsys, *arguments, "--rng", "1")[0] == 2


def test_options_and_partners_are_chosen(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = (
        "-s",
        "bitwuzla",
        "--theory",
        "bitvectors",
        "--count",
        "6",
        "--rng",
        "1",
        "-j",
        "1",
        "--no-triage",
    )
    chosen = ("--options", "1", "--max-options", "5", "--option-class", "regular", "--compare-with", "z3")
    called(capsys, *arguments, *chosen, "--out", str(tmp_path))
    with StoreReader(tmp_path) as store:
        campaign = store.campaign()
    assert campaign is not None
    plan = campaign.plan["api"]
    assert plan["solvers"] == [["bitwuzla", ["z3"]]]
    assert plan["settings"]["max_options"] == 5
    assert plan["settings"]["option_classes"] == ["regular"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-s", "cvc5:nonsense=true", "--rng", "1"), "cvc5:nonsense=true refuses nonsense=true"),
        (("-s", "bitwuzla", "--option-class", "brave", "--rng", "1"), "'brave' is not one of"),
    ],
)
def test_options_that_cannot_be_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["api", *arguments])
    assert left.value.code == 2
    assert message in capsys.readouterr().err
