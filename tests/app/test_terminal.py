"""What the commands print on a terminal while they work."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

from falsum.app.terminal import last_line, progress_line, status_line, waiting


def test_nothing_is_shown_where_no_terminal_is(capsys: object) -> None:
    with progress_line(3, "done") as step, waiting("working"):
        step("a")
        status_line("text")
    assert capsys.readouterr() == ("", "")  # type: ignore[attr-defined]


def test_the_last_line_of_a_traceback_says_what_is_wrong() -> None:
    assert last_line("Traceback\n  somewhere\nKeyError: 'x'\n") == "KeyError: 'x'"
    assert last_line("") == ""


def on_terminal(code: str) -> str:
    """What a program writes to its standard error, which is a terminal of 40 columns."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", code], stderr=theirs, env=os.environ | {"COLUMNS": "40"}
    )
    os.close(theirs)
    written = b""
    while True:
        try:
            chunk = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        written += chunk
    os.close(ours)
    assert process.wait() == 0
    return written.decode()


def test_a_line_is_replaced_and_removed() -> None:
    code = "from falsum.app.terminal import progress_line\n"
    code += "with progress_line(2, 'triaged') as step: step('long' * 20)"
    written = on_terminal(code)
    lines = [line for line in written.split("\r\x1b[K") if line]
    assert lines[0] == "0 of 2 triaged"
    assert lines[1].startswith("1 of 2 triaged: longlong")
    assert len(lines[1]) == 39
    assert written.endswith("\r\x1b[K")


def test_waiting_shows_the_time() -> None:
    code = "import time\nfrom falsum.app.terminal import waiting\n"
    code += "with waiting('installing z3'): time.sleep(2.5)"
    written = on_terminal(code)
    assert "installing z3 … 1 s" in written
    assert written.endswith("\r\x1b[K")


def test_check_counts_the_files_of_a_directory(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.smt2").write_text("(check-sat)")
    code = f"from falsum.app.main import main\nmain(['check', {str(tmp_path)!r}])"
    assert "1 read: " in on_terminal(code)
