"""`falsum findings`: what campaigns found; list it, look at it, triage it, write it up."""

from __future__ import annotations

import json
import os
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

from falsum.app import options
from falsum.app.finding_paths import home_of
from falsum.app.report import files, trackers
from falsum.campaign import config
from falsum.campaign.triage import result
from falsum.campaign.triage.groups import groups_of, leaders
from falsum.campaign.triage.job import Job, pending
from falsum.campaign.triage.queue import TriageQueue, processes
from falsum.errors import SurroundingsError
from falsum.store import finding_folder
from falsum.store.reader import Reading
from falsum.store.records import Listed
from falsum.store.store import FINDINGS

_OUT: Final = click.option(
    "--out", type=click.Path(path_type=Path), default=Path("falsum-out"), metavar="DIR", help="The store."
)
# A pipe has no width; a table for reading should still be readable.
_PIPED_WIDTH: Final = 200
_JSON: Final = click.option("--json", "as_json", is_flag=True, help="JSON lines.")


def _tracker(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """Checked when plug-ins are there, which `click.Choice` is not."""
    if value is not None and value not in trackers.BY_PRODUCT:
        raise click.BadParameter(f"unknown tracker {value!r}; choose from {', '.join(trackers.BY_PRODUCT)}")
    return value


@click.group(invoke_without_command=True)
@_OUT
@options.plugin
@click.pass_context
def command(context: click.Context, out: Path) -> None:
    """What campaigns found: list (also without a word), show, triage, export."""
    if context.invoked_subcommand is None:
        context.invoke(list_, out=out, kind=None, as_json=False)


@command.command("list")
@_OUT
@click.option("--kind", metavar="KIND", help="Only this kind.")
@_JSON
@options.plugin
def list_(out: Path, kind: str | None, *, as_json: bool) -> None:
    """All findings, the first seen first; what is triaged with the judge's word and its group's leader."""
    with Reading(out) as store:
        found = [one for one in store.findings() if kind in {None, one.kind}]
    words = _words(out, found)
    if as_json:
        for one in found:
            click.echo(json.dumps(msgspec.to_builtins(one) | words.get(one.folder, {})))
        return
    table = Table(box=None, pad_edge=False)
    for title in ("finding", "kind", "seen"):
        table.add_column(title, no_wrap=True)
    for title in ("suspects", "last", "judged", "group", "what"):
        table.add_column(title, overflow="fold")
    for one in found:
        suspects = ", ".join(one.suspects)
        said = words.get(one.folder, {"judged": "", "group": ""})
        table.add_row(
            one.digest, one.kind, str(one.count), suspects, _when(one.last_seen), said["judged"],
            said["group"], _short(one.evidence),
        )  # fmt: skip
    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    Console(file=sys.stdout, highlight=False, markup=False, width=width).print(table)


def _words(out: Path, found: Iterable[Listed]) -> dict[str, dict[str, str]]:
    """What triage says, by folder: the judge's word, and the finding that leads the group."""
    digests = {one.folder: one.digest for one in found}
    homes = {out / FINDINGS / name: result.read(out / FINDINGS / name) for name in digests}
    made = {home: triage for home, triage in homes.items() if triage is not None}
    leading = leaders(groups_of(made))
    words = {}
    for home, triage in made.items():
        whom = ", ".join(triage.judgement.suspects)
        judged = f"{triage.judgement.defect}: {whom}" if whom else str(triage.judgement.defect)
        words[home.name] = {"judged": judged, "group": digests.get(leading.get(home.name, ""), "")}
    return words


@command.command()
@click.argument("name", metavar="FINDING")
@_OUT
@_JSON
@options.plugin
def show(name: str, out: Path, *, as_json: bool) -> None:
    """One finding: evidence, lineage, script and answers."""
    with Reading(out) as store:
        listed = store.finding(name)
    home = out / FINDINGS / listed.folder
    record = finding_folder.read(home)
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(record) | {"count": listed.count, "folder": str(home)}))
        return
    click.echo(f"{record.signature}\n{record.evidence}\nseen {listed.count} times; {home}")
    if (made := result.read(home)) is not None:
        click.echo(f"judged: {made.judgement.judgement}\n{made.script}")
    click.echo(f"strategy {record.strategy}, batch {record.batch}, place {record.place}, rng {record.rng}")
    for line in record.lineage:
        click.echo(f"  {line}")
    for exchange in record.exchanges:
        said = " ".join(exchange.answer["verdicts"]) or exchange.answer["ending"]
        click.echo(f"{exchange.solver} {exchange.version}: {said}")
        click.echo(f"  {shlex.join(exchange.command)}")
    click.echo(record.script if record.trace is None else record.trace.small)


