"""`falsum findings`: lists, shows, triages and exports the findings of campaigns."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.console import Console
from rich.table import Table

from falsum.app import completions, exit_codes, options
from falsum.app.command_group import CommandGroup
from falsum.app.configuration import read_config
from falsum.app.finding_paths import folder_of, use_named_programs
from falsum.app.findings import retest_command, state_command, store_commands
from falsum.app.report import files, page, trackers
from falsum.app.report.markdown import shortened
from falsum.app.report.regressions import write_regressions
from falsum.app.report.suites import FORMS
from falsum.app.standard_streams import lasting_output
from falsum.app.stats import stats_command
from falsum.app.terminal import echo, last_line, progress_line
from falsum.campaign.config import Config
from falsum.campaign.executors.clusters import connect
from falsum.campaign.executors.executor import Executor
from falsum.campaign.triage import result
from falsum.campaign.triage.groups import groups_of, leaders
from falsum.campaign.triage.job import Job, pending
from falsum.campaign.triage.queue import TriageQueue, processes
from falsum.campaign.triage.steps import recognise
from falsum.errors import SurroundingsError, UsageError
from falsum.plural import counted
from falsum.printable import printable
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.archive import write_archive
from falsum.store.reader import StoreReader
from falsum.store.records import ListedFinding
from falsum.store.states import FindingState, StateChange, read_life, state_of
from falsum.store.store import FINDINGS

# Width of tables that are not printed on a terminal.
_PIPED_WIDTH: Final = 200
_MAX_EVIDENCE: Final = 100
# Terminals from this width on have room for all columns.
_WIDE: Final = 140
_LEAST_ROOM: Final = 20


def _tracker(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """A product with a tracker; a `click.Choice` would be made before plug-ins are loaded."""
    if value is not None and value not in trackers.BY_PRODUCT:
        raise click.BadParameter(f"unknown tracker {value!r}; choose from {', '.join(trackers.BY_PRODUCT)}")
    return value


@click.group(cls=CommandGroup, default="list")
def command() -> None:
    """List, show, triage and export findings (default: list)."""


for _more in (
    state_command.command,
    retest_command.command,
    stats_command.command,
    store_commands.merge,
    store_commands.import_,
):
    command.add_command(_more)


@command.command("list")
@options.out
@click.option("--kind", metavar="KIND", help="List findings of this kind only.")
@click.option(
    "--state", type=click.Choice(["open", *map(str, FindingState)]), metavar="STATE",
    help="List findings in this state only; open: all but fixed, obsolete and not-a-bug.",
)  # fmt: skip
@options.json_lines("finding")
@options.plugin
def list_(out: Path, kind: str | None, state: str | None, *, as_json: bool) -> None:
    """List findings, the oldest first.

    For findings that are triaged it shows the judgement and the first finding of the group.
    """
    with StoreReader(out) as store:
        findings = [one for one in store.findings() if kind in {None, one.kind}]
    triaged = _triaged(out, findings)
    states = {
        one.folder: state_of(out / FINDINGS / one.folder, is_triaged=one.folder in triaged)
        for one in findings
    }
    findings = [one for one in findings if _is_in_state(states[one.folder], state)]
    if as_json:
        for one in findings:
            change = msgspec.to_builtins(states[one.folder])
            echo(json.dumps(msgspec.to_builtins(one) | triaged.get(one.folder, {}) | {"state": change}))
        return
    if not findings:
        echo(f"no findings in {out}" + (" of this kind or state" if kind or state else ""))
        return
    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    console = Console(file=sys.stdout, highlight=False, markup=False, width=width)
    console.print(_table(findings, triaged, states, console.width))


def _table(
    findings: list[ListedFinding],
    triaged: dict[str, dict[str, str]],
    states: dict[str, StateChange],
    width: int,
) -> Table:
    """A line for each finding; in a narrow terminal the suspects come last, in the remaining width."""
    titles = ["finding", "kind", "seen", "state"]
    more = ["suspects", "last seen", "judged", "group", "evidence"]
    rows = [[one.digest, one.kind, str(one.count), printable(states[one.folder].text)] for one in findings]
    used = sum(max(map(len, texts)) + 2 for texts in zip(titles, *rows, strict=True))
    for one, row in zip(findings, rows, strict=True):
        suspects = printable(", ".join(one.suspects))
        columns = triaged.get(one.folder, {"judged": "", "group": ""})
        if width >= _WIDE:
            evidence = printable(shortened(one.evidence, _MAX_EVIDENCE))
            row += [suspects, _date(one.last_seen), columns["judged"], columns["group"], evidence]
        else:
            wrong = columns["judged"] or f"{suspects}: {printable(one.evidence)}"
            row.append(shortened(wrong, max(_LEAST_ROOM, width - used)))
    table = Table(box=None, pad_edge=False)
    for title in titles[:3]:
        table.add_column(title, no_wrap=True)
    for title in titles[3:] + (more if width >= _WIDE else ["wrong"]):
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*map(printable, row))  # a store may be somebody else's
    return table


def _is_in_state(change: StateChange, state: str | None) -> bool:
    if state == "open":
        return change.state.is_open
    return state in {None, str(change.state)}


def _triaged(out: Path, findings: Iterable[ListedFinding]) -> dict[str, dict[str, str]]:
    """The results of triage by folder: the judgement, the first finding of the group, and whether the suspect
    was only a reference.
    """
    digests = {one.folder: one.digest for one in findings}
    results = {out / FINDINGS / name: result.read(out / FINDINGS / name) for name in digests}
    triaged = {folder: triage for folder, triage in results.items() if triage is not None}
    first_of = leaders(groups_of(triaged))
    columns = {}
    for folder, triage in triaged.items():
        suspects = ", ".join(triage.judgement.suspects)
        verdict_text = f"{triage.judgement.defect}: {suspects}" if suspects else str(triage.judgement.defect)
        if result.is_about_reference(finding_folder.read(folder), triage):
            verdict_text += " (reference)"
        columns[folder.name] = {
            "judged": verdict_text,
            "group": digests.get(first_of.get(folder.name, ""), ""),
        }
    return columns


@command.command()
@click.argument("name", metavar="FINDING", shell_complete=completions.findings)
@options.out
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object to standard output.")
@options.plugin
def show(name: str, out: Path, *, as_json: bool) -> None:
    """Show a finding: evidence, lineage, answers and script."""
    with StoreReader(out) as store:
        finding = store.finding(name)
    folder = out / FINDINGS / finding.folder
    record = finding_folder.read(folder)
    if as_json:
        more = {"count": finding.count, "folder": str(folder), "life": read_life(folder).changes}
        echo(json.dumps(msgspec.to_builtins(record) | msgspec.to_builtins(more)))
        return
    echo(f"{record.signature}\n{record.evidence}\nseen {counted(finding.count, 'time')}; {folder}")
    triaged = result.read(folder)
    for change in read_life(folder).changes or (state_of(folder, is_triaged=triaged is not None),):
        echo(f"state: {change.text}" + (f", {_date(change.at)}" if change.at else "")
             + (f": {change.note}" if change.note else ""))  # fmt: skip
    if triaged is not None:
        echo(f"judged: {triaged.judgement.judgement}\n{triaged.script}")
    echo(f"strategy {record.strategy}, batch {record.batch}, mutant {record.place}, rng {record.rng}")
    for line in record.lineage:
        echo(f"  {line}")
    for exchange in record.exchanges:
        text = " ".join(exchange.answer["verdicts"]) or exchange.answer["ending"]
        echo(f"{exchange.solver} {exchange.version}: {text}")
        echo(f"  {shlex.join(exchange.command)}")
    echo(record.script if record.trace is None else record.trace.small)


@command.command()
@click.argument("names", nargs=-1, metavar="[FINDING]...", shell_complete=completions.findings)
@options.out
@options.solver("Solver to ask besides those of the finding", "solvers")
@options.limit("Time limit for one solver call, e.g. 2.5s or 1m (default 5s).", "5s")
@options.memory
@options.seconds("Time for each finding (default 120s).", "120s")
@options.jobs
@options.cluster
@click.option("--no-bisect", is_flag=True, help="Do not run other releases.")
@click.option("--again", is_flag=True, help="Triage findings again that are triaged already.")
@options.trust
@options.fence
@options.json_lines("finding")
@options.plugin
@click.pass_context
def triage(
    context: click.Context,
    names: tuple[str, ...],
    out: Path,
    solvers: tuple[str, ...],
    timeout: float,
    memory: int | None,
    seconds: float,
    jobs: int,
    cluster: str | None,
    *,
    no_bisect: bool,
    again: bool,
    as_json: bool,
) -> None:
    """Judge, reduce, group, bisect and write up findings.

    FINDING is a folder, or the name of a finding in DIR (default: all that are not triaged yet). An
    interrupted triage can be resumed. Exit code 3 if a finding could not be triaged.
    """
    settings = read_config()
    limits = settings.limits_with(timeout, memory)
    folders = _folders(names, out)
    zoo = Zoo()
    use_named_programs(folders, (resolve(name, zoo) for name in settings.solvers_with(solvers)))
    waiting = pending(folders)
    if again:
        waiting = [result.afresh(folder) if result.read(folder) is not None else folder for folder in folders]
    triage_jobs = [
        Job(str(folder), settings.solvers_with(solvers), limits.seconds, limits.memory, seconds,
            bisects=not no_bisect)
        for folder in waiting
    ]  # fmt: skip
    failed = 0
    with (
        lasting_output(),
        TriageQueue(_executor(jobs, cluster, settings, solvers)) as queue,
        progress_line(len(triage_jobs), "triaged") as step,
    ):
        for folder, error in queue.run(triage_jobs):
            failed += not _show_triaged(folder, error, as_json=as_json)
            step(folder.parent.name if folder.name == result.AGAIN else folder.name)
    if not triage_jobs and not as_json:
        echo("nothing to triage; --again triages findings that are triaged already")
    context.exit(exit_codes.BROKEN_SURROUNDINGS if failed else 0)


def _executor(jobs: int, cluster: str | None, settings: Config, solvers: tuple[str, ...]) -> Executor:
    if cluster is None:
        return processes(jobs)
    zoo = Zoo()
    solvers_used = [resolve(name, zoo) for name in settings.solvers_with(solvers)]
    return connect(cluster, settings.clusters, solvers_used)


def _show_triaged(folder: Path, error: str, *, as_json: bool) -> bool:
    """Show the result and return whether there is one. Only now does a new result replace an earlier one."""
    if folder.name == result.AGAIN:
        folder = folder.parent
        if result.adopt(folder):
            recognise(folder)
        elif error:
            error = f"{error} (the earlier result is kept)"
    triaged = result.read(folder) if not error else None
    if triaged is not None:
        files.write(folder)
    if as_json:
        fields = {"error": error} if triaged is None else result.counted_from_one(triaged)
        echo(json.dumps({"folder": str(folder)} | fields))
    elif triaged is None:
        echo(f"{folder.name}: not triaged: {last_line(error)}", err=True)
    else:
        reduction = triaged.reduction
        sizes = f"; reduced from {reduction.length_before} to {reduction.length} bytes" if reduction else ""
        echo(f"{folder.name}: {triaged.judgement.judgement}{sizes}; {folder / result.REPORT}")
    return triaged is not None


@command.command()
@click.argument("names", nargs=-1, metavar="[FINDING]...", shell_complete=completions.findings)
@options.out
@click.option("--to", type=click.Path(path_type=Path), metavar="TO", help="Directory to copy to.")
@click.option("--pages", "as_pages", is_flag=True, help="Write a Markdown page for each, and an index.")
@click.option(
    "--store", "archive", type=click.Path(path_type=Path), metavar="FILE",
    help="Write the whole store to a file, for `findings import`, `findings merge` and `--baseline`.",
)  # fmt: skip
@click.option(
    "--regressions", type=click.Path(path_type=Path), metavar="TO",
    help="Write regression tests to a directory, a file each, with the expected answers.",
)  # fmt: skip
@click.option(
    "--suite", type=click.Choice(list(FORMS)), metavar="S",
    help="With --regressions: the test suite whose form to write (default: the suspect's).",
)  # fmt: skip
@click.option(
    "--format", "form", callback=_tracker, metavar="P",
    help="Write reports for the tracker of product P (default: that of the suspect).",
)  # fmt: skip
@click.option("--product", metavar="P", help="Export findings about product P only.")
@click.option("--leaders", "only_leaders", is_flag=True, help="Export one finding of each group only.")
@options.plugin
def export(
    names: tuple[str, ...],
    out: Path,
    to: Path | None,
    archive: Path | None,
    regressions: Path | None,
    suite: str | None,
    form: str | None,
    product: str | None,
    *,
    as_pages: bool,
    only_leaders: bool,
) -> None:
    """Copy findings and write reports.

    Copies the folders of findings to TO and writes a report for each that is triaged. FINDING is a
    folder, or the name of a finding in DIR (default: all). checklist.md says what a report still lacks.
    With --store, all findings of DIR go to one file instead, with their states and all that triage made.
    With --pages, triaged findings become pages to publish: TO/README.md lists them, counted by defect.
    With --regressions, they become tests for the suite of the solver.
    """
    if suite is not None and regressions is None:
        raise UsageError("--suite requires --regressions")
    if archive is not None:
        if to is not None or names or form or product or only_leaders or as_pages:
            raise UsageError("--store writes all findings of DIR to one file; use it with --out only")
        echo(f"exported to {archive}: {counted(write_archive(out, archive), 'finding')}")
        return
    if regressions is not None:
        if to is not None or form or as_pages:
            raise UsageError("--regressions writes tests only; use it without --to, --format and --pages")
        folders = _chosen(_folders(names, out), product, only_leaders=only_leaders)
        _export_regressions(folders, regressions, suite or "")
        return
    if to is None:
        raise UsageError("name the directory to copy to with --to, or a file with --store")
    folders = _chosen(_folders(names, out), product, only_leaders=only_leaders)
    if as_pages:
        _export_pages(folders, to)
        return
    reported: Counter[str] = Counter()
    try:
        to.mkdir(parents=True, exist_ok=True)
        for folder in folders:
            triaged = result.read(folder)
            if folder.resolve() != (to / folder.name).resolve():
                shutil.copytree(folder, to / folder.name, dirs_exist_ok=True)
            if triaged is not None:
                files.write(to / folder.name, form=form or "")
                reported[triaged.product] += 1
    except (OSError, shutil.Error) as error:
        raise SurroundingsError(f"{to}: {error}") from error
    echo(f"exported to {to}: {counted(len(folders), 'finding')}, {reported.total()} with reports")
    for line in _advice(reported):
        echo(line)


def _export_regressions(folders: list[Path], to: Path, suite: str) -> None:
    try:
        to.mkdir(parents=True, exist_ok=True)
        reasons = write_regressions(folders, to, suite, Zoo())
    except OSError as error:
        raise SurroundingsError(f"{to}: {error}") from error
    echo(f"{to}: {counted(list(reasons.values()).count(''), 'test')}")
    for name, why in reasons.items():
        if why:
            echo(f"{name}: no test: {why}", err=True)


def _export_pages(folders: list[Path], to: Path) -> None:
    triaged = [folder for folder in folders if result.read(folder) is not None]
    try:
        to.mkdir(parents=True, exist_ok=True)
        pages = page.write_pages(triaged, to)
    except OSError as error:
        raise SurroundingsError(f"{to}: {error}") from error
    missing = len(folders) - len(triaged)
    echo(
        f"{to / page.INDEX}: {counted(len(pages), 'page')}"
        + (f"; {missing} not triaged yet" if missing else "")
    )


def _chosen(folders: list[Path], product: str | None, *, only_leaders: bool) -> list[Path]:
    results = {folder: result.read(folder) for folder in folders}
    if product is not None:
        folders = [folder for folder in folders if (one := results[folder]) and one.product == product]
    if not only_leaders:
        return folders
    first_of = leaders(groups_of({folder: one for folder in folders if (one := results[folder])}))
    return [folder for folder in folders if first_of.get(folder.name, folder.name) == folder.name]


def _advice(reported: Counter[str]) -> Iterable[str]:
    """Advice on how many reports to send at a time."""
    for product, count in sorted(reported.items()):
        weekly = trackers.tracker_of(product).weekly
        if weekly is not None and count > weekly:
            yield f"{product}: {count} reports; its developers ask for at most {weekly} a week, worst first"
        elif count > 1:
            yield f"{product}: {count} reports; send one per component, and the next when that is fixed"


def _folders(names: tuple[str, ...], out: Path) -> list[Path]:
    """The folders of the findings named, or of all."""
    if names:
        return [folder_of(name, out) for name in names]
    with StoreReader(out) as store:
        return [out / FINDINGS / one.folder for one in store.findings()]


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
