"""`falsum bisect`: finds the releases of a product that a finding affects."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.console import Console
from rich.table import Table

from falsum.api.run_result import RunResult
from falsum.api.trace import Trace, read_trace
from falsum.app import completions, options
from falsum.app.configuration import read_config
from falsum.app.finding_paths import folder_of, use_named_programs
from falsum.app.findings.commits import CommitsToBisect, bisect_commits
from falsum.app.findings.release_question import (
    Question,
    known_product,
    question_of_file,
    question_of_finding,
    stated_target,
)
from falsum.app.report import files
from falsum.app.terminal import echo, waiting
from falsum.campaign.triage import result
from falsum.campaign.triage.bisection import Bisection, TestedReleases, bisect, sentence
from falsum.campaign.triage.job import Job
from falsum.campaign.triage.releases import ReleaseRow, ScriptReleases
from falsum.campaign.triage.steps import triage
from falsum.campaign.triage.traces.releases import TraceReleases, fuzzer_for
from falsum.errors import FalsumError, SurroundingsError, UsageError
from falsum.plural import counted
from falsum.printable import printable
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.solver import Solver, resolve, resolve_received
from falsum.solvers.zoo import Origin, Zoo
from falsum.store import finding_folder
from falsum.trust import names_a_product

# Of the releases that were not asked, so many are named.
_SHOWN_RELEASES: Final = 8


@click.command()
@click.argument("name", metavar="FINDING|FILE", shell_complete=completions.findings)
@click.option("--product", metavar="P", help="Product to bisect (default: that of the suspect).")
@options.own_build
@options.out
@click.option("--expect", type=click.Choice(["sat", "unsat"]), help="The right verdict for FILE.")
@click.option(
    "--slower-than", type=options.duration, metavar="TIME",
    help="With FILE: treat at least this much CPU time as the defect.",
)  # fmt: skip
@click.option("--unknown", is_flag=True, help="With FILE: treat the answer unknown as the defect.")
@options.git
@options.number_of_jobs("Number of releases to run at a time")
@click.option("--install", is_flag=True, help="Install releases until the first bad one is known.")
@click.option("--all", "exhaustive", is_flag=True, help="Install and run every release.")
@options.trust
@options.fence
@options.timeout
@options.memory
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object to standard output.")
@options.plugin
def command(
    name: str,
    product: str | None,
    own_build: str | None,
    out: Path,
    expect: str | None,
    slower_than: float | None,
    git: Path | None,
    build: str | None,
    program: str,
    good: str,
    bad: str,
    jobs: int,
    timeout: float | None,
    memory: int | None,
    *,
    unknown: bool,
    install: bool,
    exhaustive: bool,
    as_json: bool,
) -> None:
    """Find the releases that a finding affects.

    Runs every installed release of a product and prints the first bad, the last good and the fixed one.
    FINDING is a folder, or the name of a finding in DIR; it is triaged first if necessary. For a FILE, the
    defect is determined as by `falsum solve`, unless --expect, --slower-than or --unknown names it; --product
    is the product whose releases are run (default: that of the suspect). Answers are cached.

    With --solver, a build of your own is asked first, and is the newer end of the search: bad or good. Exit
    code 3 if none of the releases can tell.

    With --git and --build, commits of a repository are built and tested in a worktree instead, from --good to
    --bad. Commits that do not build are skipped; builds and answers are kept, so that an interrupted search
    can resume. If --good is newer than --bad, searches for the commit that fixed the finding.
    """
    limits = read_config().limits_with(timeout, memory)
    stated = stated_target(expect, slower_than, unknown=unknown)
    if git is not None or build is not None:
        if git is None or build is None:
            raise UsageError("--git and --build go together")
        if own_build is not None:
            raise UsageError("--solver is for releases; --git builds what it tests itself")
        commits = CommitsToBisect(git, build, program, good, bad)
        folder = _finding(name, out)
        if folder is not None:
            _triaged(folder, limits)
        bisect_commits(name, folder, commits, stated, product, limits, as_json=as_json)
        return
    installs = install or exhaustive
    zoo = Zoo()
    own = _own_build(own_build, product, zoo)
    folder = _finding(name, out, () if own is None else (own,))
    if folder is not None and finding_folder.read(folder).trace is not None:
        search = partial(_bisect_trace, folder, product, own, limits, zoo)
        bisection = search(install=install, exhaustive=exhaustive)
        _show(bisection, as_json=as_json)
        _require_standing(bisection)
        return
    if folder is not None:
        question = _question(folder, product, limits, zoo)
        own = own or _suspected_build(folder, question.product, zoo)
    else:
        question = question_of_file(name, product, own, stated, limits, zoo)
    with ScriptReleases(
        known_product(question.product),
        question.case,
        question.target,
        limits,
        references=question.references,
        settings=question.settings,
        zoo=zoo,
    ) as releases:
        tell = (lambda row: echo(f"{row.release}: {row.said}", err=True)) if installs else None
        with waiting(f"asking releases of {question.product}"):
            end = _build_row(releases, own)
            bisection = bisect(
                releases, jobs, install=installs, exhaustive=exhaustive, tell=tell, build=end,
                first=_release_of(folder, question.product),
            )  # fmt: skip
    if folder is not None:
        _keep(folder, bisection)
    _show(bisection, as_json=as_json)
    if not as_json:
        echo(_not_asked(bisection, installs=installs))
    _require_standing(bisection)


def _own_build(name: str | None, product: str | None, zoo: Zoo) -> Solver | None:
    """The build that the user names."""
    if name is None:
        return None
    solver = resolve(name, zoo)
    if solver.release is None or solver.release.origin is not Origin.FILE or solver.release.binding:
        raise UsageError(
            f"--solver {name}: give a build by its path: PRODUCT=PATH; releases are tested anyway"
        )
    if product not in (None, solver.profile.product):
        raise UsageError(f"--solver {name} is not a build of {product}")
    if solver.profile.product not in BY_PRODUCT:
        raise UsageError(f"--solver {name}: say which product it is: PRODUCT={name}")
    return solver


def _suspected_build(folder: Path, product: str, zoo: Zoo) -> Solver | None:
    """The build of the user's own that a finding is about, if it is still there and may be run."""
    triage_result = result.read(folder)
    if triage_result is None or not triage_result.suspect or names_a_product(triage_result.suspect):
        return None
    try:
        solver = resolve_received(triage_result.suspect, zoo)
    except FalsumError as error:
        echo(f"falsum: not asked: {error}", err=True)
        return None
    is_build = solver.release is not None and not solver.release.binding
    return solver if is_build and solver.profile.product == product else None


