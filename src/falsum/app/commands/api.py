"""`falsum api`: fuzzes solver libraries, call by call."""

from __future__ import annotations

import json
import secrets
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from falsum import plugins
from falsum.api.bindings import BY_PRODUCT, TEMPLATE
from falsum.api.fuzzer import Fuzzer
from falsum.api.model.state_machine import DEFAULT, StateMachine, as_mermaid, as_text
from falsum.api.run_options import CLASSES
from falsum.api.run_stats import RunStats
from falsum.api.run_summary import summarize
from falsum.app import options
from falsum.app.campaign_run import Workers, last_campaign, run_campaign, triage_for, watcher_for
from falsum.app.configuration import read_config
from falsum.app.coverage_reports import CoverageReports
from falsum.app.exit_codes import FOUND
from falsum.app.findings.campaign_options import FindingOptions, finding_options
from falsum.app.library.solvers import check_binding, reference_solvers, solver_name
from falsum.app.solver_names import absolute_name
from falsum.app.standard_streams import lasting_output
from falsum.app.terminal import echo
from falsum.campaign import named_programs
from falsum.campaign.guides import AUTO, COVERAGE, NONE, guide_for
from falsum.campaign.library.plan import LibraryPlan
from falsum.campaign.library.workload import LibraryWorkload
from falsum.campaign.program_marks import mark_of
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store.store import Store
from falsum.trust import trust

if TYPE_CHECKING:
    from falsum.api.model.settings import Settings
    from falsum.api.run_result import RunResult
    from falsum.campaign.executors.executor import Executor
    from falsum.solvers.solver import Solver


