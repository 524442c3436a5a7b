"""`falsum contest`: fuzzers of any make on the bugs of the atlas, with the same CPU time, judged alike."""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import click
import msgspec

from falsum.app import options
from falsum.app.configuration import read_config
from falsum.app.pages.libraries import require_page_libraries
from falsum.app.terminal import echo, progress_line
from falsum.atlas.bug import AtlasBug
from falsum.atlas.collection import atlas
from falsum.campaign.executors.clusters import connect
from falsum.contest.benchmarks import KINDS, NEAR, Benchmark, benchmarks
from falsum.contest.entrants import Entrant, own_fuzzers, read_fuzzers, yinyang_fuzzers
from falsum.contest.remote_trials import remote_trials
from falsum.contest.trials import (
    ContestTrial,
    Rules,
    TrialTask,
    kept,
    missing_trials,
    read_trials,
    run_trial,
)
from falsum.errors import UsageError
from falsum.plural import counted
from falsum.solvers.names import family_of
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store import atomic

_SETTING: Final = "contest.json"


@click.command()
@click.option(
    "--fuzzer",
    "names",
    multiple=True,
    metavar="NAME",
    help="Fuzzer that takes part (default: falsum and random); may be repeated.",
)
@click.option(
    "--fuzzers",
    "file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Fuzzers of others, as [fuzzers.NAME] tables with a command.",
)
@click.option(
    "--yinyang",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="BIN",
    help="Folder with yinyang's programs: its three tools can take part.",
)
@click.option(
    "--release",
    "releases",
    multiple=True,
    metavar="S",
    help="Release to look for bugs in, as PRODUCT@RELEASE; may be repeated.",
)
@click.option(
    "--seeds",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    help="Seeds near the bugs, or bundled ones (default near); may be repeated.",
)
@click.option(
    "--bugs",
    type=click.Choice(["held-out", "others", "all"]),
    default="held-out",
    show_default=True,
    help="The bugs to look for.",
)
@options.seconds("CPU time of a trial (default 60s).", "60s")
@click.option(
    "--trials",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    metavar="N",
    help="Trials of each fuzzer on each benchmark.",
)
@click.option(
    "--memory",
    type=click.IntRange(64),
    default=4096,
    show_default=True,
    metavar="MB",
    help="Memory of a fuzzer and its solvers together.",
)
@click.option(
    "--judged",
    type=click.IntRange(1),
    default=60,
    show_default=True,
    metavar="N",
    help="Number of different reports judged per trial, the first ones.",
)
@click.option("--list", "lists", is_flag=True, help="List the fuzzers and benchmarks, and stop.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default="falsum-contest",
    show_default=True,
    metavar="DIR",
    help="Directory of trials and reports; what is there is not run again.",
)
@options.cluster
@options.json_lines("trial")
@options.plugin
def command(
    names: tuple[str, ...],
    file: Path | None,
    yinyang: Path | None,
    releases: tuple[str, ...],
    kinds: tuple[str, ...],
    bugs: str,
    seconds: float,
    trials: int,
    memory: int,
    judged: int,
    out: Path,
    cluster: str | None,
    *,
    lists: bool,
    as_json: bool,
) -> None:
    """Compare fuzzers on known bugs, in equal CPU time and memory.

    Every fuzzer gets the same seeds, a release with bugs and the newest one. What it reports is judged by
    falsum: bugs of the atlas, other bugs, false alarms. Writes report.html and report.md. An interrupted
    contest can be resumed.
    """
    require_page_libraries()
    from falsum.app.contest.report import write_reports  # noqa: PLC0415 - libraries of an extra
    from falsum.app.contest.standings import Standings, complete  # noqa: PLC0415

    entrants = _entrants(names, file, yinyang)
    pool = [bug for bug in atlas() if bugs == "all" or bug.held_out == (bugs == "held-out")]
    rules = Rules(seconds, memory, trials, judged)
    entries = _benchmarks(out, releases, pool, kinds or (NEAR,), bugs)
    if lists:
        _list(entrants, entries)
        return
    tasks = missing_trials(entrants, entries, rules, out)
    with progress_line(len(tasks), "trials") as step, closing(_trials(tasks, cluster)) as finished:
        for trial in kept(finished, out):
            if as_json:
                echo(json.dumps(msgspec.to_builtins(trial)))
            step(f"{trial.fuzzer} on {trial.benchmark}: {counted(len(trial.bugs), 'bug')}")
    fuzzer_names = {fuzzer.name for fuzzer in entrants}
    had = [each for each in read_trials(out) if each.fuzzer in fuzzer_names and each.seconds == seconds]
    different = {bug.name for entry in entries for bug in entry.bugs}
    standings = Standings(complete(had), len(different))
    page, text = write_reports(standings, _about(entries, rules, len(different), bugs), out)
    echo(f"{page}, {text}", err=as_json)