def _release_of(folder: Path | None, product: str) -> str:
    """The release that a finding is about, if that is one of the package index."""
    triage_result = result.read(folder) if folder is not None else None
    if (
        triage_result is None
        or triage_result.product != product
        or not names_a_product(triage_result.suspect)
    ):
        return ""
    return triage_result.release


def _build_row(releases: TestedReleases, own: Solver | None) -> ReleaseRow | None:
    """Whether the user's own build shows the defect, under the name that the user gave it."""
    if own is None or own.release is None:
        return None
    if own.profile is not releases.profile:
        raise UsageError(
            f"{own.name} is not a build of {releases.profile.product}, which the finding is about"
        )
    name = f"{own.name} ({own.version})" if own.version else own.name
    return msgspec.structs.replace(releases.row(own.release), release=name, version=own.version)


def _require_standing(bisection: Bisection) -> None:
    """Raise SurroundingsError if none of the releases can tell, which is not the same as not showing the
    defect.
    """
    if bisection.is_open:
        raise SurroundingsError(
            f"no release of {bisection.product} that was asked can tell whether it shows the defect; "
            f"add others: falsum solvers add {bisection.product}@RELEASE"
        )


def _not_asked(bisection: Bisection, *, installs: bool) -> str:
    """The releases that were not run, and how to run them."""
    if bisection.untried:
        names = ", ".join(bisection.untried[:_SHOWN_RELEASES])
        more = len(bisection.untried) - _SHOWN_RELEASES
        rest = f" and {more} more" if more > 0 else ""
        return f"not asked: {names}{rest}; --all installs and asks them, too"
    here = counted(len(bisection.rows), "release")
    if installs:
        return f"asked all {here} that can be installed"
    if not BY_PRODUCT[bisection.product].packages:
        return (
            f"asked the {here} on this machine; others of {bisection.product} cannot be installed by falsum"
        )
    return f"asked the {here} on this machine; --install adds those that tell most, --all every release"