@click.command()
@options.solver("Library to test (default: all that are installed)")
@click.option(
    "--theory", "theories", multiple=True, metavar="T",
    help="Theory to use (default: all that the library has); may be repeated.",
)  # fmt: skip
@click.option(
    "--without", multiple=True, metavar="T", help="Theory not to use; may be repeated.",
)  # fmt: skip
@click.option("--rng", type=int, metavar="N", help="Number of the first run (default: random).")
@click.option("--count", type=click.IntRange(1), metavar="N", help="Stop after N runs of each library.")
@options.seconds("Stop after this time, e.g. 90s, 10m, 1h30m.")
@options.jobs
@options.cluster
@click.option(
    "--compare", type=click.FloatRange(0, 1), metavar="SHARE",
    help="Share of the checks whose verdicts are compared with other solvers.",
)  # fmt: skip
@click.option(
    "--compare-with", multiple=True, metavar="S",
    help="Solver to compare with, and whose library replays runs (default: those that come with falsum);"
    " may be repeated.",
)  # fmt: skip
@click.option(
    "--options", "share_of_options", type=click.FloatRange(0, 1), metavar="SHARE",
    help="Share of the runs with random options (default 0.3).",
)  # fmt: skip
@click.option(
    "--max-options",
    type=click.IntRange(1),
    metavar="N",
    help="Maximum number of random options of a run (default 3).",
)
@click.option(
    "--option-class", "option_classes", type=click.Choice(list(CLASSES)), multiple=True,
    help="Class of options to draw from (default: regular and self-check); may be repeated.",
)  # fmt: skip
@click.option(
    "--option-name", "option_names", multiple=True, metavar="PATTERN",
    help="Draw only options whose names match, for example 'nl-*'; may be repeated.",
)  # fmt: skip
@click.option(
    "--guide", type=click.Choice([AUTO, COVERAGE, NONE]), default=AUTO, show_default=True,
    help="What decides which actions, theories, operators and options are drawn more often: new edges of"
    " libraries built with AFL++, or nothing (auto: coverage if a library is built with AFL++).",
)  # fmt: skip
@options.limit("Time limit for one run, e.g. 2.5s or 1m.")
@options.megabytes("Memory limit for each library, in MB.")
@click.option(
    "--from", "scripts", type=click.Path(exists=True, dir_okay=False, path_type=Path), multiple=True,
    metavar="SCRIPT", help="Begin each run with the calls that do what a script does; may be repeated.",
)  # fmt: skip
@click.option("--linear", is_flag=True, help="Multiply and divide by numerals only, for linear logics.")
@click.option("--random-symbols", is_flag=True, help="Name constants with symbols that must be quoted.")
@click.option("--pipe", is_flag=True, help="Test the programs through a pipe instead of the libraries.")
@click.option("--logic", metavar="L", help="With --pipe: logic to set in a program of an unknown product.")
@click.option(
    "--binding", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="Test the library that a binding of your own serves.",
)  # fmt: skip
@click.option(
    "--conformance", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="Check a binding of your own and exit.",
)  # fmt: skip
@click.option("--template", is_flag=True, help="Print a template for a binding and exit.")
@options.out
@click.option(
    "--triage/--no-triage", default=True, show_default=True, help="Judge findings in the background."
)
@options.resume
@click.option("--stats", is_flag=True, help="With --count: only count actions and operators, and exit.")
@click.option("--print-model", is_flag=True, help="Print the model of calls and exit.")
@click.option("--mermaid", is_flag=True, help="With --print-model: print it as a Mermaid diagram.")
@finding_options
@options.config
@options.events
@options.trust
@options.fence
@options.build
@options.coverage
@options.plugin
@click.pass_context
def command(
    context: click.Context,
    names: tuple[str, ...],
    theories: tuple[str, ...],
    without: tuple[str, ...],
    rng: int | None,
    count: int | None,
    seconds: float | None,
    jobs: int,
    cluster: str | None,
    compare: float | None,
    compare_with: tuple[str, ...],
    share_of_options: float | None,
    max_options: int | None,
    option_classes: tuple[str, ...],
    option_names: tuple[str, ...],
    scripts: tuple[Path, ...],
    guide: str,
    timeout: float | None,
    memory: int | None,
    logic: str | None,
    binding: Path | None,
    conformance: Path | None,
    out: Path,
    config_file: Path | None,
    coverage: Path | None,
    *,
    about: FindingOptions,
    linear: bool,
    random_symbols: bool,
    pipe: bool,
    triage: bool,
    resume: bool,
    print_model: bool,
    stats: bool,
    mermaid: bool,
    template: bool,
    as_json: bool,
) -> None:
    """Fuzz solver libraries with valid random calls.

    Everything that the libraries return is checked. With --rng and neither --count nor --for, makes that
    one run and prints its trace. Otherwise runs until Ctrl-C, or until --count or --for is reached;
    findings are minimised and kept in DIR, where `falsum findings` lists them. Exit code 1 if something
    was found, 130 if interrupted.
    """
    if seconds is not None and count is not None:
        raise UsageError("use either --for or --count")
    seconds = about.seconds(seconds, count)
    if mermaid and not print_model:
        raise UsageError("--mermaid requires --print-model")
    changes = {
        "theories": theories or None, "compare": compare, "seconds": timeout, "memory": memory,
        "pipe": pipe or None, "compare_with": compare_with or None, "options": share_of_options,
        "max_options": max_options, "option_classes": option_classes or None,
        "logic": logic, "linear": linear or None,
        "without": without or None, "option_names": option_names or None,
        "random_symbols": random_symbols or None,
        "scripts": tuple(str(each.absolute()) for each in scripts) or None,
    }  # fmt: skip
    if template:
        echo(TEMPLATE.read_text(encoding="utf-8"), nl=False)
        context.exit(0)
    if conformance is not None:
        context.exit(FOUND if not check_binding(conformance) else 0)
    if binding is not None:
        names = (*names, absolute_name(solver_name(binding)))
    read = read_config(config_file)
    workers = Workers(jobs, cluster, read.clusters)
    if resume:
        values: dict[str, Any] = {
            "solvers": list(names) or None, "rng": rng, "count": count, "seconds": seconds,
        }  # fmt: skip
        values["plugins"] = list(plugins.files()) or None
        values |= {"baseline": about.named_baseline or None, "known": about.known or None}
        own_options = {
            name: list(value) if isinstance(value, tuple) else value for name, value in changes.items()
        }
        context.exit(
            _resumed(out, values, own_options, workers, coverage, about, triage=triage, as_json=as_json)
        )
    settings = _settings(read.api, changes)
    zoo = Zoo()
    if print_model:
        model = _model(resolve(names[0], zoo), settings) if names else DEFAULT.with_weights(settings.weights)
        echo(as_mermaid(model) if mermaid else as_text(model), nl=False)
        return
    solvers = [resolve(name, zoo) for name in names] if names else _installed(zoo)
    if stats:
        if count is None:
            raise UsageError("--stats requires --count")
        for solver in solvers:
            _show_stats(solver, settings, secrets.randbelow(1 << 32) if rng is None else rng, count)
        return
    if rng is not None and count is None and seconds is None:
        outcomes = [_single(solver, settings, zoo, rng, as_json=as_json) for solver in solvers]
        context.exit(FOUND if any(outcomes) else 0)
    for solver in solvers:  # fail before anything starts
        _model(solver, settings)
    plan = LibraryPlan(
        solvers=tuple((solver.name, _others(solver, settings, zoo)) for solver in solvers),
        settings=settings,
        first=secrets.randbelow(1 << 32) if rng is None else rng,
        count=count,
        seconds=seconds,
        plugins=plugins.files(),
        baseline=about.named_baseline,
        known=about.known or "",
        guide=guide_for(guide, solvers, NONE),
    )
    with lasting_output(), closing(_executor(plan, workers)) as executor, Store(out) as store:
        context.exit(_campaign(plan, store, executor, coverage, about, triage=triage, as_json=as_json))


def _others(solver: Solver, settings: Settings, zoo: Zoo) -> tuple[str, ...]:
    """The names of the solvers that a library is compared with."""
    return tuple(other.name for other in reference_solvers(solver, zoo, settings.compare_with))


