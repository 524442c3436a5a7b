"""Rows of a command that runs: readable for others at any moment."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from falsum.app.audits.live_rows import (
    LiveRows,
    is_of_audits,
    last_progress,
    live_file,
    rows_file,
)
from falsum.app.audits.row_formats import read_rows
from falsum.audits.rows import AuditRow, Word
from falsum.audits.run import RunProgress

ROWS = tuple(AuditRow(f"{number}.smt2", 1, Word.CONFIRMED) for number in range(3))


def test_rows_and_progress_can_be_read_while_they_are_written(tmp_path: Path) -> None:
    assert not is_of_audits(tmp_path)
    with closing(LiveRows(tmp_path, "audit")) as live:
        assert is_of_audits(tmp_path)
        assert last_progress(live_file(tmp_path, "audit")) == ""
        live.add(ROWS[:2], RunProgress(3, done=2))
        assert read_rows(live_file(tmp_path, "audit")) == list(ROWS[:2])
        assert last_progress(live_file(tmp_path, "audit")).startswith("2 of 3 queries")
        live.add(ROWS[2:], RunProgress(3, done=3))
        assert read_rows(live_file(tmp_path, "audit")) == list(ROWS)
        live.end()
    assert not is_of_audits(tmp_path)
    rows_file(tmp_path, "audit").touch()
    assert is_of_audits(tmp_path)


def test_an_interrupted_command_leaves_its_rows(tmp_path: Path) -> None:
    with closing(LiveRows(tmp_path, "upgrade")) as live:
        live.add(ROWS, RunProgress(9, done=3))
    assert read_rows(live_file(tmp_path, "upgrade")) == list(ROWS)


def test_a_line_that_is_being_written_is_no_progress(tmp_path: Path) -> None:
    file = tmp_path / "rows"
    file.write_text('{"progress": "1 of 2 queries"}\n{"progress": "2 of')
    assert last_progress(file) == "1 of 2 queries"
