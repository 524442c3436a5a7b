"""`falsum report-bug`: judges, reduces, bisects and writes up one script that somebody brings."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import click

from falsum.app import exit_codes, options, script_files
from falsum.app.configuration import read_config
from falsum.app.own_script import own_case, record_in
from falsum.app.report import checklist, files
from falsum.app.terminal import echo, waiting
from falsum.campaign.triage import result
from falsum.campaign.triage.bisection import sentence
from falsum.campaign.triage.job import Job
from falsum.campaign.triage.result import Triage
from falsum.campaign.triage.steps import recognise, triage
from falsum.defects.kinds.invalid_model import models_not_looked_at
from falsum.errors import ScriptError, UsageError
from falsum.smtlib import read_script
from falsum.solvers.answer import Answer
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store.finding_folder import digest_in
from falsum.store.store import Store


@click.command()
@click.argument("file", metavar="FILE")
@options.solver("Solver that seems to be wrong (default: the one that is judged wrong)")
@options.seconds("Time for triage (default 120s).", "120s")
@options.timeout
@options.memory
@click.option("--no-bisect", is_flag=True, help="Do not run other releases.")
@options.out
@options.config
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object to standard output.")
@options.trust
@options.fence
@options.plugin
@click.pass_context
def command(
    context: click.Context,
    file: str,
    names: tuple[str, ...],
    seconds: float,
    timeout: float | None,
    memory: int | None,
    out: Path,
    config_file: Path | None,
    *,
    no_bisect: bool,
    as_json: bool,
) -> None:
    """Make a bug report of a script.

    Runs the solvers in fresh processes, judges who is wrong, makes the script small, runs the other
    releases on this machine, and writes report.md into a folder of its own in DIR. The answers are
    compared with those of the solvers of the configuration. FILE may be - for standard input. Exit code 1
    if something is wrong, 0 if not.
    """
    text = script_files.read_text(file)
    try:
        read_script(text, file)
    except ScriptError as error:
        raise UsageError(f"{error}\ncorrect the script, then: falsum check {shlex.quote(file)}") from error
    settings = read_config(config_file)
    limits = settings.limits_with(timeout, memory)
    names_asked = tuple(dict.fromkeys((*settings.solvers_with(names), *settings.solvers_with())))
    zoo = Zoo()
    solvers = [resolve(name, zoo) for name in names_asked]
    with waiting(f"asking {', '.join(names_asked)}"):
        suspects = settings.solvers_with(names) if names else ()
        record, answers = record_in(file, text, suspects, solvers, limits)
    if record is None:
        _show_nothing(file, text, answers, as_json=as_json)
        return
    with Store(out) as store:
        folder = store.add_finding(record)
    again = result.afresh(folder)
    if not as_json:
        echo(f"{record.kind}: {record.evidence}")
    job = Job(str(again), names_asked, limits.seconds, limits.memory, seconds, bisects=not no_bisect)
    with waiting("judging, reducing and bisecting"):
        triage(job, zoo)
    result.adopt(folder)
    summary = recognise(folder)
    assert summary is not None  # it has just been made
    files.write(folder)
    _show(folder, summary, as_json=as_json)
    context.exit(exit_codes.FOUND)


def _show_nothing(file: str, text: str, answers: dict[str, Answer], *, as_json: bool) -> None:
    words_by_solver = {name: " ".join(answer.words) or str(answer.ending) for name, answer in answers.items()}
    if as_json:
        echo(json.dumps({"file": file, "found": False, "answers": words_by_solver}))
        return
    for name, words in words_by_solver.items():
        echo(f"{name}: {words}")
    echo("nothing wrong: no solver crashes, no model is invalid, and no two verdicts contradict each other")
    if limit := models_not_looked_at(own_case(file, text)):
        echo(f"falsum: {limit}", err=True)


def _show(folder: Path, triage_of_file: Triage, *, as_json: bool) -> None:
    if as_json:
        fields = {"found": True, "folder": str(folder), "report": str(folder / result.REPORT)}
        echo(json.dumps(fields | {"triage": result.counted_from_one(triage_of_file)}))
        return
    echo(f"judged: {triage_of_file.judgement.judgement}")
    if triage_of_file.reduction is not None:
        before, after = triage_of_file.reduction.length_before, triage_of_file.reduction.length
        echo(f"reduced: from {before} to {after} bytes" if after < before else "reduced: already minimal")
    if triage_of_file.bisection is not None:
        echo(f"releases: {sentence(triage_of_file.bisection)}")
    for remark in triage_of_file.remarks:
        echo(f"note: {remark}")
    missing = checklist.missing(files.parts_of(folder))
    echo(f"report {digest_in(folder.name)}: {folder / result.REPORT}")
    echo(f"still missing: {'; '.join(missing)} ({folder / files.CHECKLIST})" if missing else "ready to send")
