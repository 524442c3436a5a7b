"""StoreReport: all campaigns and findings of a store as one HTML file, and as Markdown with its plots."""

from __future__ import annotations

import base64
import hashlib
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from falsum.app.pages.campaign_figures import CampaignFigures, read_figures
from falsum.app.pages.environment import html_templates, markdown_templates
from falsum.app.pages.finding_index import FindingIndex, FindingRow
from falsum.app.pages.finding_view import FindingView, read_view
from falsum.app.pages.solver_figures import WORDS, SolverFigures, solver_figures
from falsum.errors import SurroundingsError
from falsum.store import atomic
from falsum.store.reader import StoreReader
from falsum.store.store import FINDINGS

HTML: Final = "report.html"
MARKDOWN: Final = "report.md"
_STATIC: Final = Path(__file__).parent / "static"
# A report of thousands of findings helps nobody: the leaders of groups come first, the rest is in the pages.
_MOST_ROWS: Final = 500
_MOST_VIEWS: Final = 100
_MOST_CAMPAIGNS: Final = 10


@dataclass(frozen=True)
class StoreReport:
    """What a report says; `views` are the findings that are shown in full, one of each group."""

    name: str
    written: float
    campaigns: tuple[CampaignFigures, ...]
    older_campaigns: int
    rows: tuple[FindingRow, ...]
    views: tuple[FindingView, ...]
    solvers: tuple[SolverFigures, ...]

    @property
    def groups(self) -> int:
        """The number of different bugs, as far as grouping can tell."""
        return len(leaders(self.rows))

    @property
    def shown(self) -> tuple[FindingRow, ...]:
        return self.rows[:_MOST_ROWS]

    @property
    def counts(self) -> list[tuple[str, str, int, int]]:
        """Product, defect, findings, open findings; the most frequent first."""
        pairs = [(product, row.what, row.is_open) for row in self.rows for product in row.products]
        total = Counter((product, what) for product, what, _is_open in pairs)
        still = Counter((product, what) for product, what, is_open in pairs if is_open)
        return [(*key, count, still[key]) for key, count in total.most_common()]

    def html(self) -> str:
        style = "\n".join((_STATIC / name).read_text(encoding="utf-8") for name in ("plots.css", "pages.css"))
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
        template = html_templates().get_template("report.html")
        return template.render(self._values(), style=Markup(style), policy=policy)  # noqa: S704 - our own

    def markdown(self) -> str:
        return markdown_templates().get_template("report.md").render(self._values()).strip() + "\n"

    def plots(self) -> dict[str, str]:
        """The plots of the Markdown file by their file names."""
        style = (_STATIC / "plots.css").read_text(encoding="utf-8")
        return {
            plot_name(figures, plot.key): str(plot.svg(style))
            for figures in self.campaigns
            for plot in figures.plots
        }

    def _values(self) -> dict[str, Any]:
        return {"report": self, "words": WORDS, "plot_name": plot_name}


def plot_name(figures: CampaignFigures, key: str) -> str:
    return f"report-{figures.campaign.id}-{key}.svg"


def leaders(rows: Sequence[FindingRow]) -> list[FindingRow]:
    """The findings that lead a group or belong to none."""
    return [row for row in rows if row.group in ("", row.digest)]


def read_report(folder: Path) -> StoreReport:
    index = FindingIndex(folder)
    with closing(StoreReader(folder)) as store:
        index.refresh(store)
        campaigns = store.campaigns()
        figures = [read_figures(store, one.id) for one in campaigns[-_MOST_CAMPAIGNS:]]
        solvers = solver_figures([(one, store.strategy_totals(one)) for one in campaigns], index.current.rows)
    rows = index.current.rows
    views = []
    for row in leaders(rows)[:_MOST_VIEWS]:
        try:
            views.append(read_view(row, folder / FINDINGS / row.folder))
        except SurroundingsError:
            continue  # the table says that it cannot be read
    return StoreReport(
        folder.resolve().name,
        time.time(),
        tuple(one for one in reversed(figures) if one is not None),
        max(0, len(campaigns) - _MOST_CAMPAIGNS),
        rows,
        tuple(views),
        tuple(solvers),
    )


def write_report(report: StoreReport, to: Path) -> list[Path]:
    """Write the files and return their paths, those for people first."""
    try:
        to.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SurroundingsError(f"{to}: {error.strerror}") from error
    texts = {HTML: report.html(), MARKDOWN: report.markdown(), **report.plots()}
    for name, text in texts.items():
        atomic.write_file(to / name, text)
    return [to / name for name in texts]
