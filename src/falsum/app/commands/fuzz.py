"""`falsum fuzz`: fuzzes solvers with mutants of seeds."""

from __future__ import annotations

import os
import secrets
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from falsum import plugins
from falsum.app import options
from falsum.app.campaign_run import Workers, last_campaign, run_campaign, triage_for, watcher_for
from falsum.app.configuration import read_config
from falsum.app.coverage_reports import CoverageReports
from falsum.app.findings.campaign_options import FindingOptions, finding_options
from falsum.app.solver_names import absolute_name
from falsum.app.standard_streams import lasting_output
from falsum.campaign import config, named_programs
from falsum.campaign.corpus.seed_choice import THEORIES
from falsum.campaign.fuzz.plan import MODEL_SHARE, FuzzPlan
from falsum.campaign.fuzz.preparation import prepare
from falsum.campaign.guides import AUTO, GUIDES
from falsum.campaign.search.configurations import ALL, OFF, SAFE
from falsum.campaign.search.focus import read_patterns
from falsum.campaign.search.schedule import BATCH_COUNT, EVEN, LEARN
from falsum.campaign.search.time_rules import MIN_SECONDS, SEED_MULTIPLE
from falsum.errors import UsageError
from falsum.store.store import Store
from falsum.strategies import BY_NAME
from falsum.trust import trust


@click.command()
@click.argument("seeds", nargs=-1, metavar="[SEEDS]...")
@options.solver("Solver to test (default: those of the configuration)")
@options.solver(
    "Reference solver, not under test: findings about it are kept, but do not count for --fail-on",
    "compare_with",
    ("--compare-with",),
)
@options.strategies(
    "Strategy, with parameters as in valfuzz:cpog=true, or several in a row as in typefuzz+opfuzz"
    " (default: all)"
)
@click.option(
    "--logic", "logics", multiple=True, metavar="L", help="Use seeds of this logic only; may be repeated."
)
@click.option(
    "--theory", "theories", multiple=True, type=click.Choice(sorted(THEORIES)), metavar="T",
    help=f"Use seeds with this theory only: {', '.join(sorted(THEORIES))}; may be repeated.",
)  # fmt: skip
@options.seconds("Stop after this time, e.g. 90s, 10m, 1h30m.")
@click.option("--count", type=click.IntRange(1), metavar="N", help="Stop after N mutants.")
@options.jobs
@options.cluster
@click.option("--rng", type=int, metavar="N", help="Seed of the random number generator (default: random).")
@options.trust
@options.fence
@options.build
@options.coverage
@options.timeout
@click.option(
    "--min-timeout", "least", type=options.duration, metavar="TIME",
    help=f"Minimum time limit for a mutant (default {MIN_SECONDS}s).",
)  # fmt: skip
@click.option(
    "--time-factor", "multiple", type=click.FloatRange(1), metavar="X",
    help=f"Time limit for a mutant, as a multiple of what its seed took (default {SEED_MULTIPLE:g}).",
)  # fmt: skip
@options.memory
@click.option(
    "--per-visit", type=click.IntRange(1), metavar="N",
    help=f"Mutants of a seed before the next seed has its turn (default {BATCH_COUNT}; "
         "more if it took long to prepare).",
)  # fmt: skip
@click.option(
    "--models", type=click.FloatRange(0, 1), metavar="SHARE",
    help=f"Share of mutants for which solvers are asked for models (default {MODEL_SHARE:g}).",
)  # fmt: skip
@click.option(
    "--schedule", type=click.Choice([LEARN, EVEN]),
    help="Spend time where new behaviour and findings come from, or evenly (default learn).",
)  # fmt: skip
@click.option(
    "--guide", type=click.Choice(GUIDES),
    help="What counts as new behaviour: edges of solvers built with AFL++, their own statistics, or nothing"
    " (default auto: coverage if a solver is built with AFL++, else statistics).",
)  # fmt: skip
@click.option(
    "--focus", multiple=True, metavar="WHERE",
    help="Source file or function whose edges count more, with wildcards, or @LIST with AFL++'s list of files"
    " and functions (see `falsum focus`); may be repeated.",
)  # fmt: skip
@click.option(
    "--engines/--no-engines", default=None,
    help="Compare each solver with its other engines and with equivalent scripts (default: on).",
)  # fmt: skip
@click.option(
    "--options", type=click.Choice([OFF, SAFE, ALL]),
    help="Compare each solver with itself with random options: those its developers support, or all"
    " (default off).",
)  # fmt: skip
@options.operators
@options.out
@click.option(
    "--triage/--no-triage", default=True, show_default=True,
    help="Judge and reduce findings in the background.",
)  # fmt: skip
@options.resume
@finding_options
@options.config
@options.events
@options.plugin
@click.pass_context
def command(
    context: click.Context,
    /,
    seeds: tuple[str, ...],
    names: tuple[str, ...],
    compare_with: tuple[str, ...],
    logics: tuple[str, ...],
    theories: tuple[str, ...],
    strategies: tuple[str, ...],
    seconds: float | None,
    count: int | None,
    jobs: int,
    cluster: str | None,
    rng: int | None,
    timeout: float | None,
    memory: int | None,
    out: Path,
    config_file: Path | None,
    coverage: Path | None,
    *,
    about: FindingOptions,
    focus: tuple[str, ...],
    triage: bool,
    resume: bool,
    as_json: bool,
    **tuning: Any,  # options that are fields of the plan, which has their defaults
) -> None:
    """Fuzz solvers with mutants of seeds.

    Runs the solvers on each mutant and keeps wrong answers and crashes that can be reproduced. SEEDS are
    files, directories or patterns (default: the bundled seeds). Runs until Ctrl-C if neither --for nor
    --count is given; with --resume, --for counts from now and --count includes earlier mutants. Exit code 1
    if something was found (see --fail-on), 3 if no solver answered, 4 after internal errors, 130 if
    interrupted; all results are saved.
    """
    if seconds is not None and count is not None:
        raise UsageError("use either --for or --count")
    seconds = about.seconds(seconds, count)
    settings = read_config(config_file)
    values: dict[str, Any] = {
        "seeds": tuple(map(os.path.abspath, seeds)) or None,
        "solvers": _asked(names, compare_with, settings),
        "compare_with": compare_with or None,
        "logics": logics or None,
        "theories": theories or None,
        "strategies": settings.strategies_with(strategies) or None,
        "rng": rng,
        "timeout": timeout,
        "memory": memory,
        "count": count,
        "seconds": seconds,
        "focus": read_patterns(focus) or None,
        "plugins": plugins.files() or None,
        "baseline": about.named_baseline or None,
        "known": about.known or None,
        **tuning,
    }
    number, plan = _resumed(out, values) if resume else (None, _planned(values, settings))
    about = about.as_planned(plan)
    prepared = prepare(plan, None if number is None else (out, number))
    executor = Workers(jobs, cluster, settings.clusters).executor(prepared.solvers)
    with lasting_output(), closing(executor), Store(out) as store:
        named_programs.remember(out, prepared.solvers, plan.plugins)
        watcher = watcher_for(as_json=as_json)
        number, workload = prepared.begin(store, watcher, number)
        code = run_campaign(
            workload,
            store,
            number,
            watcher,
            triage_for(plan.solvers, plan.timeout, plan.memory, executor, about.budget) if triage else None,
            about,
            executor,
            rng=plan.rng,
            as_json=as_json,
            coverage=CoverageReports(coverage, plan.solvers) if coverage else None,
        )
    context.exit(code)


