"""Output that fails ends nothing, and says nothing about what was found."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.app.commands.test_fuzz import SEED
from tests.campaign.places import HONEST, liar

from falsum.app import exit_codes
from falsum.store.reader import StoreReader

COUNT = 40
FUZZ = (
    "fuzz", "a.smt2", "--solver", HONEST, "--count", str(COUNT), "--jobs", "1", "--rng", "1", "--strategy",
    "opfuzz", "--schedule", "even", "--no-engines", "--no-triage",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.smt2").write_text(SEED)


def shell(redirection: str, *arguments: str) -> tuple[int, str]:
    """Exit code and standard error of a command whose output goes elsewhere."""
    command = f'"$@" {redirection}'
    program = (sys.executable, "-m", "falsum.app.main", *arguments)
    result = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}", "bash", *program],
        env=os.environ, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return result.returncode, result.stderr


@pytest.mark.parametrize(
    "redirection",
    ["| head -1", "2>&1 | head -1", ">/dev/full", ">/dev/full 2>&1", ">&-", ">&- 2>&-", "<&- >&- 2>&-"],
)
@pytest.mark.parametrize("is_json", [True, False])
def test_a_campaign_goes_on_without_its_output(redirection: str, *, is_json: bool) -> None:
    events = ("--json",) if is_json else ()
    code, errors = shell(redirection, *FUZZ, "--solver", liar("verdict", "<="), *events)
    assert "Traceback" not in errors
    assert code == exit_codes.FOUND
    with StoreReader(Path("falsum-out")) as store:
        assert sum(batch.made for batch in store.batches(1)) == COUNT
        assert store.findings()


def test_an_incomplete_output_is_told() -> None:
    code, errors = shell(">/dev/full", *FUZZ, "--models", "0", "--json")
    assert code == 0
    assert "falsum: standard output is incomplete: No space left on device" in errors


@pytest.mark.parametrize(
    ("redirection", "code"), [(">/dev/full", exit_codes.BROKEN_SURROUNDINGS), ("2>/dev/full", 0)]
)
def test_other_commands_say_that_they_could_not_write(redirection: str, code: int) -> None:
    ended, errors = shell(redirection, "print", "a.smt2")
    assert (ended, "Traceback" in errors) == (code, False)
    assert ("No space left on device" in errors) == bool(code)


def test_a_message_that_cannot_be_written_leaves_the_exit_code() -> None:
    code, _errors = shell("2>/dev/full", "print", "missing.smt2")
    assert code == exit_codes.BROKEN_SURROUNDINGS
