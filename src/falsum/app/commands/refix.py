"""`falsum refix`: searches around the triggers of fixed bugs for what is still or newly wrong."""

from __future__ import annotations

import json
from dataclasses import astuple
from pathlib import Path

import click
import msgspec

from falsum.app import exit_codes, options, script_files
from falsum.app.configuration import read_config
from falsum.app.refix.rows import RefixRow, summary
from falsum.app.refix.search import STRATEGIES, RefixSearch
from falsum.app.refix.triggers import triggers_in
from falsum.app.terminal import echo, waiting
from falsum.audits.journal import Journal, digest
from falsum.errors import ScriptError, UsageError
from falsum.smtlib import read_script
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store.store import Store

_JOURNAL = "refix"
_SECONDS = 60.0
_MOST = 5


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="TRIGGER...")
@click.option("--fixed", metavar="P@R", help="Release that has the fix, as PRODUCT@RELEASE.")
@click.option(
    "--broken", metavar="P@R",
    help="Release that shows the trigger (default: looked for among all older ones on this machine).",
)  # fmt: skip
@options.strategies("Strategy to search with (default: those that make small steps)")
@options.seconds(f"Search around each trigger for this time (default {_SECONDS:g}s).")
@click.option(
    "--count", type=click.IntRange(1), metavar="N", help="Mutants of each trigger, instead of --for."
)
@click.option(
    "--max-findings", "most", type=click.IntRange(1), default=_MOST, show_default=True, metavar="N",
    help="Go on with the next trigger after N new findings.",
)  # fmt: skip
@click.option(
    "--rng", type=int, default=0, show_default=True, metavar="N", help="Seed of the random numbers."
)
@click.option(
    "--triage", "triage_seconds", type=options.duration, default="60s", show_default=True, metavar="TIME",
    help="Time for judging and reducing one finding.",
)  # fmt: skip
@click.option("--no-bisect", is_flag=True, help="Do not run other releases on what is found.")
@options.jobs
@options.timeout
@options.memory
@options.out
@options.config
@options.json_lines("trigger")
@options.trust
@options.fence
@options.plugin
@click.pass_context
def command(
    context: click.Context,
    names: tuple[str, ...],
    fixed: str | None,
    broken: str | None,
    strategies: tuple[str, ...],
    seconds: float | None,
    count: int | None,
    most: int,
    rng: int,
    triage_seconds: float,
    jobs: int,
    timeout: float | None,
    memory: int | None,
    out: Path,
    config_file: Path | None,
    *,
    no_bisect: bool,
    as_json: bool,
) -> None:
    """Search around fixed bugs for what is still wrong.

    For each TRIGGER, confirms that an older release shows a defect and the one with the fix does not, and
    then searches its neighbourhood for what is still or newly wrong: small steps of all strategies, other
    sorts and widths, engines, options and incremental forms. What is found is judged, reduced and dated.
    TRIGGER is a script, a directory of scripts, or a table (.tsv) with the columns trigger, fixed and broken.
    An interrupted list can be resumed. Exit code 1 if something is wrong near a trigger.
    """
    if seconds is not None and count is not None:
        raise UsageError("use either --for or --count")
    triggers = triggers_in(names, fixed, broken)
    settings = read_config(config_file)
    search = RefixSearch(
        settings.solvers_with(),
        settings.strategies_with(strategies or STRATEGIES),
        seconds if seconds is not None or count is not None else _SECONDS,
        count,
        most,
        settings.limits_with(timeout, memory),
        jobs,
        rng,
        triage_seconds,
        not no_bisect,
    )
    zoo = Zoo()
    rows: list[RefixRow] = []
    with Store(out) as store, Journal(out / _JOURNAL) as journal:
        for trigger in triggers:
            script = _script(str(trigger.file))
            release = resolve(trigger.fixed, zoo).name
            key = digest(script, release, trigger.broken, *map(str, astuple(search)))
            row = journal.get(key, RefixRow)
            if row is None:
                with waiting(f"searching around {trigger.name}"):
                    row = search.row(trigger, script, store, zoo)
                if row is None:
                    echo("interrupted; the same command goes on with this trigger", err=True)
                    context.exit(exit_codes.INTERRUPTED)
                journal.put(key, row)
            rows.append(row)
            _show(row, as_json=as_json)
    for line in summary(rows):
        echo(line, err=as_json)
    if not any(row.broken for row in rows):
        raise UsageError("no older release shows any of the triggers, so there is no fix to look at")
    context.exit(exit_codes.FOUND if any(row.is_bad for row in rows) else 0)


def _script(name: str) -> str:
    text = script_files.read_text(name)
    try:
        read_script(text, name)
    except ScriptError as error:
        raise UsageError(f"{error}\ncorrect the script, then: falsum check {name}") from error
    return text


def _show(row: RefixRow, *, as_json: bool) -> None:
    if as_json:
        echo(json.dumps(msgspec.to_builtins(row)))
        return
    for line in row.lines():
        echo(line)
