"""The page of an audit: counts, a scatter plot of times, a table of all checks; one HTML file."""

from __future__ import annotations

import base64
import hashlib
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from markupsafe import Markup

from falsum.app import pages
from falsum.app.audits.row_summary import ORDERS
from falsum.app.audits.scatter import QueryTimes, Scatter
from falsum.app.pages.environment import html_templates
from falsum.audits.rows import AnyRow, AuditRow, UpgradeRow
from falsum.audits.run import Note
from falsum.plural import counted

_STATIC: Final = Path(pages.__file__).with_name("static")
# A browser shows so many; files for programs have all.
_MOST_ROWS: Final = 2000
_ROLES: Final = {
    "contradicted": "bad", "lost": "bad", "rejected": "bad", "slower": "two", "unstable": "two",
    "faster": "six", "won": "six",
}  # fmt: skip
_TAGS: Final = {"bad": "bad", "two": "warn", "six": "good"}


@dataclass(frozen=True)
class RowsPage:
    """The contents of the page, for its template."""

    command: str
    rows: tuple[AnyRow, ...]
    notes: tuple[str, ...]
    written: float
    progress: str = ""
    commands: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        queries = len({row.query for row in self.rows})
        checks = len({(row.query, row.check) for row in self.rows})
        return f"{counted(queries, 'query', 'queries')}, {counted(checks, 'check')}"

    @property
    def columns(self) -> list[str]:
        if not self.rows or isinstance(self.rows[0], AuditRow):
            return ["all"]
        return list(dict.fromkeys(row.about for row in self.rows))

    @property
    def counts(self) -> list[tuple[str, list[int]]]:
        if not self.rows:
            return []
        each = Counter((row.label, "all" if isinstance(row, AuditRow) else row.about) for row in self.rows)
        labels = [str(label) for label in ORDERS[type(self.rows[0])]]
        return [(label, [each[label, column] for column in self.columns]) for label in labels]

    @property
    def shown(self) -> list[AnyRow]:
        """The rows, the worst first."""
        if not self.rows:
            return []
        order = [str(label) for label in ORDERS[type(self.rows[0])]]
        return sorted(self.rows, key=lambda row: order.index(row.label))[:_MOST_ROWS]

    @property
    def plots(self) -> list[Scatter]:
        """A plot for each pair of solvers; a query has one point, with its worst label."""
        points: dict[tuple[str, str], dict[str, QueryTimes]] = {}
        for row in reversed(self.shown):
            if isinstance(row, UpgradeRow):
                role = _ROLES.get(row.label, "one")
                point = QueryTimes(f"{row.query} ({row.label})", row.cpu_before, row.cpu_after, role)
                points.setdefault((row.old, row.new), {})[row.query] = point
        return [Scatter(old, new, tuple(each.values())) for (old, new), each in points.items()]

    @property
    def exposed(self) -> list[tuple[str, int]]:
        """The known bugs that queries are exposed to, with the numbers of checks."""
        bugs = (bug for row in self.rows if isinstance(row, AuditRow) for bug in row.exposed)
        return Counter(bugs).most_common()

    def tag(self, label: str) -> str:
        return _TAGS.get(_ROLES.get(label, ""), "good" if label in ("confirmed", "stable") else "")

    def answers(self, row: AnyRow) -> str:
        match row:
            case AuditRow():
                return ", ".join(f"{name}: {answer}" for name, answer in row.answers.items())
            case UpgradeRow():
                return f"{row.before} → {row.after}"
            case _:
                return f"{row.successes} of {row.variants}"

    def seconds(self, row: AnyRow) -> str:
        match row:
            case AuditRow():
                return ", ".join(f"{value:.2f}" for value in row.cpu.values())
            case UpgradeRow():
                return f"{row.cpu_before:.2f} → {row.cpu_after:.2f}"
            case _:
                return f"{row.cpu_median:.2f}"


def page_text(
    command: str,
    rows: Sequence[AnyRow],
    notes: Counter[Note],
    progress: str = "",
    commands: tuple[str, ...] = (),
) -> str:
    """The page as HTML that needs no other file; with `progress`, of a command that still runs."""
    style = "\n".join((_STATIC / name).read_text(encoding="utf-8") for name in ("plots.css", "pages.css"))
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    note_texts = [
        f"{note.solver}: {note.text} ({counted(n, 'query', 'queries')})" for note, n in notes.most_common()
    ]
    page = RowsPage(command, tuple(rows), tuple(note_texts), time.time(), progress, commands)
    template = html_templates().get_template("rows.html")
    return template.render(page=page, style=Markup(style), policy=policy)  # noqa: S704 - our own
