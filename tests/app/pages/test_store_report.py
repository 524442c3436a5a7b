"""Reports on stores: one HTML file that needs nothing, and Markdown with the same tables."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.app.pages.sample_store import LIBRARY, TRIAGED, UNTRIAGED, WICKED, make_store
from tests.app.test_main import called

from falsum.app.pages.store_report import read_report, write_report
from falsum.store.store import Store


def test_the_html_file_needs_nothing_else(tmp_path: Path) -> None:
    page = read_report(make_store(tmp_path)).html()
    assert not re.search(r"<(script|link|img|iframe)\b", page)
    assert not re.search(r"""(?:src|href)=["'](?!#|https://example\.org)""", page)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert f"sha256-{digest}" in policy.replace("&#39;", "'").replace("&#43;", "+")
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    for anchor in re.findall(r'href="#([^"]*)"', page):
        assert anchor in ids


def test_html_and_markdown_have_the_same_plots_and_findings(tmp_path: Path) -> None:
    report = read_report(make_store(tmp_path))
    page, markdown, plots = report.html(), report.markdown(), report.plots()
    assert page.count('<svg class="plot"') == len(plots) == 10
    assert set(re.findall(r"\]\((report-[^)]*\.svg)\)", markdown)) == set(plots)
    for text in plots.values():
        ET.fromstring(text)
    for record in (TRIAGED, UNTRIAGED, WICKED, LIBRARY):
        assert record.digest in page
        assert record.digest in markdown
    assert "| storm | QF\\_BV |" in markdown
    assert "<h3>Arms</h3>" in page
    for name in ("opfuzz", "storm", "z3@4.8.6"):
        assert re.search(rf"<th scope=\"row\">{name}</th>", page)
        assert re.search(rf"^\| {name} \|", markdown, re.MULTILINE)


def test_tables_of_markdown_keep_their_columns_whatever_is_in_them(tmp_path: Path) -> None:
    markdown = read_report(make_store(tmp_path)).markdown()
    widths: list[int] = []
    for line in markdown.splitlines():
        if line.startswith("|"):
            widths.append(len(re.findall(r"(?<!\\)\|", line)))
        else:
            assert len(set(widths)) <= 1
            widths = []
    outside = re.sub(r"^(```+).*?^\1$", "", markdown, flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"(?<!\\)<(script|img)", outside)
    assert "\x1b" not in markdown


def test_a_store_with_nothing_in_it(tmp_path: Path) -> None:
    with Store(tmp_path):
        pass
    report = read_report(tmp_path)
    assert "0 findings" in report.html()
    assert "Nothing found." in report.markdown()
    assert [path.name for path in write_report(report, tmp_path / "new")] == ["report.html", "report.md"]


def test_the_command_says_what_it_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_store(tmp_path / "store")
    code, out, _err = called(capsys, "report", str(folder), "--to", str(tmp_path / "to"))
    assert code == 0
    assert "report.html: 2 campaigns, 4 findings" in out
    assert "report.md: the same, with 10 plots beside it" in out
    assert (tmp_path / "to" / "report.html").read_text().startswith("<!doctype html>")


def test_no_store_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _out, err = called(capsys, "report", str(tmp_path / "nowhere"))
    assert code == 3
    assert "no campaign here" in err
    assert not (tmp_path / "nowhere").exists()
