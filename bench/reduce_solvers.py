"""Reduction with solvers kept warm, on scripts that show known bugs of old releases, grown to a larger size.

    python -m bench.reduce_solvers TRIGGERS --old z3@4.8.10.0 --new z3 [--grow SEEDS] [--ddsmt PROGRAM]

Every script in TRIGGERS on which the old release crashes, contradicts the new one or gives a wrong model is
grown with assertions of scripts in SEEDS (their names changed) as long as it shows the same, then reduced.
With `--ddsmt`, disagreements are also reduced by ddSMT, whose predicate starts both solvers for every test.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import click
from bench.growing import Prefix

from falsum.campaign.triage.predicate import SameFinding, target_of
from falsum.errors import FalsumError
from falsum.reducer import reduce
from falsum.reducer.command_terms import INTRODUCING
from falsum.reducer.outline import Outline
from falsum.smtlib import Script, print_script, read_file, read_script
from falsum.smtlib.lexer import decode
from falsum.smtlib.scripts import Assert, CheckSat, DeclareDatatypes, DeclareSort, DefineSort
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

_PREDICATE = """
import subprocess, sys
def words(*argv):
    try:
        done = subprocess.run([*argv, sys.argv[1]], capture_output=True, text=True, timeout={seconds})
    except subprocess.TimeoutExpired:
        return []
    said = [w for w in done.stdout.split() if w in ("sat", "unsat", "unknown")]
    return [] if "(error" in done.stdout else said
sys.exit(any(pair == {wanted!r} for pair in zip(words(*{old!r}), words(*{new!r}))))
"""


_MOST_TRIED = 60


def _padding(seeds: Path, most: int) -> Iterator[tuple[object, ...]]:
    """Declarations and assertions of one seed after the other; those with sorts of their own are left out."""
    for number, file in enumerate(sorted(seeds.glob("**/*.smt2"))):
        if file.stat().st_size > most:
            continue
        try:
            made = Prefix(f"s{number}_").script(read_file(file))
        except (FalsumError, OSError):
            continue
        own = (DeclareSort, DefineSort, DeclareDatatypes)
        if made is not None and not any(isinstance(command, own) for command in made.commands):
            yield tuple(c for c in made.commands if isinstance(c, (Assert, *INTRODUCING)))


def grown(text: str, predicate: SameFinding, seeds: Path, size: int) -> str:
    """The script with assertions of seeds in front of its first check, as long as it shows the same."""
    script = read_script(text)
    for tried, more in enumerate(_padding(seeds, size)):
        at = next((n for n, c in enumerate(script.commands) if isinstance(c, CheckSat)), len(script.commands))
        wider = Script((*script.commands[:at], *more, *script.commands[at:]))  # type: ignore[arg-type]
        candidate = print_script(wider)
        if predicate(candidate):
            script = wider
        if len(print_script(script)) >= size or tried >= _MOST_TRIED:
            break
    return print_script(script)


def with_ddsmt(program: str, text: str, predicate: SameFinding, solvers: list[Solver], seconds: float) -> str:
    """What ddSMT makes of it: bytes and CPU seconds."""
    words = [list(s.cold_program(s.prepare(text, Want.VERDICT)).argv) for s in solvers]
    references = predicate.target.references
    wanted = tuple("sat" if s.name in references else "unsat" for s in solvers)
    with tempfile.TemporaryDirectory() as folder:
        given, out, code = (Path(folder, name) for name in ("in.smt2", "out.smt2", "predicate.py"))
        given.write_text(text)
        code.write_text(_PREDICATE.format(seconds=seconds, wanted=wanted, old=words[0], new=words[1]))
        before = os.times()
        command = [program, "-j", "1", "--ignore-output", str(given), str(out), sys.executable, str(code)]
        subprocess.run(command, capture_output=True, check=False)
        after = os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        left = out.stat().st_size if out.exists() else -1
    return f"ddSMT {left} bytes {cpu:.1f} s CPU"


@click.command()
@click.argument("triggers", type=click.Path(exists=True, path_type=Path))
@click.option("--old", required=True, help="The release with the bugs.")
@click.option("--new", required=True, help="The reference.")
@click.option("--grow", type=click.Path(exists=True, path_type=Path), help="Seeds to grow the scripts with.")
@click.option("--size", default=5000, show_default=True, help="Bytes to grow to.")
@click.option("--count", default=20, show_default=True, help="How many scripts.")
@click.option("--match", default="*.smt2", show_default=True, help="Which files.")
@click.option("--timeout", default=5.0, show_default=True)
@click.option("--ddsmt", help="The program ddsmt, to compare.")
def main(
    triggers: Path,
    old: str,
    new: str,
    grow: Path | None,
    size: int,
    count: int,
    match: str,
    timeout: float,
    ddsmt: str | None,
) -> None:
    """Measure reduction with our own solvers."""
    solvers = [resolve(name, Zoo()) for name in (old, new)]
    done = 0
    for file in sorted(triggers.glob(match)):
        if done >= count:
            break
        labs: list[LiveLab] = []

        def lab(limits: Limits, labs: list[LiveLab] = labs) -> LiveLab:
            labs.append(LiveLab(solvers, limits))
            return labs[-1]

        try:
            text = decode(file.read_bytes())
            limits = Limits(seconds=timeout)
            target = target_of(lab, text, limits)
            if not target.symptoms:
                continue
            with SameFinding(text, target, lab, limits) as predicate:
                done += 1
                script = read_script(grown(text, predicate, grow, size) if grow else text)
                places = len(Outline(script).nodes)
                spent = sum(one.usage.cpu for one in labs)
                kind = next(iter(target.symptoms.values())).kind
                started = time.process_time()
                result = reduce(script, predicate, confirm=predicate.cold)
                cpu = time.process_time() - started + sum(one.usage.cpu for one in labs) - spent
                click.echo(
                    f"{file.name:32} {kind:14} {result.length_before:6} bytes"
                    f" {places:6} places → {len(result.text):5} bytes {result.tests:5} tests"
                    f" {cpu:6.1f} s CPU {result.seconds:6.1f} s"
                    f"{'' if result.is_confirmed else '  NOT CONFIRMED'}"
                    f"{'  FLICKERS' if result.is_flaky else ''}"
                )
                if ddsmt and target.truth is not None:
                    seconds = predicate.limits.seconds
                    click.echo(
                        f"{'':32} {with_ddsmt(ddsmt, print_script(script), predicate, solvers, seconds)}"
                    )
        except FalsumError as error:
            click.echo(f"{file.name:32} {error}")


if __name__ == "__main__":
    main()