def _asked(
    names: tuple[str, ...], references: tuple[str, ...], settings: config.Config
) -> tuple[str, ...] | None:
    """The solvers under test and the references; None if the command line names neither."""
    if both := set(names) & set(references):
        raise UsageError(f"{', '.join(sorted(both))}: named with --solver and with --compare-with; use one")
    if not names and not references:
        return None
    suspects = tuple(
        name for name in map(absolute_name, settings.solvers_with(names)) if name not in references
    )
    if not suspects:
        raise UsageError(
            "all solvers are to be compared with, and none is under test; name one with --solver"
        )
    return tuple(dict.fromkeys((*suspects, *references)))


def _planned(defaults: dict[str, Any], settings: config.Config) -> FuzzPlan:
    limits = settings.limits_with(defaults["timeout"], defaults["memory"])
    values = {
        "solvers": tuple(dict.fromkeys(map(absolute_name, settings.solvers_with()))),
        "strategies": settings.strategies_with(tuple(BY_NAME)),
        "seeds": (),
        "rng": secrets.randbelow(1 << 32),
        "guide": AUTO,
        **{name: value for name, value in defaults.items() if value is not None},
    }
    return FuzzPlan(**values | {"timeout": limits.seconds, "memory": limits.memory})


def _resumed(out: Path, values: dict[str, Any]) -> tuple[int, FuzzPlan]:
    last = last_campaign(out)
    if "api" in last.plan:
        raise UsageError(
            f"{out}: the last campaign is one of falsum api; use: falsum api --resume --out {out}"
        )
    plan = FuzzPlan.read(last.plan).resumed(values, last.elapsed)
    named_programs.trust_named(out)
    trust(values["solvers"] or ())
    named_programs.expect_named(plan.solvers, plan.plugins)
    plugins.add_files(plan.plugins)
    return last.id, plan
