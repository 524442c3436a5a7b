"""`falsum bisect`: which releases of a product show a finding."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table

from falsum.app import options
from falsum.app.finding_paths import home_of
from falsum.app.report import files
from falsum.campaign import config
from falsum.campaign.triage import result
from falsum.campaign.triage.bisection import Bisection, bisect, sentence
from falsum.campaign.triage.job import Job
from falsum.campaign.triage.release_answers import Prober, readable
from falsum.campaign.triage.steps import triage
from falsum.campaign.triage.symptom import Kind, Symptom
from falsum.errors import SurroundingsError, UsageError
from falsum.oracles.judge.judge import judge
from falsum.smtlib.lexer import decode
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.options import Setting
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.request import Want
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


@click.command()
@click.argument("name", metavar="FINDING|FILE")
@click.option("--product", metavar="P", help="Whose releases; by default the suspect's.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("falsum-out"), metavar="DIR", help="The store."
)
@click.option("--expect", type=click.Choice(["sat", "unsat"]), help="What is right, for a FILE.")
@click.option(
    "--jobs", "-j", type=click.IntRange(1), metavar="N", help="Releases at once; default: all cores."
)
@click.option("--install", is_flag=True, help="Install releases until the first bad one is known.")
@click.option("--all", "exhaustive", is_flag=True, help="Install every release there is.")
@click.option("--timeout", type=float, metavar="S", help="Seconds for each release.")
@click.option("--memory", type=int, metavar="MB", help="Megabytes for each release.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, and nothing else.")
@options.plugin
def command(
    name: str,
    product: str | None,
    out: Path,
    expect: str | None,
    jobs: int | None,
    timeout: float | None,
    memory: int | None,
    *,
    install: bool,
    exhaustive: bool,
    as_json: bool,
) -> None:
    """Ask every installed release of a product, and tell the first bad, the last good, and the fix.

    FINDING is the name of a finding in the store or its folder; it is triaged first if it was not. For a FILE
    it is a crash, or the verdict that is not the one expected; without --expect the judge decides which.
    Answers are kept, so asking again costs only what is new.
    """
    limits = config.read().limits_with(timeout, memory)
    workers = jobs or len(os.sched_getaffinity(0))
    installs = install or exhaustive
    zoo = Zoo()
    if (home := _finding(name, out)) is not None:
        script, symptom, product, settings = _of_finding(home, product, limits)
    else:
        if product is None:
            raise UsageError("say --product for a file")
        script, settings = _text(name), ()
        symptom = _of_file(script, _known(product), expect, limits, zoo, workers)
    with Prober(_known(product), script, symptom, limits, settings=settings, zoo=zoo) as prober:
        tell = (lambda row: click.echo(f"{row.release}: {row.said}", err=True)) if installs else None
        found = bisect(prober, workers, install=installs, exhaustive=exhaustive, found=tell)
    if home is not None:
        _keep(home, found)
    _show(found, as_json=as_json)


def _keep(home: Path, found: Bisection) -> None:
    """In the finding's folder, and in its report if it is about this product."""
    result.keep(home, result.BISECTION, found)
    made = result.read(home)
    if made is not None and made.product == found.product:
        result.keep(home, result.TRIAGE, msgspec.structs.replace(made, bisection=found))
        files.write(home)


def _known(product: str) -> str:
    if product not in BY_PRODUCT:
        raise UsageError(f"unknown product {product!r}; known are {', '.join(BY_PRODUCT)}")
    return product


def _finding(name: str, out: Path) -> Path | None:
    """The folder of a finding; None if the name is a file's."""
    return None if Path(name).is_file() else home_of(name, out)


def _of_finding(
    home: Path, product: str | None, limits: Limits
) -> tuple[str, Symptom, str, tuple[Setting, ...]]:
    made = triage(Job(str(home), config.read().solvers, limits.seconds, limits.memory, bisects=False))
    if made.symptom is None:
        raise UsageError(f"{home.name}: {made.judgement.defect}; there is no symptom to look for in releases")
    settings = resolve(made.suspect, Zoo()).settings if made.product == (product or made.product) else ()
    return made.script, made.symptom, product or made.product, settings


def _of_file(script: str, product: str, expect: str | None, limits: Limits, zoo: Zoo, jobs: int) -> Symptom:
    """What is wrong with the answers of some releases to a script."""
    if expect is not None:
        return Symptom(Kind.WRONG_VERDICT, truth=Verdict(expect))
    with Prober(product, script, Symptom(Kind.CRASH), limits, zoo=zoo) as prober:
        releases = readable(zoo, prober.profile)
        prober.rows(releases, jobs)
        answers = {release.name: prober.answer(release) for release in releases}
    if not answers:
        raise SurroundingsError(f"no release of {product} is installed; try: falsum solvers add {product}")
    crashed = [answer for answer in answers.values() if answer.crashed]
    if crashed:
        return Symptom(Kind.CRASH, message=crashed[-1].ending.message)
    return _contradiction(script, answers, limits, zoo)


def _contradiction(script: str, answers: Mapping[str, Answer], limits: Limits, zoo: Zoo) -> Symptom:
    """The first check at which releases contradict each other; the judge hears one of each side."""
    last = list(answers)[-1]
    for check in range(max(len(answer.verdicts) for answer in answers.values())):
        sides: dict[Verdict, str] = {}
        for name, answer in answers.items():
            if check < len(answer.verdicts) and answer.verdicts[check].decided:
                sides[answer.verdicts[check]] = name
        if len(sides) < 2:
            continue
        names = dict.fromkeys((*sides.values(), last, *config.DEFAULT_SOLVERS))
        with LiveLab([resolve(name, zoo) for name in names], limits) as lab:
            judged = judge(script, tuple(sides.values()), tuple(names), lab, check=check)
        if judged.truth is None:
            raise UsageError(f"{judged}; say --expect")
        click.echo(f"falsum: {judged}", err=True)
        return Symptom(Kind.WRONG_VERDICT, Want.VERDICT, check, judged.truth)
    raise UsageError("all releases that decide agree, and none crashes; say --expect if all are wrong")


def _show(found: Bisection, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(found.plain()))
        return
    table = Table(box=None, pad_edge=False)
    for title in ("release", "from", "", "answer", "s"):
        table.add_column(title, overflow="fold")
    for row in found.rows:
        table.add_row(row.release, row.origin, str(row.standing), row.said, f"{row.seconds:.2f}")
    console = Console(file=sys.stdout, highlight=False, markup=False)
    console.print(table)
    click.echo(sentence(found))


def _text(file: str) -> str:
    try:
        return decode(Path(file).read_bytes(), file)
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror}") from error
