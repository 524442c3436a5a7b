"""Control characters, shell code and paths in names of others do no harm."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from falsum.app.main import falsum
from falsum.campaign.progress import PlainWatcher
from falsum.errors import UsageError
from falsum.printable import on_one_line, printable
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.records import ExchangeRecord, FindingRecord


def test_control_characters_are_escaped() -> None:
    assert printable("a\x1b[2J\tb\n\r\x9b\u202e\udcff") == "a\\x1b[2J\tb\n\\x0d\\x9b\\u202e\\udcff"
    assert on_one_line("a\nb") == "a\\nb"


def test_messages_of_commands_are_escaped(tmp_path: Path) -> None:
    file = tmp_path / "a.smt2"
    file.write_text("(assert |x\x1b[2Jy|)")
    result = CliRunner().invoke(falsum, ["check", str(file)])
    assert "unknown symbol" in result.output
    assert "\x1b" not in result.output


def test_progress_is_escaped() -> None:
    stream = io.StringIO()
    PlainWatcher(stream).seed("x\x1b[2J.smt2", "unreadable: \x07")
    assert stream.getvalue() == "falsum: seed left out: x\\x1b[2J.smt2: unreadable: \\x07\n"


def test_replay_quotes_the_program(tmp_path: Path) -> None:
    place = tmp_path / "a$(touch X)b`touch Y`\"'}"
    place.mkdir()
    program = place / "solver"
    program.write_text("#!/bin/sh\necho ran\n")
    program.chmod(0o755)
    folder = finding_folder.write(tmp_path, _finding(str(program), "z3\ntouch Z"))
    result = subprocess.run([folder / "replay.sh"], capture_output=True, text=True, check=False)
    assert "\nran\n" in result.stdout
    assert not {"X", "Y", "Z"} & {file.name for file in folder.iterdir()}


def _finding(program: str, version: str) -> FindingRecord:
    answer = {
        "verdicts": ["sat"], "ending": "finished", "cause": "", "detail": "", "model": None, "core": None,
        "seconds": 0.1, "cpu": 0.1,
    }  # fmt: skip
    exchange = ExchangeRecord(
        "z3", version, (program,), "(check-sat)\n", "verdict", True, answer, "sat\n", ""
    )
    return FindingRecord(
        kind="crash", seemed="", suspects=("z3",), signature="s", evidence="e", strategy="opfuzz", rng="1:0",
        batch=0, place=0, want="verdict", script="(check-sat)\n", seeds=(), lineage=(), claim=None,
        witness="", reference=None, exchanges=(exchange,),
    )  # fmt: skip


@pytest.mark.parametrize("wanted", ["v4.8.6", "../../x", "4.8/../..", "newest", "4.8 --pre"])
def test_only_releases_can_be_added(wanted: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a release"):
        Zoo(tmp_path).add("z3", wanted)
