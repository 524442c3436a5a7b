"""The figures of campaigns: sums, shares, points of plots; and those of solvers."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.app.pages.sample_store import LIBRARY, TRIAGED, UNTRIAGED, WICKED, batch, make_store

from falsum.app.pages import finding_view
from falsum.app.pages.campaign_figures import CampaignFigures, answers_in, read_figures
from falsum.app.pages.finding_index import FindingIndex
from falsum.app.pages.finding_view import read_view
from falsum.app.pages.solver_figures import solver_figures
from falsum.store.reader import StoreReader
from falsum.store.store import FINDINGS, Store


def figures_of(folder: Path, number: int | None = None) -> CampaignFigures:
    with StoreReader(folder) as store:
        figures = read_figures(store, number)
    assert figures is not None
    return figures


def test_sums_and_shares(tmp_path: Path) -> None:
    figures = figures_of(make_store(tmp_path))
    assert (figures.made, figures.batches, figures.found, figures.sightings) == (160, 8, 3, 3)
    assert figures.inside == pytest.approx(0.8)
    assert figures.timeout_share == pytest.approx(0.1)
    assert figures.busy_share == pytest.approx(8 / 56)
    assert figures.answers == {
        "sat": 96, "unsat": 48, "unknown": 0, "timed out": 16, "rejected": 160, "crashed": 0
    }  # fmt: skip
    assert [(row.name, row.made, row.found) for row in figures.rows] == [("opfuzz", 80, 2), ("storm", 80, 1)]


def test_plots_have_all_that_was_counted(tmp_path: Path) -> None:
    figures = figures_of(make_store(tmp_path))
    throughput, cpu, answers, timeouts, findings = figures.plots
    spans = [end - start for start, end in zip((0.0, *throughput.edges), throughput.edges, strict=False)]
    assert sum(width * value for width, value in zip(spans, throughput.series[0].values, strict=True)) == (
        pytest.approx(160)
    )
    assert sum(w * v for one in cpu.series for w, v in zip(spans, one.values, strict=True)) == pytest.approx(
        8
    )
    said = {one.name: sum(w * v for w, v in zip(spans, one.values, strict=True)) for one in answers.series}
    assert said == pytest.approx({"sat": 96, "unsat": 48, "timed out": 16, "rejected": 160})
    assert sum(w * v for w, v in zip(spans, timeouts.series[0].values, strict=True)) == pytest.approx(16)
    assert findings.series[0].values[-1] == 3


def test_a_long_campaign_has_few_points(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        campaign = store.begin({"solvers": []})
        for number in range(300):
            store.record(campaign, batch(number), elapsed=number * 311.0)
    for plot in figures_of(tmp_path).plots:
        assert 20 <= len(plot.edges) <= 61


def test_a_campaign_that_was_killed_is_silent(tmp_path: Path) -> None:
    figures = figures_of(make_store(tmp_path))
    assert figures.is_running
    later = CampaignFigures(
        figures.campaign, figures.slots, figures.totals, figures.activity, 0, figures.now + 500
    )
    assert not later.is_running
    assert "silent" in later.status
    assert figures_of(tmp_path, 1).status == "time limit reached after 0:04"


def test_a_campaign_over_libraries(tmp_path: Path) -> None:
    figures = figures_of(make_store(tmp_path), 1)
    assert (figures.noun, figures.solvers, figures.inside) == ("run", ["z3"], None)
    assert figures.timeout_share == 1.0
    assert answers_in(figures.totals[0].tally)["sat"] == 4


def test_nothing_happened_yet(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert read_figures(store) is None
        store.begin({"solvers": ["z3"]})
    figures = figures_of(tmp_path)
    assert (figures.made, figures.rate, figures.inside, figures.timeout_share) == (0, 0.0, None, None)
    assert all(not plot.edges for plot in figures.plots)
    assert figures.rows == []


def test_solvers_over_all_campaigns(tmp_path: Path) -> None:
    make_store(tmp_path)
    index = FindingIndex(tmp_path)
    with StoreReader(tmp_path) as store:
        index.refresh(store)
        campaigns = [(one, store.strategy_totals(one)) for one in store.campaigns()]
    found = {one.name: one for one in solver_figures(campaigns, index.current.rows)}
    assert set(found) == {"z3", "z3@4.8.6", "cvc5", *WICKED.suspects}
    assert (found["z3"].answers["sat"], found["z3"].findings) == (4, 1)
    assert found["cvc5"].messages[0][1] == 160
    assert (found["z3@4.8.6"].total, found["z3@4.8.6"].others) == (160, 0)


def test_what_a_page_leaves_out_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_store(tmp_path)
    index = FindingIndex(tmp_path)
    with StoreReader(tmp_path) as store:
        index.refresh(store)
    row = index.current.find(TRIAGED.digest)
    assert row is not None
    monkeypatch.setattr(finding_view, "_LONGEST_OUTPUT", 3)
    monkeypatch.setattr(finding_view, "_MOST_FILES", 2)
    view = read_view(row, tmp_path / FINDINGS / row.folder)
    there = [path for path in (tmp_path / FINDINGS / row.folder).rglob("*") if path.is_file()]
    assert (len(view.files), view.more_files) == (2, len(there) - 2)
    assert view.answers[0].output == "uns\n… 3 more characters in answers.txt"


def test_the_view_of_a_finding(tmp_path: Path) -> None:
    make_store(tmp_path)
    index = FindingIndex(tmp_path)
    with StoreReader(tmp_path) as store:
        index.refresh(store)
    views = {}
    for record in (TRIAGED, UNTRIAGED, LIBRARY):
        row = index.current.find(record.digest)
        assert row is not None
        views[record.digest] = read_view(row, tmp_path / FINDINGS / row.folder)
    triaged, untriaged, library = views.values()
    assert triaged.is_reduced
    assert triaged.truth == "sat"
    assert [(one.solver, one.is_suspect, one.said) for one in triaged.answers] == [
        ("z3@4.8.6", True, "unsat"),
        ("cvc5", False, "sat"),
    ]
    assert triaged.diff is not None
    assert {line.text for line in triaged.diff if line.change == "added"} == {
        "(declare-const y Int)",
        "(assert (> y 5))",
    }
    assert triaged.steps is not None
    assert (untriaged.title, untriaged.report, untriaged.releases) == ("crash in cvc5", "", ())
    assert "z3.Solver" in library.fenced
