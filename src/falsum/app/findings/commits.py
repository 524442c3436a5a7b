"""`falsum bisect --git`: finds the commit that introduced a finding, or fixed it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path, PurePath

import msgspec

from falsum.app import script_files
from falsum.app.own_script import own_case
from falsum.app.report import files
from falsum.app.terminal import echo
from falsum.campaign.lifecycle.builds import BuildCommand
from falsum.campaign.lifecycle.commit_bisection import CommitBisection, CommitSearch
from falsum.campaign.lifecycle.finding_check import FindingCheck, ScriptCheck, check_of
from falsum.campaign.lifecycle.git_repository import GitRepository
from falsum.campaign.triage import result
from falsum.campaign.triage.releases import ReleaseRow
from falsum.defects.kinds.crash import CRASH_KIND
from falsum.defects.targets.target import Target
from falsum.errors import UsageError
from falsum.printable import printable
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT, GENERIC, Profile, profile_of_program
from falsum.solvers.request import Request
from falsum.solvers.zoo import Zoo


@dataclass(frozen=True, slots=True)
class CommitsToBisect:
    """The options of the command line."""

    repository: Path
    build: str
    program: str
    good: str
    bad: str


def bisect_commits(
    name: str,
    folder: Path | None,
    commits: CommitsToBisect,
    target: Target | None,
    product: str | None,
    limits: Limits,
    *,
    as_json: bool,
) -> None:
    """Bisect a finding in a folder, or a file; print the result and keep it with the finding."""
    repository = GitRepository(commits.repository)
    profile = _profile(folder, commits, product)
    command = BuildCommand(commits.build, commits.program, profile.programs)
    key, check = _check(name, folder, target, limits, profile)

    def tell(row: ReleaseRow) -> None:
        echo(f"{row.release}: {row.standing}: {printable(row.said)}", err=True)

    if check is None:
        search = CommitSearch(repository, command, _NoCheck(profile.product), profile, key)
        check = _crash_check(key, search, commits.bad, limits, profile)
    search = CommitSearch(repository, command, check, profile, f"{key}\0{check!r}", tell=tell)
    bisection = search.run(commits.good or _last_good(folder, repository), commits.bad)
    if folder is not None and bisection.commit is not None:
        _keep(folder, bisection)
    echo(json.dumps(msgspec.to_builtins(bisection)) if as_json else printable(bisection.text))


@dataclass(frozen=True, slots=True)
class _NoCheck:
    """Checks nothing; for a search that only builds."""

    product: str

    def row(self, solver: object) -> ReleaseRow:
        raise UsageError(f"nothing to ask {solver}")


def _profile(folder: Path | None, commits: CommitsToBisect, product: str | None) -> Profile:
    triage = result.read(folder) if folder is not None else None
    if product is None and triage is not None:
        product = triage.product
    if product is not None and product != GENERIC.product:
        if product not in BY_PRODUCT:
            raise UsageError(f"unknown product {product!r}; choose from {', '.join(BY_PRODUCT)}")
        return BY_PRODUCT[product]
    if not commits.program:
        raise UsageError("name what the command builds with --program, or the product with --product")
    return profile_of_program(PurePath(commits.program).name)


def _check(
    name: str, folder: Path | None, target: Target | None, limits: Limits, profile: Profile
) -> tuple[str, FindingCheck | None]:
    """The digest of the question and its check; None for a file with no stated defect."""
    if folder is not None:
        triage = result.read(folder)
        assert triage is not None  # the command has it triaged
        return triage.script, check_of(folder, limits, Zoo())
    script = script_files.read_text(name)
    if target is None:
        return script, None
    case = own_case(name, script)
    return script, ScriptCheck(profile.product, case, target.on(script), limits)


def _crash_check(
    script: str, search: CommitSearch, bad: str, limits: Limits, profile: Profile
) -> ScriptCheck:
    """The check of a file with no stated defect: the bad commit has to crash."""
    solver = search.built(bad)
    with LiveLab([solver], limits) as lab:
        answer = lab.ask(Request(solver.name, script, cold=True))
    if not answer.crashed:
        raise UsageError(f"{bad} does not crash; say what is wrong with --expect, --slower-than or --unknown")
    target = Target(CRASH_KIND.name, message=answer.ending.message).on(script)
    return ScriptCheck(profile.product, own_case("", script), target, limits)


def _last_good(folder: Path | None, repository: GitRepository) -> str:
    """The tag of the last good release, if releases were bisected."""
    triage = result.read(folder) if folder is not None else None
    if triage is not None and triage.bisection is not None and triage.bisection.last_good:
        tag = repository.tag_of(triage.bisection.last_good, triage.product)
        if tag:
            return tag
    raise UsageError("name a commit that does not show it with --good")


def _keep(folder: Path, bisection: CommitBisection) -> None:
    """Save the commit with the finding, and in its report."""
    triage = result.read(folder)
    assert triage is not None
    assert bisection.commit is not None
    others = tuple(commit for commit in triage.commits if commit.is_fix != bisection.commit.is_fix)
    commits = tuple(sorted((*others, bisection.commit), key=lambda commit: commit.is_fix))
    result.write(folder, result.TRIAGE, msgspec.structs.replace(triage, commits=commits))
    files.write(folder)
