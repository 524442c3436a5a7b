"""`falsum reduce`: makes a script small while it shows the same defect, or a command ends the same way."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from falsum.app import exit_codes, options, script_files
from falsum.app.configuration import read_config
from falsum.app.library import replay_trace
from falsum.app.library.reduce_trace import reduce_trace
from falsum.app.own_script import own_case
from falsum.app.terminal import echo, echo_exactly
from falsum.campaign.config import Config
from falsum.campaign.triage.command_predicate import CommandPredicate
from falsum.ddmin import Predicate
from falsum.defects.case import Case
from falsum.defects.diagnosis import Diagnosis, diagnose
from falsum.defects.evidence.judgement import Defect
from falsum.defects.recheck import shows
from falsum.defects.same_defect import Kept, SameDefect
from falsum.defects.table import kind_named
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.errors import FalsumError, SurroundingsError, UsageError
from falsum.printable import printable
from falsum.reducer import Budget, Progress, Reduction, StopReason, reduce
from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import ColdLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

# With --slower-than, a solver is stopped after so many times as much CPU time, or wall time.
_SLOW_FACTOR: Final = 1.2
_BUSY_FACTOR: Final = 4.0


class _Reducible(NamedTuple):
    """A script, tests whether another script shows the same (warm, and in fresh processes), and how to print
    it.
    """

    text: str
    predicate: Predicate
    confirm: Predicate | None
    finish: Callable[[str], str]


@click.command()
@click.argument("file", metavar="FILE|TRACE")
@options.solver("Solver whose wrong answer must stay")
@click.option(
    "--command", "command_line", metavar="CMD",
    help="Command whose exit status must stay the same; {} stands for the file.",
)  # fmt: skip
@click.option("--match-out", metavar="PATTERN", help="Pattern that the command's standard output must match.")
@click.option(
    "--match-err", metavar="PATTERN",
    help="Pattern that the command's standard error must match; with a TRACE, one that the message of the"
    " failure must match (default: the same message).",
)  # fmt: skip
@click.option(
    "--ignore-err", metavar="PATTERN",
    help="With a TRACE: pattern of the parts of the failure's message that may differ (default: only"
    " numbers, names and terms).",
)  # fmt: skip
@click.option(
    "--slower-than", type=options.duration, metavar="TIME",
    help="Keep every --solver taking more CPU time than this, e.g. 10s, whatever it answers.",
)  # fmt: skip
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the result to FILE, not standard output.",
)
@click.option(
    "--jobs", "-j", type=click.IntRange(1, 512), default=1, show_default=True, metavar="N",
    help="Number of tests at a time.",
)  # fmt: skip
@options.limit("Time limit for one run of a solver or of the command, e.g. 2.5s or 1m (default 10s).")
@options.megabytes("Memory limit for each solver or for the command, in MB (default 2048).")
@click.option("--tests", type=click.IntRange(1), metavar="N", help="Stop after N tests.")
@options.seconds("Stop after this time, e.g. 90s, 10m, 1h30m.")
@options.config
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object with script and statistics.")
@options.input_limits
@options.trust
@options.fence
@options.build
@options.plugin
@click.pass_context
def command(
    context: click.Context,
    file: str,
    names: tuple[str, ...],
    command_line: str | None,
    match_out: str | None,
    match_err: str | None,
    ignore_err: str | None,
    slower_than: float | None,
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
    """Make a script or trace small while it shows the same defect.

    A TRACE of `falsum api` is reduced while it fails in the same way, on its own library or on that of
    --solver. A script keeps the defect in the answers of --solver, as `falsum solve` judges it with the
    configured solvers as references; if there is no defect, it keeps the answers. With --command it keeps the
    exit status and output of a command. Every candidate is well-sorted. Ctrl-C keeps the smallest candidate
    so far (exit code 130). Exit code 1 if the final result does not show the same when it is tested again.
    """
    if (trace := replay_trace.trace_in(file, required=False)) is not None:
        if command_line is not None or jobs > 1 or match_out or slower_than is not None:
            raise UsageError(
                "a trace is reduced on a library while it fails in the same way: use --solver, not --command,"
                " --match-out, --slower-than or --jobs"
            )
        if match_err is not None and ignore_err is not None:
            raise UsageError("use either --match-err or --ignore-err")
        budget, more = Budget(tests, seconds), (match_err, ignore_err, config_file)
        context.exit(reduce_trace(trace, names, budget, timeout, memory, out, *more, as_json=as_json))
    if ignore_err is not None:
        raise UsageError("--ignore-err requires a trace")
    if bool(names) == (command_line is not None):
        raise UsageError("use either --solver or --command")
    if names and (match_out is not None or match_err is not None):
        raise UsageError("--match-out and --match-err require --command")
    if slower_than is not None and not names:
        raise UsageError("--slower-than requires --solver")
    settings = read_config(config_file)
    limits = settings.limits_with(timeout, memory)
    if slower_than is not None:
        # Nobody has to wait for an answer that is slow enough already.
        limits = replace(limits, seconds=_BUSY_FACTOR * slower_than, cpu=_SLOW_FACTOR * slower_than)
    text = script_files.read_text(file)
    read_script(text, file)
    if command_line is not None:
        reduction: Any = _of_command(command_line, text, limits, match_out, match_err)
    else:
        reduction = _of_solvers(settings.solvers_with(names), settings, text, limits, slower_than)
    _make_room(out)
    budget = Budget(tests, seconds)
    with reduction as (shown, predicate, confirm, finish), _progress() as progress:
        script = read_script(shown, file)
        result = reduce(script, predicate, jobs=jobs, budget=budget, confirm=confirm, progress=progress)
        try:
            result = replace(result, text=finish(result.text))
        except (FalsumError, KeyboardInterrupt) as error:  # the small script is worth more
            echo(f"falsum: the result does not ask for what is wrong: {error or 'interrupted'}", err=True)
    _write(result, out, as_json=as_json)
    if result.stop is StopReason.INTERRUPTED:
        context.exit(exit_codes.INTERRUPTED)
    if result.is_flaky:
        context.exit(exit_codes.FOUND)


@contextmanager
def _of_command(
    line: str, text: str, limits: Limits, match_out: str | None, match_err: str | None
) -> Iterator[_Reducible]:
    """The script, and a test whether another one makes the command end the same way; it runs with our
    environment.
    """
    with CommandPredicate(
        line,
        text,
        directory=str(Path.cwd()),
        env=dict(os.environ),
        limits=limits,
        match_out=match_out,
        match_err=match_err,
    ) as predicate:
        kept_text = f"keeping exit status {predicate.wanted.status}"
        echo(
            f"falsum: {kept_text}; the command gets scripts as they are and runs without the fence", err=True
        )
        yield _Reducible(text, predicate, None, str)


@contextmanager
def _of_solvers(
    names: tuple[str, ...], settings: Config, text: str, limits: Limits, slower_than: float | None
) -> Iterator[_Reducible]:
    """The script that shows the defect, and tests whether another one does, warm and in fresh processes."""
    zoo = Zoo()
    names_given = tuple(dict.fromkeys(names))
    references = tuple(name for name in settings.solvers_with() if name not in names_given)
    solvers = {name: resolve(name, zoo) for name in names_given}
    case = own_case("", text)
    if slower_than is not None:
        target_kept = Kept(Target(Defect.SLOW, seconds=slower_than), names_given)
    else:
        solvers |= {name: resolve(name, zoo) for name in references}
        with LiveLab(solvers.values(), limits) as lab:
            case, target_kept = _kept(diagnose(case, lab, suspects=names_given), names_given, lab)
        if case.text != text:
            echo(
                f"falsum: the model of check {len(case.checks)} is invalid; later checks are left out",
                err=True,
            )
    suspects = _asked(target_kept, names_given, tuple(solvers))
    labs = partial(LiveLab, [solvers[name] for name in suspects])
    with SameDefect(case, target_kept, labs, limits) as predicate:
        echo(f"falsum: keeping {predicate}", err=True)
        yield _Reducible(case.text, predicate, predicate.cold, partial(_finished, predicate, solvers))


def _kept(diagnosis: Diagnosis, names_given: tuple[str, ...], lab: LiveLab) -> tuple[Case, Kept]:
    """The defect in the answers of the named solvers; if there is none, the answers themselves."""
    target, case = diagnosis.target, diagnosis.case
    rejects = [name for name in names_given if diagnosis.answers[name].ending.kind is EndingKind.REJECTED]
    if len(rejects) == len(names_given):
        raise UsageError("no solver accepts the script")
    if target is None:
        echo("falsum: nothing is known to be wrong with the answers, so they are kept as they are", err=True)
        answers = {name: diagnosis.answers[name] for name in names_given}
        return case, Kept(None, (), {name: (a.ending.kind, a.verdicts) for name, a in answers.items()})
    wrong = tuple(name for name in names_given if name in diagnosis.is_about) or (diagnosis.suspect,)
    lab_cold = ColdLab(lab, again=False)
    suspects = tuple(s for s in wrong if shows(target, case, s, lab_cold).standing is Standing.BAD)
    others = [name for name in names_given if name not in suspects and name not in target.references]
    endings: dict[str, tuple[EndingKind, tuple[Verdict, ...] | None]] = {}
    if target.truth is None and not kind_named(target.defect).needs_oracle:
        endings = {name: (diagnosis.answers[name].ending.kind, None) for name in others}
    return case, Kept(target, suspects, endings)


def _finished(predicate: SameDefect, solvers: Mapping[str, Solver], text: str) -> str:
    """The script with the commands that ask for what was wrong: a model, a core, an optimum."""
    wrong = predicate.wrong_request(text)
    return text if wrong is None else solvers[wrong.solver].prepare(wrong.script, wrong.want).text


def _asked(target_kept: Kept, names_given: tuple[str, ...], all_names: tuple[str, ...]) -> tuple[str, ...]:
    """The solvers on which every candidate is run."""
    if target_kept.target is None:
        return names_given
    if kind_named(target_kept.target.defect).needs_oracle and target_kept.target.oracle:
        return all_names
    return tuple(dict.fromkeys((*target_kept.suspects, *target_kept.target.references, *target_kept.endings)))


@contextmanager
def _progress() -> Iterator[Callable[[Progress], None] | None]:
    """A progress line, on terminals only."""
    if not sys.stderr.isatty():
        yield None
        return

    def show(progress: Progress) -> None:
        line = f"{progress.tests:6} tests  {progress.length:8} bytes  {progress.at}"
        click.echo(f"\r\x1b[K{printable(line)}", err=True, nl=False)

    yield show
    click.echo("\r\x1b[K", err=True, nl=False)


def _make_room(out: Path | None) -> None:
    """Check that the result can be written before any work is done for it."""
    if out is None:
        return
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        place = out if out.exists() else out.parent
    except (OSError, ValueError) as error:
        raise SurroundingsError(f"{out}: {getattr(error, 'strerror', None) or error}") from error
    if out.is_dir():
        raise UsageError(f"{out} is a directory; --out names a file")
    if not os.access(place, os.W_OK):
        raise SurroundingsError(f"{place}: no permission to write")


def _write(result: Reduction, out: Path | None, *, as_json: bool) -> None:
    if out is not None:
        try:
            out.write_text(result.text, encoding="utf-8", errors="surrogateescape")
        except OSError as error:
            # Nobody wants to wait for it again.
            echo(f"falsum: {out}: {error.strerror}; the result follows on standard output", err=True)
            out = None
    if as_json:
        echo(json.dumps(asdict(result) | {"stop": result.stop.name.lower()}))
        return
    if out is None:
        echo_exactly(result.text)
    echo(
        f"falsum: {result.length_before} → {len(result.text)} bytes in {result.tests} tests"
        f" and {result.seconds:.1f} s; {result.stop.value}",
        err=True,
    )
    if result.is_flaky:
        echo("falsum: flaky: tested again, the smallest script did not give the same answer", err=True)
