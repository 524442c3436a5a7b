"""Pages about findings, and their index."""

from __future__ import annotations

from pathlib import Path

import msgspec
from click.testing import CliRunner
from tests.app.report.example import RECORD, TRIAGE
from tests.store.test_merge import another, filled, home

from falsum.app.commands import findings
from falsum.app.report.nonstandard_names import NonstandardNames
from falsum.app.report.page import INDEX, FindingPage, index_of, page_of
from falsum.campaign.triage import result
from falsum.campaign.triage.result import EvidenceRecord
from falsum.defects.evidence.judgement import Defect


def test_a_page_has_report_and_checklist_and_the_index_counts(tmp_path: Path) -> None:
    out, to = filled(tmp_path / "out", RECORD, another("b"), another("c")), tmp_path / "pages"
    crash = msgspec.structs.replace(TRIAGE.judgement, defect=Defect.CRASH)
    result.write(home(out, RECORD), result.TRIAGE, TRIAGE)
    second = msgspec.structs.replace(TRIAGE, digest=another("b").digest, judgement=crash)
    result.write(home(out, another("b")), result.TRIAGE, second)
    words = ["export", "--pages", "--out", str(out), "--to", str(to)]
    said = CliRunner().invoke(findings.command, words, catch_exceptions=False).stdout
    assert said == f"{to / INDEX}: 2 pages; 1 not triaged yet\n"
    text = (to / f"z3-refutation-unsoundness-{RECORD.digest[:6]}.md").read_text()
    assert "(= (div x 2) 3)" in text
    assert "```smt2\n(declare-const x Int)" in text
    assert "## Checklist\n\n- [" in text
    index = (to / INDEX).read_text()
    assert "| crash | 1 | 1 |" in index
    assert "| refutation unsoundness | 1 | 1 |" in index
    assert index.count(".md)") == 2


def test_a_model_that_needs_the_sorts_of_its_script_is_plain_text(tmp_path: Path) -> None:
    out = filled(tmp_path, RECORD)
    evidence = (EvidenceRecord("model", "This model satisfies it.", "(define-fun x ((y T)) T y)"),)
    judged = msgspec.structs.replace(TRIAGE.judgement, evidence=evidence)
    result.write(home(out, RECORD), result.TRIAGE, msgspec.structs.replace(TRIAGE, judgement=judged))
    assert "```text\n(define-fun x ((y T)) T y)\n```" in page_of(home(out, RECORD)).text


def test_plain_scripts_come_first_in_the_index() -> None:
    names = (NonstandardNames((), ("mkbv",)), NonstandardNames(("piand",)), NonstandardNames())
    pages = [FindingPage(f"{n}.md", "z3", "1", "crash", "t", "", each) for n, each in enumerate(names)]
    rows = index_of(pages).splitlines()[-3:]
    assert rows == [
        "| z3 1 | [t](2.md) |  |",
        "| z3 1 | [t](1.md) | extensions: piand |",
        "| z3 1 | [t](0.md) | internal names of solvers: mkbv |",
    ]


def test_a_page_says_where_the_project_knows_of_it(tmp_path: Path) -> None:
    folder = home(filled(tmp_path, RECORD), RECORD)
    result.write(folder, result.TRIAGE, TRIAGE)
    assert "## Known upstream\n\nNot searched yet" in page_of(folder).text
    result.write(folder, result.TRIAGE, msgspec.structs.replace(TRIAGE, known="known-bugs/z3-1.smt2"))
    assert "## Known upstream\n\nThe same as known-bugs/z3-1.smt2." in page_of(folder).text


def test_titles_cannot_break_the_index() -> None:
    page = FindingPage("x.md", "z3", "1", "crash", "a | b\n[c](d)", "")
    assert index_of([page]).splitlines()[-1] == r"| z3 1 | [a \| b\n\[c\](d)](x.md) |  |"
