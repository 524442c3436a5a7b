"""`falsum solvers update`: installs the newest releases and re-tests the findings about them."""

from __future__ import annotations

import json
from pathlib import Path

import click

from falsum.app import options
from falsum.app.configuration import read_config
from falsum.app.finding_paths import use_named_programs
from falsum.app.findings.retest_command import retest_all, retested_folders
from falsum.app.terminal import echo
from falsum.errors import UsageError
from falsum.solvers.profiles import ALL, BY_PRODUCT, Profile
from falsum.solvers.solver import Solver
from falsum.solvers.versions import is_same_release, parse_version
from falsum.solvers.zoo import Release, Zoo
from falsum.store.schema import FILE_NAME


@click.command("update")
@click.argument("products", nargs=-1, metavar="[PRODUCT]...")
@options.out
@click.option("--no-retest", is_flag=True, help="Do not re-test the findings in DIR.")
@options.limit("Time limit for one solver call, e.g. 2.5s or 1m (default 10s).")
@options.memory
@options.number_of_jobs("Number of releases to run at a time")
@options.trust
@options.fence
@options.json_lines("release, finding and solver")
@options.plugin
@click.pass_context
def command(
    context: click.Context,
    products: tuple[str, ...],
    out: Path,
    timeout: float | None,
    memory: int | None,
    jobs: int,
    *,
    no_retest: bool,
    as_json: bool,
) -> None:
    """Install the newest release of products and re-test findings.

    PRODUCT is a product in the package index (default: all that are on this machine). The findings in DIR
    that are open or fixed are re-tested on the releases that are new here; exit code 1 if one shows.
    """
    zoo = Zoo()
    profiles = [_profile(name) for name in products] or [each for each in ALL if _is_here(each, zoo)]
    new = [release for profile in profiles if (release := _updated(profile, zoo, as_json=as_json))]
    if no_retest or not new or not (out / FILE_NAME).is_file():
        return
    limits = read_config().limits_with(timeout, memory)
    solvers = [Solver(release.name, BY_PRODUCT[release.product], release) for release in new]
    folders = list(retested_folders(out))
    use_named_programs(folders)
    context.exit(retest_all(folders, solvers, limits, zoo, jobs=jobs, as_json=as_json))


def _profile(name: str) -> Profile:
    profile = BY_PRODUCT.get(name)
    if profile is None or not profile.packages:
        products = ", ".join(each.product for each in ALL if each.packages)
        raise UsageError(f"{name} is not in the package index; choose from {products}")
    return profile


def _is_here(profile: Profile, zoo: Zoo) -> bool:
    return bool(profile.packages) and bool(zoo.own(profile) or zoo.installed(profile))


def _updated(profile: Profile, zoo: Zoo, *, as_json: bool) -> Release | None:
    """The newest release of the index if it has just been installed; None if it was here already."""
    available = [r for r in zoo.available(profile) if not parse_version(r).is_prerelease]
    newest = max(available, key=parse_version, default="")
    here = [release.version for release in (*zoo.own(profile), *zoo.installed(profile))]
    release = None
    if newest and not any(is_same_release(newest, other) for other in here):
        if not as_json:
            echo(f"installing {profile.product}@{newest} …", err=True)
        release = zoo.add(profile.product, newest)
    if as_json:
        echo(json.dumps({"product": profile.product, "newest": newest, "is_new": release is not None}))
    else:
        echo(f"{profile.product}: {newest} " + ("installed" if release else "is here already"))
    return release