def _bisect_trace(
    folder: Path,
    product: str | None,
    own: Solver | None,
    limits: Limits,
    zoo: Zoo,
    *,
    install: bool,
    exhaustive: bool,
) -> Bisection:
    """Replay the calls of a finding in a library on every release of it."""
    record = finding_folder.read(folder)
    assert record.trace is not None
    triage_result = triage(Job(str(folder), (), limits.seconds, limits.memory, bisects=False))
    if product not in (None, triage_result.product):
        raise UsageError(
            f"{folder.name} shows calls of {triage_result.product}, which releases of {product} do not have"
        )
    trace = read_trace(record.trace.small)
    failure = _failure(trace, record.trace.solver, own, limits, zoo)
    if failure is None:
        raise UsageError(f"{folder.name}: not reproduced, so there is nothing to look for in other releases")
    releases = TraceReleases(triage_result.product, trace, failure, limits, zoo)
    installs = install or exhaustive
    tell = (lambda row: echo(f"{row.release}: {row.said}", err=True)) if installs else None
    end = _build_row(releases, own)
    bisection = bisect(
        releases, 1, install=installs, exhaustive=exhaustive, tell=tell, build=end,
        first=_release_of(folder, triage_result.product),
    )  # fmt: skip
    _keep(folder, bisection)
    return bisection


def _failure(trace: Trace, name: str, own: Solver | None, limits: Limits, zoo: Zoo) -> RunResult | None:
    """The failure of a trace on its solver, or on the user's own build if that solver is gone or fixed."""
    try:
        solvers = [resolve_received(name, zoo)]
    except FalsumError:
        if own is None:
            raise
        solvers = []
    for solver in (*solvers, *((own,) if own is not None else ())):
        with fuzzer_for(solver, limits, zoo) as fuzzer:
            failure = fuzzer.replay(trace)
        if failure.is_wrong:
            return failure
    return None


def _keep(folder: Path, bisection: Bisection) -> None:
    """Save the result in the folder of the finding, and in its report if that is about this product."""
    result.write(folder, result.BISECTION, bisection)
    triage_result = result.read(folder)
    if triage_result is not None and triage_result.product == bisection.product:
        result.write(folder, result.TRIAGE, msgspec.structs.replace(triage_result, bisection=bisection))
        files.write(folder)


def _finding(name: str, out: Path, own: Sequence[Solver] = ()) -> Path | None:
    """The folder of a finding; None if the name is a file's."""
    folder = None if Path(name).is_file() else folder_of(name, out)
    use_named_programs([folder] if folder is not None else (), own)
    return folder


def _triaged(folder: Path, limits: Limits) -> result.Triage:
    return triage(Job(str(folder), read_config().solvers, limits.seconds, limits.memory, bisects=False))


def _question(folder: Path, product: str | None, limits: Limits, zoo: Zoo) -> Question:
    _triaged(folder, limits)
    return question_of_finding(folder, product, limits, zoo)


def _show(bisection: Bisection, *, as_json: bool) -> None:
    if as_json:
        echo(json.dumps(result.counted_from_one(bisection.plain())))
        return
    table = Table(box=None, pad_edge=False)
    for title in ("release", "origin", "", "answer", "seconds"):
        table.add_column(title, overflow="fold")
    for row in (*bisection.rows, *((bisection.build,) if bisection.build is not None else ())):
        table.add_row(row.release, row.origin, str(row.standing), printable(row.said), f"{row.seconds:.2f}")
    console = Console(file=sys.stdout, highlight=False, markup=False)
    console.print(table)
    echo(sentence(bisection))
