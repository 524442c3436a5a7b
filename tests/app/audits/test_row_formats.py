"""Rows in every format; names and solvers may be anything."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.app.report.test_ci_formats import SARIF_SCHEMA, SCHEMA

from falsum.app.audits.audit_page import page_text
from falsum.app.audits.row_formats import csv_text, json_line, junit_text, known_rows, read_rows, sarif_text
from falsum.app.audits.row_summary import SHOWN, summary
from falsum.audits.rows import AnyRow, AuditRow, Category, Change, StabilityRow, UpgradeRow, Word
from falsum.audits.run import Note
from falsum.errors import SurroundingsError, UsageError

EVIL = "a\x1b[31m<b>&\n=1|2\udcff.smt2"
ROWS: tuple[tuple[AnyRow, ...], ...] = (
    (AuditRow(EVIL, 1, Word.CONTRADICTED, "sat", {"z3": "sat", "x": EVIL}, 2, ("x",), EVIL, ("bug",)),),
    (
        UpgradeRow(EVIL, 1, "z3@1", "z3@2", Change.LOST, "unsat", EVIL, 0.0, 120.0, cluster=EVIL, p=0.004),
        UpgradeRow(EVIL, 2, "z3@1", "z3@2", Change.SAME, "unsat", "unsat", 1.0, 1.0),
    ),
    (StabilityRow(EVIL, 1, "z3", Category.UNSTABLE, "sat", 5, 9, by_kind={"order": (5, 9)}, reason=EVIL),),
)  # fmt: skip


@pytest.mark.parametrize("rows", ROWS)
def test_formats_are_well_formed(rows: tuple[AnyRow, ...], tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(map(json_line, rows)))
    assert tuple(read_rows(file)) == rows
    assert csv_text(rows).count("\n") == len(rows) + 1
    root = ET.fromstring(junit_text(rows, {0}, set(), "audit"))
    SCHEMA.validate(junit_text(rows, {0}, set(), "audit"))
    assert len(root.findall(".//failure")) == 1
    log = json.loads(sarif_text(rows, {0}, set()))
    SARIF_SCHEMA.validate(log)
    assert log["runs"][0]["results"][0]["baselineState"] == "new"
    notes = Counter([Note("z3", EVIL)])
    page = page_text("audit", rows, notes)
    text = "\n".join(summary(rows, notes, 1, "rows"))
    for shown in (page, text):
        assert "\x1b" not in shown
        assert "\udcff" not in shown
    assert "<b>&" not in page
    assert ("<svg" in page) == isinstance(rows[0], UpgradeRow)


def test_known_rows_are_skipped() -> None:
    rows = ROWS[1]
    assert len(ET.fromstring(junit_text(rows, set(), {0}, "upgrade")).findall(".//skipped")) == 1
    assert len(known_rows(rows)) == 2
    assert junit_text((), set(), set(), "audit").count("testcase") == 1
    assert csv_text(()) == "\n"


def test_long_summaries_are_cut_and_say_so() -> None:
    rows = [AuditRow(f"q{n}", 1, Word.CONTRADICTED) for n in range(SHOWN + 3)]
    text = "\n".join(summary(rows, Counter(), 0, "the rows"))
    assert "and 3 more contradicted: the rows" in text
    assert text.count("contradicted: q") == SHOWN


def test_files_that_are_no_rows(tmp_path: Path) -> None:
    (tmp_path / "a").write_text('{"kind": "audit"}')
    with pytest.raises(UsageError, match="not the rows"):
        read_rows(tmp_path / "a")
    with pytest.raises(SurroundingsError):
        read_rows(tmp_path / "none")
