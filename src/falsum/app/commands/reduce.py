"""`falsum reduce`: make a script small while what it shows stays."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from falsum.app import options
from falsum.campaign import config
from falsum.campaign.triage.answer_predicate import AnswerPredicate
from falsum.campaign.triage.command_predicate import CommandPredicate
from falsum.ddmin import Predicate
from falsum.errors import SurroundingsError, UsageError
from falsum.reducer import Budget, Progress, Reduction, StopReason, reduce
from falsum.smtlib import read_script
from falsum.smtlib.lexer import decode
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

_FLICKERS = 1
_INTERRUPTED = 130


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--solver", "-s", "names", multiple=True, metavar="S", help="Keep what these solvers answer.")
@click.option("--command", "command_line", metavar="CMD", help="Keep how this command ends; {} is the file.")
@click.option("--match-out", metavar="PATTERN", help="The command's output must match this.")
@click.option("--match-err", metavar="PATTERN", help="The command's errors must match this.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Where the small script goes; else to the output."
)
@click.option("--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Tests at once.")
@click.option("--timeout", type=float, metavar="S", help="Seconds for each solver or run of the command.")
@click.option("--memory", type=int, metavar="MB", help="Megabytes for each solver or run of the command.")
@click.option("--tests", type=click.IntRange(1), help="Stop after so many tests.")
@click.option("--for", "seconds", type=click.FloatRange(0), metavar="S", help="Stop after so many seconds.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="Instead of ./falsum.toml.")
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON line with the script and figures, nothing else."
)
@options.plugin
@click.pass_context
def command(
    context: click.Context,
    file: str,
    names: tuple[str, ...],
    command_line: str | None,
    match_out: str | None,
    match_err: str | None,
    out: Path | None,
    jobs: int,
    timeout: float | None,
    memory: int | None,
    tests: int | None,
    seconds: float | None,
    config_file: Path | None,
    *,
    as_json: bool,
) -> None:
    """Make a script small while solvers answer the same, or a command ends the same.

    Every candidate is well-sorted. Ctrl-C keeps the best so far (exit code 130). Exit code 1 if the result
    does not show it again when asked anew.
    """
    if bool(names) == (command_line is not None):
        raise UsageError("give either --solver or --command")
    if names and (match_out is not None or match_err is not None):
        raise UsageError("--match-out and --match-err go with --command")
    settings = config.read(config_file)
    limits = settings.limits_with(timeout, memory)
    text = _text(file)
    script = read_script(text, file)
    if command_line is not None:
        made: Any = _of_command(command_line, text, limits, match_out, match_err)
    else:
        made = _of_solvers(settings.solvers_with(names), text, limits)
    budget = Budget(tests, seconds)
    with made as (predicate, confirm), _progress() as progress:
        result = reduce(script, predicate, jobs=jobs, budget=budget, confirm=confirm, progress=progress)
    _write(result, out, as_json=as_json)
    if result.stop is StopReason.INTERRUPTED:
        context.exit(_INTERRUPTED)
    if result.is_flaky:
        context.exit(_FLICKERS)


@contextmanager
def _of_command(
    line: str, text: str, limits: Limits, match_out: str | None, match_err: str | None
) -> Iterator[tuple[Predicate, Predicate | None]]:
    """The command runs here and with the caller's variables, as if typed."""
    with CommandPredicate(
        line,
        text,
        directory=str(Path.cwd()),
        env=dict(os.environ),
        limits=limits,
        match_out=match_out,
        match_err=match_err,
    ) as predicate:
        click.echo(f"falsum: keeping exit status {predicate.wanted.status}", err=True)
        yield predicate, None


@contextmanager
def _of_solvers(
    names: tuple[str, ...], text: str, limits: Limits
) -> Iterator[tuple[Predicate, Predicate | None]]:
    zoo = Zoo()
    solvers = [resolve(name, zoo) for name in dict.fromkeys(names)]
    with AnswerPredicate(lambda some: LiveLab(solvers, some), text, limits) as predicate:
        click.echo(f"falsum: keeping {predicate.wanted}", err=True)
        yield predicate, predicate.cold


@contextmanager
def _progress() -> Iterator[Callable[[Progress], None] | None]:
    """One line that changes, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return

    def show(progress: Progress) -> None:
        line = f"{progress.tests:6} tests  {progress.length:8} bytes  {progress.at}"
        click.echo(f"\r\x1b[K{line}", err=True, nl=False)

    yield show
    click.echo("\r\x1b[K", err=True, nl=False)


def _write(result: Reduction, out: Path | None, *, as_json: bool) -> None:
    if out is not None:
        try:
            out.write_text(result.text, encoding="utf-8", errors="surrogateescape")
        except OSError as error:
            raise SurroundingsError(f"{out}: {error.strerror}") from error
    if as_json:
        click.echo(json.dumps(asdict(result) | {"stop": result.stop.name.lower()}))
        return
    if out is None:
        click.echo(result.text, nl=False)
    click.echo(
        f"falsum: {result.length_before} → {len(result.text)} bytes in {result.tests} tests"
        f" and {result.seconds:.1f} s; {result.stop.value}",
        err=True,
    )
    if result.is_flaky:
        click.echo("falsum: asked anew, the smallest script did not show it: it flickers", err=True)


def _text(file: str) -> str:
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror}") from error
    return decode(data, file)