def _settings(own_settings: Settings, changes: dict[str, Any]) -> Settings:
    return msgspec.structs.replace(own_settings, **{k: v for k, v in changes.items() if v is not None})


def _model(solver: Solver, settings: Settings) -> StateMachine:
    with Fuzzer(solver, settings) as fuzzer:
        _note(fuzzer)
        return fuzzer.machine


def _note(fuzzer: Fuzzer) -> None:
    for note in fuzzer.check_settings():
        echo(note, err=True)


def _installed(zoo: Zoo) -> list[Solver]:
    """The libraries that are installed."""
    solvers = []
    for name in BY_PRODUCT:
        try:
            solver = resolve(name, zoo)
        except SurroundingsError:
            continue
        if solver.release is not None and solver.release.folder is not None:
            solvers.append(solver)
    if not solvers:
        raise SurroundingsError(f"no library is installed of {', '.join(BY_PRODUCT)}")
    return solvers


def _single(solver: Solver, settings: Settings, zoo: Zoo, rng: int, *, as_json: bool) -> bool:
    with Fuzzer(solver, settings, reference_solvers(solver, zoo, settings.compare_with)) as fuzzer:
        _note(fuzzer)
        outcome = fuzzer.run(rng)
        summary = summarize(outcome.trace, fuzzer.mirror_after(outcome.trace))
    if as_json:
        fields = plain(solver.name, outcome) | {"summary": summary._asdict(), "trace": str(outcome.trace)}
        echo(json.dumps(fields))
    else:
        echo(str(outcome.trace), nl=False)
        echo(f"{solver.name}: {outcome.status} {outcome.kind} {outcome.evidence}".rstrip(), err=True)
        echo(f"{solver.name}: {summary}", err=True)
    return outcome.is_wrong


def _show_stats(solver: Solver, settings: Settings, first: int, count: int) -> None:
    with Fuzzer(solver, settings) as fuzzer:
        _note(fuzzer)
        stats = RunStats(fuzzer.visits)
        for number in range(first, first + count):
            stats.add(fuzzer.run(number))
    echo(solver.name)
    for row in stats.rows():
        echo(f"  {row}")


def _resumed(
    out: Path,
    values: dict[str, Any],
    changes: dict[str, Any],
    workers: Workers,
    coverage: Path | None,
    about: FindingOptions,
    *,
    triage: bool,
    as_json: bool,
) -> int:
    """The plan of the last campaign in the store; the end may be another one."""
    last = last_campaign(out)
    if "api" not in last.plan:
        raise UsageError(
            f"{out}: the last campaign is one of falsum fuzz; use: falsum fuzz --resume --out {out}"
        )
    # `seconds` is the time of one run in the settings, and that of the whole campaign in the plan.
    limit = changes.pop("seconds", None)
    plan = LibraryPlan.read(last.plan)
    named_programs.trust_named(out)
    trust(values["solvers"] or ())
    named_programs.expect_named(
        (name for library, others in plan.solvers for name in (library, *others)), plan.plugins
    )
    plugins.add_files(plan.plugins)
    if limit is not None and limit != plan.settings.seconds:
        raise UsageError(f"--resume cannot change --timeout: the campaign has {plan.settings.seconds}")
    resumed = plan.resumed(changes | values, last.elapsed)
    about = about.as_planned(resumed)
    with lasting_output(), closing(_executor(resumed, workers)) as executor, Store(out) as store:
        return _campaign(resumed, store, executor, coverage, about, last.id, triage=triage, as_json=as_json)


def _executor(plan: LibraryPlan, workers: Workers) -> Executor:
    zoo = Zoo()
    return workers.executor([resolve(name, zoo) for name, _others in plan.solvers])


def _campaign(
    plan: LibraryPlan,
    store: Store,
    executor: Executor,
    coverage: Path | None,
    about: FindingOptions,
    number: int | None = None,
    *,
    triage: bool,
    as_json: bool,
) -> int:
    names = tuple(name for name, _others in plan.solvers)
    zoo = Zoo()
    plan_names = dict.fromkeys(name for library, others in plan.solvers for name in (library, *others))
    named_programs.remember(store.folder, (resolve(name, zoo) for name in plan_names), plan.plugins)
    if number is None:
        number = store.begin(plan.plain())
    return run_campaign(
        LibraryWorkload(plan, store, number, {name: mark_of(resolve(name, Zoo())) for name in names}),
        store,
        number,
        watcher_for(as_json=as_json),
        triage_for(names, plan.settings.seconds, plan.settings.memory, executor, about.budget)
        if triage
        else None,
        about,
        executor,
        rng=plan.first,
        as_json=as_json,
        coverage=CoverageReports(coverage, names) if coverage else None,
    )


def plain(name: str, outcome: RunResult) -> dict[str, Any]:
    """One run as a JSON object."""
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
