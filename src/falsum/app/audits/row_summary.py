"""The summary of an audit, an upgrade or a measurement of stability, on one screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from falsum.audits.rows import AnyRow, AuditRow, Category, Change, StabilityRow, UpgradeRow, Word
from falsum.audits.run import Note
from falsum.plural import counted
from falsum.printable import on_one_line

# Of each label the first rows, of each row the first words of its evidence.
SHOWN: Final = 5
_LONGEST: Final = 300
# Rows that are told one by one, the worst first.
_TOLD: Final[tuple[StrEnum, ...]] = (
    Word.CONTRADICTED,
    Change.LOST,
    Change.REJECTED,
    Change.UNSTABLE,
    Change.SLOWER,
    Category.INCONCLUSIVE,
)
ORDERS: Final[dict[type[AnyRow], type[StrEnum]]] = {
    AuditRow: Word,
    UpgradeRow: Change,
    StabilityRow: Category,
}


def summary(rows: Sequence[AnyRow], notes: Counter[Note], known_count: int, out: str) -> Iterator[str]:
    """The lines of a summary."""
    queries = len({row.query for row in rows})
    checks = len({(row.query, row.check) for row in rows})
    yield f"{counted(queries, 'query', 'queries')}, {counted(checks, 'check')}"
    yield from _counts(rows)
    for label in _TOLD:
        labelled = [row for row in rows if row.label == label]
        for row in labelled[:SHOWN]:
            yield ""
            yield from _row_lines(row)
        if len(labelled) > SHOWN:
            yield f"  and {len(labelled) - SHOWN} more {label}: {out}"
    yield from _clusters(rows)
    yield from _exposed(rows)
    if known_count:
        yield f"\n{counted(known_count, 'row')} as in the baseline"
    if notes:
        yield ""
    for note, count in notes.most_common():
        yield f"{on_one_line(note.solver)}: {on_one_line(note.text)} ({counted(count, 'query', 'queries')})"


def _counts(rows: Sequence[AnyRow]) -> Iterator[str]:
    """The number of rows with each label; with several solvers, a column for each."""
    if not rows:
        return
    columns = list(dict.fromkeys(_column(row) for row in rows))
    width = max(len(str(label)) for label in ORDERS[type(rows[0])])
    if len(columns) > 1 or columns[0]:
        yield "  ".join([" " * (width + 2), *columns])
    for label in ORDERS[type(rows[0])]:
        each = Counter(_column(row) for row in rows if row.label == label)
        cells = [f"{each[column]:>{max(6, len(column))}}" for column in columns]
        yield f"  {label:<{width}}  {'  '.join(cells)}"


def _column(row: AnyRow) -> str:
    return "" if isinstance(row, AuditRow) else row.about


def _row_lines(row: AnyRow) -> Iterator[str]:
    yield on_one_line(f"{row.label}: {row.query}, check {row.check}, {row.about}")
    match row:
        case AuditRow():
            yield "  " + on_one_line("; ".join(f"{s}: {answer}" for s, answer in row.answers.items()))
        case UpgradeRow():
            yield "  " + on_one_line(f"before: {row.before}; after: {row.after}{_test(row)}")
        case StabilityRow():
            yield "  " + on_one_line(stability_words(row))
    if row.evidence:
        text = on_one_line(row.evidence)
        yield "  " + (text if len(text) <= _LONGEST else text[:_LONGEST] + "…")


def _test(row: UpgradeRow) -> str:
    return f"; {row.runs} runs each, p = {row.p:.2g}" if row.p is not None else ""


def stability_words(row: StabilityRow) -> str:
    kinds = ", ".join(f"{kind} {good} of {of}" for kind, (good, of) in row.by_kind.items())
    return (
        f"decided in {row.successes} of {row.variants} variants "
        f"(95 % interval {row.low:.0%} to {row.high:.0%}): {kinds}"
    )


def _clusters(rows: Sequence[AnyRow]) -> Iterator[str]:
    """Losses that have reason and theories in common."""
    clusters = Counter(row.cluster for row in rows if isinstance(row, UpgradeRow) and row.cluster)
    if clusters:
        yield "\nclusters:"
    for cluster, count in clusters.most_common(SHOWN):
        yield f"  {count} × {on_one_line(cluster)}"
    if len(clusters) > SHOWN:
        yield f"  and {len(clusters) - SHOWN} more"


def _exposed(rows: Sequence[AnyRow]) -> Iterator[str]:
    """The known bugs that queries are exposed to."""
    bugs = Counter(bug for row in rows if isinstance(row, AuditRow) for bug in row.exposed)
    if bugs:
        yield "\nexposed to known bugs (not shown to be hit):"
    for bug, count in bugs.most_common():
        yield f"  {bug}: {counted(count, 'check')}"
