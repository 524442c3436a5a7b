"""`falsum api` as people call it."""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.api.trace import read_trace
from falsum.app.main import main


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
    assert "create_terms, needs a term" in called(capsys, "--print-model")[1]
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
