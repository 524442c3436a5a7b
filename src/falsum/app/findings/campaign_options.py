"""Options of `falsum fuzz` and `falsum api` about findings: baseline, failure, hooks, files for CI."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import click

from falsum.app import options
from falsum.app.report.junit import junit
from falsum.app.report.sarif import sarif
from falsum.app.report.summary import all_summarised
from falsum.app.terminal import echo
from falsum.campaign.lifecycle.baseline import read_baseline
from falsum.campaign.lifecycle.hook import FindingHook
from falsum.campaign.lifecycle.policy import ANY, FindingPolicy, fail_words
from falsum.campaign.plan import Plan
from falsum.defects.identity.known import ATLAS
from falsum.errors import UsageError
from falsum.store.atomic import write_file

# The share of a budget that is fuzzed; the rest is for triage.
_FUZZED_SHARE: Final = 0.75


@dataclass(frozen=True, slots=True)
class FindingOptions:
    """What the user wants done about findings."""

    baseline: Path | None = None
    known: str | None = None
    fail_on: str = ANY
    max_findings: int | None = None
    on_finding: str | None = None
    budget: float | None = None
    junit_file: Path | None = None
    sarif_file: Path | None = None

    @property
    def named_baseline(self) -> str:
        """The baseline as a plan keeps it, by its absolute path; "" for none."""
        return str(self.baseline.absolute()) if self.baseline is not None else ""

    def as_planned(self, plan: Plan) -> FindingOptions:
        """The same options with those that the plan has already, because a resumed campaign has them in its
        store.
        """
        return replace(self, baseline=Path(plan.baseline) if plan.baseline else None, known=plan.known)

    def policy(self) -> FindingPolicy:
        return FindingPolicy(
            baseline=read_baseline(self.baseline) if self.baseline is not None else None,
            knows_atlas=self.known == ATLAS,
            fail_on=fail_words(self.fail_on),
            max_findings=self.max_findings,
            hook=FindingHook(self.on_finding) if self.on_finding else None,
            tell=_tell,
        )

    def seconds(self, seconds: float | None, count: int | None) -> float | None:
        """The time for fuzzing: a part of the budget, if there is one."""
        if self.budget is None:
            return seconds
        if seconds is not None or count is not None:
            raise UsageError("use one of --for, --count and --budget")
        return _FUZZED_SHARE * self.budget

    def write_files(self, folders: list[Path], known_folders: list[Path], seconds: float) -> None:
        """The findings of the campaign in the formats of CI servers."""
        findings = all_summarised(folders, known_folders)
        if self.junit_file is not None:
            write_file(self.junit_file, junit(findings, seconds))
        if self.sarif_file is not None:
            write_file(self.sarif_file, sarif(findings, has_baseline=self.baseline is not None))


def _tell(text: str) -> None:
    echo(f"falsum: {text}", err=True)


def finding_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options to a command, which gets them in one argument, `about`."""

    @functools.wraps(function)
    def command(*arguments: Any, **given: Any) -> Any:
        names = FindingOptions.__dataclass_fields__
        about = FindingOptions(**{name: given.pop(name) for name in names})
        return function(*arguments, about=about, **given)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS: Final = (
    click.option(
        "--baseline", type=click.Path(path_type=Path, exists=True), metavar="STORE",
        help="Report only findings that are not in this directory of campaigns, or in a file written by"
        " `falsum findings export --store`.",
    ),
    click.option(
        "--known", type=click.Choice([ATLAS]),
        help="Name findings that triage recognises as bugs of the atlas, and do not report them as new.",
    ),
    click.option(
        "--fail-on", default=ANY, metavar="KINDS",
        help="Findings that make the exit code 1: refutation, solution, model, crash, any, with commas"
        " between them (default any).",
    ),
    click.option(
        "--max-findings", type=click.IntRange(1), metavar="N", help="Stop after N findings that are new."
    ),
    click.option(
        "--on-finding", metavar="CMD",
        help="Shell command to run for each finding; its directory is in $FALSUM_FINDING.",
    ),
    click.option(
        "--budget", type=options.duration, metavar="TIME",
        help="Stop after this time, triage included; instead of --for.",
    ),
    click.option(
        "--junit", "junit_file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
        help="Write the findings of this campaign as JUnit XML.",
    ),
    click.option(
        "--sarif", "sarif_file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
        help="Write the findings of this campaign as SARIF.",
    ),
)  # fmt: skip
