"""`falsum fuzz`: the main job. Seeds in, findings out."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from typing import Any, Final

import click

from falsum import plugins
from falsum.app import options
from falsum.app.campaign_run import run_campaign, triage_for, watcher_for
from falsum.campaign import config
from falsum.campaign.fuzz.plan import FuzzPlan, digest_of
from falsum.campaign.fuzz.seed_files import GatheredSeeds, gather
from falsum.campaign.fuzz.workload import FuzzWorkload
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.store.store import Store
from falsum.strategies import BY_NAME
from falsum.strategies.compose import find

_DEFAULT_OUT: Final = "falsum-out"
_TIMEOUT: Final = 10.0
_UNITS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)([smhd]?)")


def duration(_context: click.Context, _parameter: click.Parameter, value: str | None) -> float | None:
    """`90`, `90s`, `10m`, `1h30m` as seconds."""
    if value is None:
        return None
    parts = _DURATION.findall(value)
    if not parts or "".join(number + unit for number, unit in parts) != value:
        raise click.BadParameter(f"{value!r} is no time; write 90s, 10m or 1h30m")
    return sum(float(number) * _UNITS[unit] for number, unit in parts)


@click.command()
@click.argument("seeds", nargs=-1, metavar="[SEEDS]...")
@click.option(
    "--solver", "-s", "names", multiple=True, metavar="S", help="A solver; several to compare them."
)
@click.option(
    "--strategy", "-t", "strategies", multiple=True, metavar="T", help="A strategy, or several in a row: a+b."
)
@click.option("--for", "seconds", callback=duration, metavar="TIME", help="How long, as in 90s, 10m, 1h30m.")
@click.option("--count", type=click.IntRange(1), metavar="N", help="How many mutants.")
@click.option(
    "--jobs", "-j", type=click.IntRange(1), metavar="N", help="Worker processes; default: all cores."
)
@click.option("--rng", type=int, metavar="N", help="The random number everything is drawn from.")
@click.option(
    "--timeout", type=click.FloatRange(0, min_open=True), metavar="S", help="Most seconds a question."
)
@click.option("--memory", type=click.IntRange(1), metavar="MB", help="Megabytes for each solver.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help=f"Default: {_DEFAULT_OUT}.")
@click.option(
    "--triage/--no-triage", default=True, show_default=True, help="Judge and reduce findings in spare time."
)
@click.option("--resume", is_flag=True, help="Go on with the last campaign in DIR.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Instead of ./falsum.toml.")
@click.option(
    "--json", "as_json", is_flag=True, help="JSON lines on standard output, and nothing else there."
)
@options.plugin
@click.pass_context
def command(
    context: click.Context,
    seeds: tuple[str, ...],
    names: tuple[str, ...],
    strategies: tuple[str, ...],
    seconds: float | None,
    count: int | None,
    jobs: int | None,
    rng: int | None,
    timeout: float | None,
    memory: int | None,
    out: Path | None,
    config_file: Path | None,
    *,
    triage: bool,
    resume: bool,
    as_json: bool,
) -> None:
    """Mutate seeds, ask solvers, and keep what is wrong.

    SEEDS are files, directories or patterns; without any the bundled seeds are taken. Runs until Ctrl-C
    unless --for or --count says otherwise. Exit code 1 if something was found, 130 if interrupted; all is
    saved then.
    """
    if seconds is not None and count is not None:
        raise UsageError("say --for or --count, not both")
    settings = config.read(config_file)
    given: dict[str, Any] = {
        "seeds": seeds or None,
        "solvers": tuple(dict.fromkeys(settings.solvers_with(names))) if names else None,
        "strategies": strategies or None,
        "rng": rng,
        "timeout": timeout,
        "memory": memory,
        "count": count,
        "seconds": seconds,
        "plugins": plugins.files() or None,
    }
    with Store(out or Path(_DEFAULT_OUT)) as store:
        number, plan = _resumed(store, given) if resume else (None, _planned(given, settings))
        solvers = _solvers(plan.solvers)
        arities = {name: find(name, BY_NAME).arity for name in plan.strategies}
        gathered = _gathered(plan)
        if number is None:
            number = store.begin(_with_digest(plan, gathered).plain())
        watcher = watcher_for(as_json=as_json)
        for name, reason in gathered.unreadable:
            watcher.seed(name, f"unreadable: {reason}")
        workload = FuzzWorkload(plan, store, number, gathered.seeds, solvers, arities, watcher)
        code = run_campaign(
            workload,
            store,
            number,
            watcher,
            triage_for(plan.solvers, plan.timeout, plan.memory) if triage else None,
            jobs=jobs or len(os.sched_getaffinity(0)),
            rng=plan.rng,
            as_json=as_json,
        )
    context.exit(code)


def _planned(given: dict[str, Any], settings: config.Config) -> FuzzPlan:
    limits = settings.limits_with(given["timeout"], given["memory"])
    return FuzzPlan(
        seeds=given["seeds"] or (),
        solvers=given["solvers"] or tuple(dict.fromkeys(settings.solvers_with())),
        strategies=given["strategies"] or tuple(BY_NAME),
        rng=secrets.randbelow(1 << 32) if given["rng"] is None else given["rng"],
        timeout=limits.seconds,
        memory=limits.memory,
        count=given["count"],
        seconds=given["seconds"],
        plugins=plugins.files(),
    )


def _resumed(store: Store, given: dict[str, Any]) -> tuple[int, FuzzPlan]:
    last = store.campaign()
    if last is None:
        raise UsageError(f"{store.home}: there is no campaign to resume")
    if "api" in last.plan:
        raise UsageError(f"{store.home}: the last campaign was one of falsum api; resume it with that")
    plan = FuzzPlan.read(last.plan).resumed(given)
    plugins.add_files(plan.plugins)
    return last.id, plan


def _solvers(names: tuple[str, ...]) -> list[Solver]:
    zoo = Zoo()
    return [resolve(name, zoo) for name in names]


def _gathered(plan: FuzzPlan) -> GatheredSeeds:
    gathered = gather(plan.seeds)
    if not gathered.seeds:
        raise UsageError(f"no seeds in {', '.join(plan.seeds) or 'the bundle'}")
    if plan.seeds_digest and plan.seeds_digest != digest_of(gathered.seeds):
        raise SurroundingsError("the seeds of this campaign have changed; start a new one without --resume")
    return gathered


def _with_digest(plan: FuzzPlan, gathered: GatheredSeeds) -> FuzzPlan:
    plain = plan.plain() | {"seeds_digest": digest_of(gathered.seeds)}
    return FuzzPlan.read(plain)
