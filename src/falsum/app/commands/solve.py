"""`falsum solve`: runs several solvers on a script, compares their answers, and judges contradictions."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING

import click

from falsum.app import options
from falsum.app.terminal import echo
from falsum.campaign import config
from falsum.errors import SurroundingsError
from falsum.oracles.judge.judge import judge
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

if TYPE_CHECKING:
    from falsum.oracles.judge.judgement import Judgement
    from falsum.solvers.answer import Answer
    from falsum.solvers.limits import Limits

_FOUND = 1


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--solver",
    "-s",
    "names",
    multiple=True,
    metavar="S",
    help="Solver to run; repeat for several (default: those of the configuration).",
)
@click.option(
    "--timeout", type=float, metavar="S", help="Time limit for each solver, in seconds (default 10)."
)
@click.option("--memory", type=int, metavar="MB", help="Memory limit for each solver, in MB (default 2048).")
@click.option("--model", "want", flag_value=Want.MODEL, type=Want, help="Also ask for a model.")
@click.option("--core", "want", flag_value=Want.CORE, type=Want, help="Also ask for an unsat core.")
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    help="Configuration file (default ./falsum.toml).",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Write a JSON line per solver, then one with the result."
)
@options.fence
@options.plugin
@click.pass_context
def command(
    context: click.Context,
    file: str,
    names: tuple[str, ...],
    timeout: float | None,
    memory: int | None,
    want: Want | None,
    config_file: Path | None,
    *,
    as_json: bool,
) -> None:
    """Run solvers on a script and compare their answers.

    Each solver runs in a fresh process. FILE may be - for standard input. If two solvers contradict each
    other or one crashes, the judge says which one is wrong and why.

    Exit code 1 if two solvers contradict each other or one crashes.
    """
    settings = config.read(config_file)
    script = _text(file)
    zoo = Zoo()
    solvers = [resolve(name, zoo) for name in dict.fromkeys(settings.solvers_with(names))]
    limits = settings.limits_with(timeout, memory)
    with ThreadPoolExecutor(len(solvers)) as pool:
        asked = pool.map(lambda solver: _ask(solver, script, limits, want or Want.VERDICT), solvers)
        answers: dict[str, Answer] = {}
        for solver, (answer, changes) in zip(solvers, asked, strict=True):
            answers[solver.name] = answer
            _show(file, solver, answer, changes, as_json=as_json)
    if _contradiction(answers) or any(answer.crashed for answer in answers.values()):
        with LiveLab(solvers, limits) as lab:
            judgement = judge(script, (), lab.solvers, lab)
        _show_judgement(file, judgement, as_json=as_json)
        context.exit(_FOUND)
    agreement = _agreement(answers)
    echo(json.dumps({"file": file, "word": agreement}) if as_json else agreement)


def _agreement(answers: dict[str, Answer]) -> str:
    said = {answer.verdict for answer in answers.values() if answer.verdict and answer.verdict.decided}
    return f"all solvers that decide answer {said.pop()}" if said else "no solver decides"


def _show_judgement(file: str, judgement: Judgement, *, as_json: bool) -> None:
    """The defect and the suspects, then the evidence."""
    if as_json:
        line = {
            "file": file,
            "word": str(judgement.defect),
            "suspects": judgement.suspects,
            "truth": judgement.truth,
            "check": judgement.check,
            "evidence": [asdict(each) for each in judgement.evidence],
        }
        echo(json.dumps(line))
        return
    whom = f": {', '.join(judgement.suspects)}" if judgement.suspects else ""
    truth = f" (check {judgement.check + 1} is {judgement.truth})" if judgement.truth else ""
    echo(f"{judgement.defect}{whom}{truth}")
    for each in judgement.evidence:
        echo(each.text)
        if each.details:
            echo(indent(each.details.rstrip(), "    "))


def _contradiction(answers: dict[str, Answer]) -> bool:
    """Whether at some check one solver says sat and another unsat."""
    rows = zip_longest(*(answer.verdicts for answer in answers.values()))
    return any({Verdict.SAT, Verdict.UNSAT} <= set(row) for row in rows)


def _ask(solver: Solver, script: str, limits: Limits, want: Want) -> tuple[Answer, tuple[str, ...]]:
    with LiveLab([solver], limits) as lab:
        answer = lab.ask(Request(solver.name, script, want, cold=True))
    return answer, solver.prepare(script, want).changes


def _show(file: str, solver: Solver, answer: Answer, changes: tuple[str, ...], *, as_json: bool) -> None:
    if as_json:
        line = {"file": file, "solver": solver.name, "version": solver.version, **answer.plain()}
        echo(json.dumps(line | {"changes": changes}))
        return
    said = " ".join(verdict for verdict in answer.verdicts) or "no answer"
    ending = "" if answer.finished else f"  {answer.ending}"
    echo(f"{solver.name}  {said}  {answer.seconds:.2f} s{ending}")
    for change in changes:
        echo(f"{solver.name}: {change}", err=True)
    for text in (answer.model, answer.core):
        if text is not None:
            echo(text)


def _text(file: str) -> str:
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror}") from error
    return data.decode(errors="surrogateescape")
