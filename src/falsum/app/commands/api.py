"""`falsum api`: fuzz the solvers' libraries, call by call."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import msgspec

from falsum import plugins
from falsum.api.bindings import BY_PRODUCT
from falsum.api.fuzzer import Fuzzer
from falsum.api.model.state_machine import DEFAULT, StateMachine, as_mermaid, as_text
from falsum.app import options
from falsum.app.campaign_run import run_campaign, triage_for, watcher_for
from falsum.app.commands.fuzz import duration
from falsum.campaign import config
from falsum.campaign.library.plan import LibraryPlan
from falsum.campaign.library.workload import LibraryWorkload
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store.store import Store

if TYPE_CHECKING:
    from falsum.api.model.settings import Settings
    from falsum.api.run_result import RunResult
    from falsum.solvers.solver import Solver

_FOUND: Final = 1
_DEFAULT_OUT: Final = "falsum-out"


@click.command()
@click.option(
    "--solver", "-s", "names", multiple=True, metavar="S", help="A library; may be given several times."
)
@click.option(
    "--theory", "theories", multiple=True, metavar="T", help="A theory; default: all the library has."
)
@click.option("--rng", type=int, metavar="N", help="The number of the (first) run.")
@click.option("--count", type=click.IntRange(1), metavar="N", help="How many runs for each library.")
@click.option("--for", "seconds", callback=duration, metavar="TIME", help="How long, as in 90s, 10m, 1h30m.")
@click.option(
    "--jobs", "-j", type=click.IntRange(1), metavar="N", help="Worker processes; default: all cores."
)
@click.option("--compare", type=click.FloatRange(0, 1), metavar="SHARE", help="Checks put to other solvers.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="S", help="Seconds for one run.")
@click.option("--memory", type=click.IntRange(1), metavar="MB", help="Megabytes for each library.")
@click.option("--pipe", is_flag=True, help="Not the libraries: the programs, through a pipe.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help=f"Default: {_DEFAULT_OUT}.")
@click.option(
    "--triage/--no-triage",
    default=True,
    show_default=True,
    help="Judge findings in the background.",
)
@click.option("--resume", is_flag=True, help="Go on with the last campaign in DIR.")
@click.option("--print-model", is_flag=True, help="Show the model and do nothing.")
@click.option("--mermaid", is_flag=True, help="With --print-model: as a Mermaid drawing.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Instead of ./falsum.toml.")
@click.option(
    "--json", "as_json", is_flag=True, help="JSON lines on standard output, and nothing else there."
)
@options.plugin
@click.pass_context
def command(
    context: click.Context,
    names: tuple[str, ...],
    theories: tuple[str, ...],
    rng: int | None,
    count: int | None,
    seconds: float | None,
    jobs: int | None,
    compare: float | None,
    timeout: float | None,
    memory: int | None,
    out: Path | None,
    config_file: Path | None,
    *,
    pipe: bool,
    triage: bool,
    resume: bool,
    print_model: bool,
    mermaid: bool,
    as_json: bool,
) -> None:
    """Drive solver libraries with valid random calls, and look at everything they say.

    With --rng and neither --count nor --for it makes that one run and prints its trace. Otherwise it runs
    until Ctrl-C, or as long as --count or --for says; findings are minimised and kept in DIR, where
    `falsum findings` sees them. Exit code 1 if something was found, 130 if interrupted.
    """
    if seconds is not None and count is not None:
        raise UsageError("say --for or --count, not both")
    if mermaid and not print_model:
        raise UsageError("--mermaid is how --print-model shows the model; say both")
    workers = jobs or len(os.sched_getaffinity(0))
    changes = {
        "theories": theories or None, "compare": compare, "seconds": timeout, "memory": memory,
        "pipe": pipe or None,
    }  # fmt: skip
    if resume:
        given = {"solvers": list(names) or None, "rng": rng, "count": count, "seconds": seconds}
        given["plugins"] = list(plugins.files()) or None
        told = {name: list(value) if isinstance(value, tuple) else value for name, value in changes.items()}
        context.exit(_resumed(out, given, told, workers, triage=triage, as_json=as_json))
    settings = _settings(config.read(config_file).api, changes)
    zoo = Zoo()
    if print_model:
        model = _model(resolve(names[0], zoo), settings) if names else DEFAULT.with_weights(settings.weights)
        click.echo(as_mermaid(model) if mermaid else as_text(model), nl=False)
        return
    solvers = [resolve(name, zoo) for name in names] if names else _installed(zoo)
    if rng is not None and count is None and seconds is None:
        found = [_single(solver, settings, zoo, rng, as_json=as_json) for solver in solvers]
        context.exit(_FOUND if any(found) else 0)
    for solver in solvers:  # whatever is wrong with one is told before anything starts
        _model(solver, settings)
    plan = LibraryPlan(
        solvers=tuple((s.name, tuple(other.name for other in _others(s, zoo))) for s in solvers),
        settings=settings,
        first=secrets.randbelow(1 << 32) if rng is None else rng,
        count=count,
        seconds=seconds,
        plugins=plugins.files(),
    )
    with Store(out or Path(_DEFAULT_OUT)) as store:
        context.exit(_campaign(plan, store, workers, triage=triage, as_json=as_json))


def _settings(given: Settings, changes: dict[str, Any]) -> Settings:
    return msgspec.structs.replace(given, **{k: v for k, v in changes.items() if v is not None})


def _model(solver: Solver, settings: Settings) -> StateMachine:
    with Fuzzer(solver, settings) as fuzzer:
        fuzzer.allowed_theories()
        return fuzzer.machine


def _installed(zoo: Zoo) -> list[Solver]:
    """The libraries that are there."""
    found = []
    for name in BY_PRODUCT:
        try:
            solver = resolve(name, zoo)
        except SurroundingsError:
            continue
        if solver.release is not None and solver.release.folder is not None:
            found.append(solver)
    if not found:
        raise SurroundingsError(f"none of {', '.join(BY_PRODUCT)} is installed as a library")
    return found


def _others(solver: Solver, zoo: Zoo) -> list[Solver]:
    """The solvers that come with falsum, but for the same release of the same product."""
    others = [resolve(name, zoo) for name in config.DEFAULT_SOLVERS]
    return [o for o in others if (o.profile.product, o.version) != (solver.profile.product, solver.version)]


def _single(solver: Solver, settings: Settings, zoo: Zoo, rng: int, *, as_json: bool) -> bool:
    with Fuzzer(solver, settings, _others(solver, zoo)) as fuzzer:
        outcome = fuzzer.run(rng)
    if as_json:
        click.echo(json.dumps(plain(solver.name, outcome) | {"trace": str(outcome.trace)}))
    else:
        click.echo(str(outcome.trace), nl=False)
        click.echo(f"{solver.name}: {outcome.status} {outcome.kind} {outcome.evidence}".rstrip(), err=True)
    return outcome.is_wrong


def _resumed(
    out: Path | None,
    given: dict[str, Any],
    changes: dict[str, Any],
    jobs: int,
    *,
    triage: bool,
    as_json: bool,
) -> int:
    """The last campaign in the store, as it began, to another end if one is given."""
    with Store(out or Path(_DEFAULT_OUT)) as store:
        last = store.campaign()
        if last is None:
            raise UsageError(f"{store.home}: there is no campaign to resume")
        if "api" not in last.plan:
            raise UsageError(f"{store.home}: the last campaign was one of falsum fuzz; resume it with that")
        # The time of one run is `seconds` to the settings, and the campaign's to the plan.
        limit = changes.pop("seconds", None)
        plan = LibraryPlan.read(last.plan)
        plugins.add_files(plan.plugins)
        if limit is not None and limit != plan.settings.seconds:
            raise UsageError(
                f"--resume goes on as the campaign began; its --timeout was {plan.settings.seconds}"
            )
        return _campaign(plan.resumed(changes | given), store, jobs, last.id, triage=triage, as_json=as_json)


def _campaign(
    plan: LibraryPlan, store: Store, jobs: int, number: int | None = None, *, triage: bool, as_json: bool
) -> int:
    if number is None:
        number = store.begin(plan.plain())
    return run_campaign(
        LibraryWorkload(plan, store, number),
        store,
        number,
        watcher_for(as_json=as_json),
        triage_for((), plan.settings.seconds, plan.settings.memory) if triage else None,
        jobs=jobs,
        rng=plan.first,
        as_json=as_json,
    )


def plain(name: str, outcome: RunResult) -> dict[str, Any]:
    """One run for machines."""
    return {
        "event": "run",
        "solver": name,
        "rng": outcome.trace.header.get("rng"),
        "ending": str(outcome.status),
        "kind": outcome.kind,
        "evidence": outcome.evidence,
        "lines": len(outcome.trace.steps),
        "verdicts": list(outcome.verdicts),
    }