@command.command()
@click.argument("names", nargs=-1, metavar="[FINDING]...")
@_OUT
@click.option("--solver", "-s", "solvers", multiple=True, metavar="S", help="Hear these as well.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=5.0, show_default=True)
@click.option("--memory", type=click.IntRange(1), metavar="MB", help="Megabytes for each solver.")
@click.option("--for", "seconds", type=click.FloatRange(1), default=120.0, show_default=True, metavar="S",
              help="Seconds for each finding.")  # fmt: skip
@click.option(
    "--jobs", "-j", type=click.IntRange(1), metavar="N", help="Findings at once; default: all cores."
)
@click.option("--no-bisect", is_flag=True, help="Do not ask other releases.")
@click.option("--again", is_flag=True, help="Also those that are triaged already.")
@_JSON
@options.plugin
def triage(
    names: tuple[str, ...],
    out: Path,
    solvers: tuple[str, ...],
    timeout: float,
    memory: int | None,
    seconds: float,
    jobs: int | None,
    *,
    no_bisect: bool,
    again: bool,
    as_json: bool,
) -> None:
    """Judge findings, make them small, find the releases that show them, and write reports.

    Without names all that are not triaged yet. What an interrupted triage has done is not done again.
    """
    settings = config.read()
    limits = settings.limits_with(timeout, memory)
    homes = _homes(names, out)
    for home in homes if again else ():
        result.forget(home)
    waiting = pending(homes)
    triage_jobs = [
        Job(str(home), settings.solvers_with(solvers), limits.seconds, limits.memory, seconds,
              bisects=not no_bisect)
        for home in waiting
    ]  # fmt: skip
    with TriageQueue(processes(jobs or len(os.sched_getaffinity(0)))) as queue:
        for home, error in queue.run(triage_jobs):
            _tell(home, error, as_json=as_json)


def _tell(home: Path, error: str, *, as_json: bool) -> None:
    made = result.read(home)
    if made is not None:
        files.write(home)
    if as_json:
        shown = {"error": error} if made is None else msgspec.to_builtins(made)
        click.echo(json.dumps({"folder": str(home)} | shown))
    elif made is None:
        click.echo(f"{home.name}: not triaged: {error}", err=True)
    else:
        small = f"; {made.reduction.length_before} → {made.reduction.length} bytes" if made.reduction else ""
        click.echo(f"{home.name}: {made.judgement.judgement}{small}; {home / result.REPORT}")


@command.command()
@click.argument("names", nargs=-1, metavar="[FINDING]...")
@_OUT
@click.option("--to", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Where to.")
@click.option(
    "--format", "form", callback=_tracker, metavar="PRODUCT", help="Use the form of this product's tracker."
)
@click.option("--product", metavar="P", help="Only what is about this product.")
@click.option("--leaders", "only_leaders", is_flag=True, help="Only one of each group of findings.")
@options.plugin
def export(
    names: tuple[str, ...], out: Path, to: Path, form: str | None, product: str | None, *, only_leaders: bool
) -> None:
    """Copy the folders of findings, of all without names, with a report for each that is triaged.

    FINDING is its name in the store or its folder. The report is in the form of the product's tracker, unless
    --format says otherwise; checklist.md says what is still missing.
    """
    chosen = _chosen(_homes(names, out), product, only_leaders=only_leaders)
    reported: Counter[str] = Counter()
    try:
        to.mkdir(parents=True, exist_ok=True)
        for home in chosen:
            made = result.read(home)
            if home.resolve() != (to / home.name).resolve():
                shutil.copytree(home, to / home.name, dirs_exist_ok=True)
            if made is not None:
                files.write(to / home.name, form=form or "")
                reported[made.product] += 1
    except (OSError, shutil.Error) as error:
        raise SurroundingsError(f"{to}: {error}") from error
    click.echo(f"{len(chosen)} findings in {to}, {reported.total()} with reports")
    for line in _advice(reported):
        click.echo(line)


def _chosen(homes: list[Path], product: str | None, *, only_leaders: bool) -> list[Path]:
    made = {home: result.read(home) for home in homes}
    if product is not None:
        homes = [home for home in homes if (triage := made[home]) and triage.product == product]
    leading = leaders(groups_of({home: triage for home in homes if (triage := made[home])}))
    return [home for home in homes if not only_leaders or leading.get(home.name, home.name) == home.name]


def _advice(reported: Counter[str]) -> Iterable[str]:
    """How many reports their developers can take."""
    for product, count in sorted(reported.items()):
        most = trackers.tracker_of(product).weekly
        if most is not None and count > most:
            yield f"{product}: {count} reports; its developers take {most} a week, the gravest first"
        elif count > 1:
            yield f"{product}: {count} reports; send one for each component, and the next when that is fixed"


def _homes(names: tuple[str, ...], out: Path) -> list[Path]:
    """The folders of findings named by their names in the store or as folders; all of the store without."""
    if names:
        return [home_of(name, out) for name in names]
    with Reading(out) as store:
        return [out / FINDINGS / one.folder for one in store.findings()]


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def _short(text: str) -> str:
    return text if len(text) <= 100 else text[:100] + "…"
