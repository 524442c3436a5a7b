"""`falsum findings retest`: tests findings again on a new release or build."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import msgspec

from falsum.app import completions, options
from falsum.app.configuration import read_config
from falsum.app.exit_codes import BROKEN_SURROUNDINGS, FOUND
from falsum.app.finding_paths import folder_of, use_named_programs
from falsum.app.report import files
from falsum.app.solver_names import absolute_name
from falsum.app.terminal import echo
from falsum.campaign.lifecycle.retest import RetestResult, product_of_finding, retest
from falsum.campaign.triage.job import Job
from falsum.campaign.triage.steps import triage
from falsum.errors import FalsumError, UsageError
from falsum.plural import counted
from falsum.printable import printable
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.versions import parse_version
from falsum.solvers.zoo import Zoo
from falsum.store.reader import StoreReader
from falsum.store.states import state_of
from falsum.store.store import FINDINGS


@click.command("retest")
@click.argument("names", nargs=-1, metavar="[FINDING]...", shell_complete=completions.findings)
@options.out
@options.solver(
    "Release or build to test (default: the newest release of each product on this machine)",
    "solver_names",
)
@click.option("--commit", metavar="REV", default="", help="The commit that the tested build is made from.")
@click.option("--no-bisect", is_flag=True, help="Do not look for the release that fixed a finding.")
@options.trust
@options.fence
@options.limit("Time limit for one solver call, e.g. 2.5s or 1m (default 10s).")
@options.memory
@options.number_of_jobs("Number of releases to run at a time")
@options.json_lines("finding and solver")
@options.plugin
@click.pass_context
def command(
    context: click.Context,
    names: tuple[str, ...],
    out: Path,
    solver_names: tuple[str, ...],
    commit: str,
    timeout: float | None,
    memory: int | None,
    jobs: int,
    *,
    no_bisect: bool,
    as_json: bool,
) -> None:
    """Test findings again on a new release or build.

    Tests every finding that is open or fixed (or those named) on the solvers of its product, cold, with the
    reduced and the original script. States change accordingly: what shows is confirmed, or back again if it
    was fixed; what does not show is fixed, and the release that fixed it is looked up. Exit code 1 if a
    finding shows, 3 if one could not be tested or the answers cannot tell.
    """
    limits, zoo = read_config().limits_with(timeout, memory), Zoo()
    solvers = [resolve(absolute_name(name), zoo) for name in solver_names]
    folders = [folder_of(name, out) for name in names] or list(retested_folders(out))
    use_named_programs(folders, solvers)
    code = retest_all(
        folders, solvers, limits, zoo, commit=commit, bisects=not no_bisect, jobs=jobs, as_json=as_json
    )
    context.exit(code)


def retested_folders(out: Path) -> Iterator[Path]:
    """The findings of a store to re-test: those that are open, and fixed ones, which may come back."""
    with StoreReader(out) as store:
        for one in store.findings():
            folder = out / FINDINGS / one.folder
            if state_of(folder, is_triaged=False).state.is_retested:
                yield folder


def retest_all(
    folders: Sequence[Path],
    solvers: Sequence[Solver],
    limits: Limits,
    zoo: Zoo,
    *,
    commit: str = "",
    bisects: bool = True,
    jobs: int = 1,
    as_json: bool = False,
) -> int:
    """Test findings on solvers of their products, print a line each and a summary, and return the
    exit code.
    """
    counts: Counter[str] = Counter()
    for folder in folders:
        try:
            if not product_of_finding(folder):
                triage(Job(str(folder), read_config().solvers, limits.seconds, limits.memory, bisects=False))
            for solver in _fitting(folder, solvers, zoo):
                result = retest(folder, solver, limits, zoo, commit=commit, bisects=bisects, jobs=jobs)
                counts[_word(result)] += 1
                _show(result, as_json=as_json)
        except FalsumError as error:
            counts["not tested"] += 1
            if as_json:
                echo(json.dumps({"finding": folder.name, "error": str(error)}))
            else:
                echo(f"{folder.name}: not tested: {printable(str(error))}", err=True)
            continue
        files.write(folder)
    if not as_json:
        parts = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
        echo(f"{counted(counts.total(), 'test')}: {parts or 'nothing to test'}")
    if counts["shown"]:
        return FOUND
    # What nobody has seen to be gone is not gone.
    return BROKEN_SURROUNDINGS if counts["not tested"] or counts["open"] else 0


def _fitting(folder: Path, solvers: Sequence[Solver], zoo: Zoo) -> list[Solver]:
    """The given solvers that are of the finding's product; the newest release if none are given."""
    product = product_of_finding(folder)
    if solvers:
        return [solver for solver in solvers if solver.profile.product == product]
    if product not in BY_PRODUCT:
        raise UsageError(f"{product} has no releases; name a build with --solver")
    profile = BY_PRODUCT[product]
    releases = [*zoo.own(profile), *zoo.installed(profile)]
    if not releases:
        raise UsageError(f"no release of {product} is installed; run: falsum solvers add {product}")
    newest = max(releases, key=lambda release: parse_version(release.version))
    return [Solver(newest.name, profile, newest)]


def _word(result: RetestResult) -> str:
    if result.shows:
        return "shown"
    return "not shown" if result.standing.decided else "open"


def _show(result: RetestResult, *, as_json: bool) -> None:
    if as_json:
        echo(json.dumps(msgspec.to_builtins(result)))
        return
    moved = f"{result.before} → {result.after}" if result.has_moved else result.after
    echo(f"{result.finding}: {result.solver}: {result.standing}: {printable(result.said)}; {moved}")
