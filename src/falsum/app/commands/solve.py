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
    word = judge(script, answers)
    click.echo(json.dumps({"file": file, "word": word}) if as_json else word)
    if _contradiction(answers) or any(answer.crashed for answer in answers.values()):
        context.exit(_FOUND)


def judge(script: str, answers: dict[str, Answer]) -> str:
    """The word on all answers together.

    Without an evaluator the answers are only compared; who is wrong is decided here as soon as a model
    given by one of them can be evaluated on the script.
    """
    del script
    if pair := _contradiction(answers):
        one, other = pair
        return f"{one} says {answers[one].verdict} and {other} says {answers[other].verdict}"
    said = {answer.verdict for answer in answers.values() if answer.verdict and answer.verdict.decided}
    return f"all that decide say {said.pop()}" if said else "nobody decides"


def _contradiction(answers: dict[str, Answer]) -> tuple[str, str] | None:
    """Two solvers of which one says sat and the other unsat to the same check."""
    named = list(answers.items())
    for place, (one, first) in enumerate(named):
        for other, second in named[place + 1 :]:
            pairs = zip(first.verdicts, second.verdicts, strict=False)
            if any(left.contradicts(right) for left, right in pairs):
                return one, other
    return None


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