def _trials(tasks: Sequence[TrialTask], cluster: str | None) -> Generator[ContestTrial]:
    """The trials, one after the other here, or on the workers of a cluster."""
    if cluster is None or not tasks:
        for task in tasks:
            yield run_trial(task)
        return
    zoo = Zoo()
    bugs = [bug for task in tasks for bug in task.benchmark.bugs]
    releases = [name for task in tasks for name in (task.benchmark.release, task.benchmark.reference)]
    names = dict.fromkeys([*releases, *(name for bug in bugs for name in (bug.last, bug.fixed))])
    executor = connect(cluster, read_config().clusters, [resolve(name, zoo) for name in names])
    with closing(executor):
        yield from remote_trials(tasks, executor)


def _entrants(names: Sequence[str], file: Path | None, yinyang: Path | None) -> list[Entrant]:
    fuzzers = own_fuzzers()
    fuzzers |= yinyang_fuzzers(yinyang) if yinyang is not None else {}
    fuzzers |= read_fuzzers(file) if file is not None else {}
    if unknown := [name for name in names if name not in fuzzers]:
        raise UsageError(f"no fuzzer {unknown[0]!r}; there are {', '.join(fuzzers)}")
    return [fuzzers[name] for name in dict.fromkeys(names or ("falsum", "random"))]


def _benchmarks(
    out: Path, releases: Sequence[str], pool: Sequence[AtlasBug], kinds: Sequence[str], which: str
) -> list[Benchmark]:
    """The benchmarks; bugs and seeds are kept, so that all trials of a folder have the same, though the
    atlas may grow.
    """
    if not releases:
        raise UsageError("name a release to look for bugs in: --release PRODUCT@RELEASE")
    setting = {"releases": list(releases), "kinds": list(kinds), "bugs": which}
    file = out / _SETTING
    if file.exists():
        rows = json.loads(file.read_text(encoding="utf-8"))
        if rows["setting"] != setting:
            raise UsageError(f"{out} has a contest with other releases, seeds or bugs; use another --out")
        return [msgspec.convert(each, Benchmark) for each in rows["benchmarks"]]
    entries = [
        entry for release in releases for entry in benchmarks([release], pool, kinds, family_of(release))
    ]
    if not entries:
        raise UsageError(f"no bugs of the atlas in {', '.join(releases)}")
    out.mkdir(parents=True, exist_ok=True)
    atomic.write_file(file, json.dumps({"setting": setting, "benchmarks": msgspec.to_builtins(entries)}))
    return entries


def _list(entrants: Sequence[Entrant], entries: Sequence[Benchmark]) -> None:
    for fuzzer in entrants:
        echo(f"{fuzzer.name}: {fuzzer.command}")
    for entry in entries:
        echo(f"{entry.name}: {counted(len(entry.bugs), 'bug')}, {counted(len(entry.seeds), 'seed')}")


def _about(entries: Sequence[Benchmark], rules: Rules, pool: int, which: str) -> list[str]:
    parts = "; ".join(f"{e.name} ({len(e.bugs)} bugs, {len(e.seeds)} seeds)" for e in entries)
    time = f"{counted(rules.trials, 'trial')} of {rules.seconds:g} CPU seconds and {rules.memory} MB"
    return [
        f"{counted(pool, 'bug')} of the atlas ({which}). Benchmarks: {parts}.",
        f"{time} for each fuzzer on each; the first {rules.judged} different reports of a trial were judged.",
    ]
