"""`falsum api` with builds of one's own: libraries through a binding, and any program through a pipe."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.toy.builds import LIBRARY, PLANTED, SANITIZED, program, toy

from falsum.app.main import main


def campaign(out: Path, *arguments: str) -> tuple[int, list[dict[str, object]]]:
    short = out / "falsum.toml"  # the toy solver tries all values of all constants
    short.write_text("[api.bounds]\nactions = 40\n")
    common = [
        "--theory",
        "core",
        "--rng",
        "1",
        "-j1",
        "--no-triage",
        "--out",
        str(out),
        "--config",
        str(short),
    ]
    with pytest.raises(SystemExit) as left:
        main(["api", *arguments, *common])
    code = left.value.code
    assert isinstance(code, int)
    return code, [json.loads(file.read_text()) for file in out.glob("findings/*/finding.json")]


@pytest.mark.parametrize("way", ["binding", "pipe"])
def test_an_honest_sanitizer_build_gives_no_finding(tmp_path: Path, way: str) -> None:
    library = str(toy(*LIBRARY, *SANITIZED) / "binding.py")
    given = ("--binding", library) if way == "binding" else ("--pipe", "-s", program(*SANITIZED))
    code, findings = campaign(tmp_path, *given, "--count", "4")
    assert (code, findings) == (0, [])


@pytest.mark.timeout(900)  # its trace is reduced, and every replay ends with a report
@pytest.mark.parametrize("way", ["binding", "pipe"])
def test_an_overflow_is_found_with_its_place(tmp_path: Path, way: str) -> None:
    library = str(toy(*LIBRARY, *PLANTED) / "binding.py")
    given = ("--binding", library) if way == "binding" else ("--pipe", "-s", program(*PLANTED))
    code, findings = campaign(tmp_path, *given, "--count", "5")
    assert code == 1
    assert len(findings) == 1, [each["signature"] for each in findings]
    signature = str(findings[0]["signature"])
    assert "AddressSanitizer: heap-buffer-overflow at toy.cpp:16 in Solver::apply" in signature
    assert "0.0" not in signature  # what it prints about its time


def test_nothing_is_known_of_a_program_without_a_logic(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["api", "--pipe", "-s", program(), "--rng", "1", "--out", str(tmp_path)])
    assert left.value.code == 2
    assert "say what it decides, for example with --logic QF_BV" in capsys.readouterr().err
    with pytest.raises(SystemExit) as left:
        main(["api", "--pipe", "-s", f"{program()} ", "--rng", "1", "--logic", "QF_UF", "--print-model"])
    assert left.value.code == 0
