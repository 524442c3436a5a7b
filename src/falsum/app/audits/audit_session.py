"""A command of audits from beginning to end: queries, progress, files, exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final

from falsum.app import exit_codes
from falsum.app.audits.audit_options import AuditOptions
from falsum.app.audits.live_rows import LiveRows, rows_file
from falsum.app.audits.remote_examiner import RemoteExaminer
from falsum.app.audits.row_formats import csv_text, json_line, junit_text, known_rows, read_rows, sarif_text
from falsum.app.audits.row_summary import summary
from falsum.app.configuration import read_config
from falsum.app.pages.libraries import require_page_libraries
from falsum.app.terminal import echo, status_line
from falsum.audits.answers import Respondents
from falsum.audits.journal import Journal
from falsum.audits.orders import Order
from falsum.audits.query.queries import Query, find_queries
from falsum.audits.rows import AnyRow, QueryError, row_key
from falsum.audits.run import AuditRun, Examiner, Note, RunProgress
from falsum.campaign.executors.clusters import connect
from falsum.errors import UsageError
from falsum.plural import counted
from falsum.store import atomic

JOURNAL: Final = "journal"
_UNPACKED: Final = "unpacked"


def run_session(
    command: str,
    about: AuditOptions,
    order: Order,
    afterwards: Callable[[list[AnyRow], dict[str, Query], Journal], None] | None = None,
) -> int:
    """Examine all queries, report, and return the exit code. `afterwards` may add to the report."""
    if about.page is not None:
        require_page_libraries()
    baseline = known_rows(read_rows(about.baseline)) if about.baseline is not None else frozenset()
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(about.out / JOURNAL))
        respondents = stack.enter_context(Respondents(journal, about.timeout, about.memory))
        queries = find_queries(about.queries, about.out / _UNPACKED)
        rows: list[AnyRow] = []
        notes: Counter[Note] = Counter()
        errors: list[QueryError] = []
        progress = RunProgress(len(queries))
        examiner, jobs = _examiner(order, respondents, about, stack)
        run = AuditRun(examiner, respondents, jobs)
        live = stack.enter_context(closing(LiveRows(about.out, command)))
        for _query, result in stack.enter_context(closing(run.results(queries, progress))):
            status_line(_status(progress, result))
            if isinstance(result, QueryError):
                errors.append(result)
                echo(f"falsum: {result.reason}", err=True)
                continue
            notes.update(result.notes)
            rows += result.rows
            live.add(result.rows, progress)
            for row in result.rows if about.as_json else ():
                echo(json_line(row))
        status_line("")
        if errors and not rows:
            raise UsageError("no query could be examined")
        places = {query.name: place for place, query in enumerate(queries)}
        rows.sort(key=lambda row: (places[row.query], row.check))
        code = _report(command, about, rows, notes, baseline)
        live.end()
        if afterwards is not None:
            afterwards(rows, {query.name: query for query in queries}, journal)
        _say_usage(respondents, progress)
    if any(error.is_internal for error in errors):
        return exit_codes.INTERNAL_ERROR
    return code or (exit_codes.BROKEN_SURROUNDINGS if errors else 0)


def _examiner(
    order: Order, respondents: Respondents, about: AuditOptions, stack: ExitStack
) -> tuple[Examiner[Any], int]:
    """The examiner of queries, and the number of queries that it examines at once."""
    local: Examiner[Any] = order.examiner(respondents)
    if about.cluster is None:
        return local, about.jobs
    executor = connect(about.cluster, read_config().clusters, list(local.solvers))
    remote = stack.enter_context(RemoteExaminer(order, local, respondents, executor, about.cluster))
    return remote, remote.jobs


def _status(progress: RunProgress, result: object) -> str:
    name = getattr(result, "query", "") or next((row.query for row in getattr(result, "rows", ())), "")
    return f"{progress}: {name}"


def _report(
    command: str,
    about: AuditOptions,
    rows: list[AnyRow],
    notes: Counter[Note],
    baseline: frozenset[tuple[tuple[str, int, str], str]],
) -> int:
    """Write the files and the summary; the exit code."""
    counting = {place for place, row in enumerate(rows) if row.label in about.fail_on}
    known_places = {place for place in counting if (row_key(rows[place]), rows[place].label) in baseline}
    bad = counting - known_places
    file = rows_file(about.out, command)
    atomic.write_file(file, "".join(f"{json_line(row)}\n" for row in rows))
    if about.csv_file is not None:
        atomic.write_file(about.csv_file, csv_text(rows))
    if about.junit_file is not None:
        atomic.write_file(about.junit_file, junit_text(rows, bad, known_places, command))
    if about.sarif_file is not None:
        atomic.write_file(about.sarif_file, sarif_text(rows, bad, known_places))
    if about.page is not None:
        _write_page(about.page, command, rows, notes)
    for line in summary(rows, notes, len(known_places), str(file)):
        echo(line, err=about.as_json)
    return exit_codes.FOUND if bad else 0


def _write_page(file: Path, command: str, rows: Sequence[AnyRow], notes: Counter[Note]) -> None:
    from falsum.app.audits.audit_page import page_text  # noqa: PLC0415 - libraries of an extra

    atomic.write_file(file, page_text(command, rows, notes))


def _say_usage(respondents: Respondents, progress: RunProgress) -> None:
    usage = respondents.usage
    reused = f", {counted(progress.remembered, 'query', 'queries')} as before" * bool(progress.remembered)
    echo(f"falsum: {counted(usage.runs, 'solver run')}, {usage.cpu:.1f} s of CPU time{reused}", err=True)
