"""`falsum serve` of a directory of answers: what runs, what ended, and nothing else."""

from __future__ import annotations

import asyncio
import os
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from falsum.app.audits.audit_site import AuditSite
from falsum.app.audits.live_rows import LiveRows, rows_file
from falsum.app.audits.row_formats import json_line
from falsum.audits.rows import AnyRow, AuditRow, Category, StabilityRow, Word
from falsum.audits.run import RunProgress

AUDITED = AuditRow(
    "list.smt2", 1, Word.CONTRADICTED, answers={"z3": "sat", "cvc5": "unsat"}, suspects=("z3",),
    evidence="<b>the model is wrong</b>", exposed=("z3-bug-1",),
)  # fmt: skip
UNSTABLE = StabilityRow("tree.smt2", 2, "z3", Category.UNSTABLE, successes=3, variants=10)


class Visitor:
    """Asks a site, which stays the same from one page to the next."""

    def __init__(self, folder: Path, token: str = "") -> None:
        self._application = AuditSite(folder).application(token)

    def get(self, address: str) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self._application)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost:1") as client:
                return await client.get(address)

        return asyncio.run(ask())


def test_what_ended_is_shown(tmp_path: Path) -> None:
    rows_file(tmp_path, "audit").write_text(f"{json_line(AUDITED)}\n")
    page = Visitor(tmp_path).get("/").text
    assert "1 query, 1 check" in page
    assert "z3: sat, cvc5: unsat" in page
    assert "&lt;b&gt;the model is wrong" in page
    assert "z3-bug-1" in page
    assert "so far" not in page
    assert 'http-equiv="refresh"' not in page


def test_what_runs_is_shown_and_comes_again(tmp_path: Path) -> None:
    served = Visitor(tmp_path)
    with closing(LiveRows(tmp_path, "stability")) as live:
        live.add((UNSTABLE,), RunProgress(2, done=1))
        page = served.get("/").text
        assert "so far: 1 of 2 queries" in page
        assert 'http-equiv="refresh"' in page
        assert "3 of 10" in page
        live.add((UNSTABLE,), RunProgress(2, done=2))
        assert "so far: 2 of 2 queries" in served.get("/").text
        live.end()
    rows_file(tmp_path, "stability").write_text(f"{json_line(UNSTABLE)}\n")
    assert "so far" not in served.get("/").text


def test_every_command_has_a_page_and_the_newest_is_first(tmp_path: Path) -> None:
    rows: dict[str, AnyRow] = {"audit": AUDITED, "stability": UNSTABLE}
    for age, (command, row) in enumerate(rows.items()):
        file = rows_file(tmp_path, command)
        file.write_text(f"{json_line(row)}\n")
        os.utime(file, (1000 + age, 1000 + age))
    served = Visitor(tmp_path)
    assert "tree.smt2" in served.get("/").text
    assert "list.smt2" in served.get("/audit").text
    assert 'href="/audit"' in served.get("/stability").text
    assert served.get("/upgrade").status_code == 404
    assert served.get("/../../etc/passwd").status_code == 404


@pytest.mark.parametrize("text", ["no rows", "{\n", '{"kind": "unknown"}\n'])
def test_a_broken_file_is_an_error_and_no_page(tmp_path: Path, text: str) -> None:
    rows_file(tmp_path, "audit").write_text(f"{json_line(AUDITED)}\n{text}")
    answer = Visitor(tmp_path).get("/")
    if text == "no rows":
        assert answer.status_code == 200
    else:
        assert answer.status_code == 500
        assert "not the rows of an audit" in answer.text
        assert answer.headers["content-type"].startswith("text/plain")


def test_only_who_has_the_token_reads(tmp_path: Path) -> None:
    rows_file(tmp_path, "audit").write_text(f"{json_line(AUDITED)}\n")
    assert Visitor(tmp_path, "s" * 24).get("/").status_code == 401
