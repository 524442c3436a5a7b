"""`falsum solve`: every solver's answer to a script, side by side."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falsum.campaign import config
from falsum.errors import SurroundingsError
from falsum.oracles.in_force import until_check
from falsum.oracles.judge import proves_sat, refuted
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.question import Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

if TYPE_CHECKING:
    from falsum.solvers.answer import Answer
    from falsum.solvers.limits import Limits

_FOUND = 1


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--solver", "-s", "names", multiple=True, metavar="S", help="A solver; may be given several times."
)
@click.option("--timeout", type=float, metavar="S", help="Seconds for each solver.")
@click.option("--memory", type=int, metavar="MB", help="Megabytes for each solver.")
@click.option("--model", "want", flag_value=Want.MODEL, type=Want, help="Ask for a model too.")
@click.option("--core", "want", flag_value=Want.CORE, type=Want, help="Ask for an unsat core too.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Instead of ./falsum.toml.")
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON line a solver and one for the word, nothing else."
)
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
    """Ask every solver, each in a fresh process, and compare what they say; - is standard input.

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
    word = judge(script, answers, _models(script, solvers, answers, limits))
    click.echo(json.dumps({"file": file, "word": word}) if as_json else word)
    if _contradiction(answers) or any(answer.crashed for answer in answers.values()):
        context.exit(_FOUND)


def judge(script: str, answers: dict[str, Answer], models: dict[str, str]) -> str:
    """The word on all answers together: who is wrong, if a model of one of them decides it.

    `models` has, of solvers that say sat to the check in question, the models they give there.
    """
    clash = _contradiction(answers)
    if clash is None:
        said = {answer.verdict for answer in answers.values() if answer.verdict and answer.verdict.decided}
        return f"all that decide say {said.pop()}" if said else "nobody decides"
    check, sat, unsat = clash
    for solver, model in models.items():
        if proves_sat(script, check, model):
            wrong = _named(answers, check, Verdict.UNSAT)
            return f"{wrong} is wrong: the model of {solver} satisfies every assertion"
    if false := refuted(script, check):
        wrong = _named(answers, check, Verdict.SAT)
        return f"{wrong} is wrong: no symbol is declared, and false is {false}"
    return f"{sat} says sat and {unsat} says unsat; no model decides it"


def _contradiction(answers: dict[str, Answer]) -> tuple[int, str, str] | None:
    """The first check to which one solver says sat and another unsat, and the two."""
    for check in range(max((len(answer.verdicts) for answer in answers.values()), default=0)):
        said = {name: _says(answer, check) for name, answer in answers.items()}
        sat = [name for name, verdict in said.items() if verdict is Verdict.SAT]
        unsat = [name for name, verdict in said.items() if verdict is Verdict.UNSAT]
        if sat and unsat:
            return check, sat[0], unsat[0]
    return None


def _named(answers: dict[str, Answer], check: int, verdict: Verdict) -> str:
    return ", ".join(name for name, answer in answers.items() if _says(answer, check) is verdict)


def _says(answer: Answer, check: int) -> Verdict | None:
    return answer.verdicts[check] if check < len(answer.verdicts) else None


def _models(script: str, solvers: list[Solver], answers: dict[str, Answer], limits: Limits) -> dict[str, str]:
    """Models from those who say sat where another says unsat."""
    clash = _contradiction(answers)
    if clash is None:
        return {}
    asked = until_check(script, clash[0])
    found = {}
    for solver in solvers:
        if _says(answers[solver.name], clash[0]) is Verdict.SAT:
            model = _ask(solver, asked, limits, Want.MODEL)[0].model
            if model is not None:
                found[solver.name] = model
    return found


def _ask(solver: Solver, script: str, limits: Limits, want: Want) -> tuple[Answer, tuple[str, ...]]:
    with LiveLab([solver], limits) as lab:
        changes = lab.question(solver.name, script, want).changes
        return lab.ask(solver.name, script, want, cold=True), changes


def _show(file: str, solver: Solver, answer: Answer, changes: tuple[str, ...], *, as_json: bool) -> None:
    if as_json:
        line = {"file": file, "solver": solver.name, "version": solver.version, **answer.plain()}
        click.echo(json.dumps(line | {"changes": changes}))
        return
    said = " ".join(verdict for verdict in answer.verdicts) or "nothing"
    ending = "" if answer.finished else f"  {answer.ending}"
    click.echo(f"{solver.name}  {said}  {answer.seconds:.2f} s{ending}")
    for change in changes:
        click.echo(f"{solver.name}: {change}", err=True)
    for text in (answer.model, answer.core):
        if text is not None:
            click.echo(text)


def _text(file: str) -> str:
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror}") from error
    return data.decode(errors="surrogateescape")
