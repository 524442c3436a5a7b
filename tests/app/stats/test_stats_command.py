"""`falsum findings stats`: what it prints and writes."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from tests.app.pages.sample_store import HOSTILE, make_store
from tests.app.stats.test_counts import triaged_store

from falsum.app.commands import findings
from falsum.app.stats import stats_command
from falsum.errors import SurroundingsError, UsageError


def stats(out: Path, *arguments: str) -> str:
    result = CliRunner().invoke(
        findings.command, ["stats", "--out", str(out), *arguments], catch_exceptions=False
    )
    return result.stdout


def test_all_tables_as_text(tmp_path: Path) -> None:
    assert stats_command.command.name == "stats"
    said = stats(triaged_store(tmp_path))
    assert said.startswith(f"3 findings in {tmp_path}\n")
    assert "refutation unsoundness" in said
    titles = [part.split()[0] for part in said.split("\n\n")[1:]]
    assert titles == [
        "kind",
        "defect",
        "product",
        "theory",
        "logic",
        "size",
        "strategy",
        "option",
        "release",
        "state",
        "until",
    ]


def test_one_table_of_groups(tmp_path: Path) -> None:
    said = stats(triaged_store(tmp_path), "--by", "kind", "--leaders")
    assert said.startswith("2 groups in")
    assert "theory" not in said


def test_csv_and_latex(tmp_path: Path) -> None:
    out = triaged_store(tmp_path)
    assert stats(out, "--by", "defect", "--csv").splitlines() == [
        "property,value,product,findings",
        "defect,refutation unsoundness,z3,2",
        "defect,refutation unsoundness,all,2",
        "defect,not judged,z3,1",
        "defect,not judged,all,1",
    ]
    assert stats(out, "--by", "option", "--latex").startswith("% findings by option\n\\begin{tabular}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--csv", "--latex"), "either --csv or --latex"),
        (("--plot", "x.svg"), "holds one chart"),
        (("--plot", "x.svg", "--by", "kind", "--by", "time"), "holds one chart"),
        (("--plot", "x.png", "--by", "kind"), "ends in .svg or .html"),
    ],
)
def test_bad_use_says_what_to_do(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        stats(tmp_path, *arguments)


def test_no_store(tmp_path: Path) -> None:
    with pytest.raises(SurroundingsError, match="no campaign here"):
        stats(tmp_path)


def test_plots_are_files_that_need_nothing_else_and_are_escaped(tmp_path: Path) -> None:
    out = make_store(tmp_path / "out")
    svg, page = tmp_path / "kinds.svg", tmp_path / "all.html"
    stats(out, "--by", "kind", "--plot", str(svg))
    assert ET.fromstring(svg.read_text()).tag == "{http://www.w3.org/2000/svg}svg"
    assert str(page) in stats(out, "--plot", str(page))
    text = page.read_text()
    assert text.count("<svg") == 11
    assert HOSTILE[:20] not in text
    assert "\x1b" not in text


def test_a_plot_where_no_file_can_be(tmp_path: Path) -> None:
    out = triaged_store(tmp_path / "out")
    with pytest.raises(SurroundingsError, match="nowhere"):
        stats(out, "--by", "kind", "--plot", str(tmp_path / "nowhere" / "x.svg"))
