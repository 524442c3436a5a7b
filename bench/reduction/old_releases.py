"""Reduction with warm solvers of scripts that show defects of an old release, optionally grown before.

Every script in TRIGGERS on which the old release crashes, contradicts the new one or gives an invalid model
is grown with assertions of scripts in SEEDS as long as it shows the same, and then reduced. With `--ddsmt`,
disagreements are also reduced by ddSMT, whose predicate starts both solvers for every test.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.command import command_parser
from bench.reduction.script_growth import Prefix

from falsum.defects.case import Case
from falsum.defects.diagnosis import diagnose
from falsum.defects.same_defect import Kept, SameDefect
from falsum.errors import FalsumError
from falsum.reducer import reduce
from falsum.reducer.outline import Outline
from falsum.smtlib import Script, print_script, read_file, read_script
from falsum.smtlib.maps.command_terms import INTRODUCING
from falsum.smtlib.scripts import Assert, CheckSat, DeclareDatatypes, DeclareSort, DefineSort
from falsum.smtlib.text.lexer import decode
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Mutant

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


_MAX_SEEDS = 60


def _padding(seeds: Path, most: int) -> Iterator[tuple[object, ...]]:
    """Declarations and assertions of one seed after the other, except for seeds that declare sorts."""
    for number, file in enumerate(sorted(seeds.glob("**/*.smt2"))):
        if file.stat().st_size > most:
            continue
        try:
            prefix = Prefix(f"s{number}_").script(read_file(file))
        except (FalsumError, OSError):
            continue
        own = (DeclareSort, DefineSort, DeclareDatatypes)
        if prefix is not None and not any(isinstance(command, own) for command in prefix.commands):
            yield tuple(c for c in prefix.commands if isinstance(c, (Assert, *INTRODUCING)))


def grown(text: str, predicate: SameDefect, seeds: Path, size: int) -> str:
    """The script with assertions of seeds before its first check, as long as the predicate holds."""
    script = read_script(text)
    for tried, more in enumerate(_padding(seeds, size)):
        at = next((n for n, c in enumerate(script.commands) if isinstance(c, CheckSat)), len(script.commands))
        wider = Script((*script.commands[:at], *more, *script.commands[at:]))  # type: ignore[arg-type]
        candidate = print_script(wider)
        if predicate(candidate):
            script = wider
        if len(print_script(script)) >= size or tried >= _MAX_SEEDS:
            break
    return print_script(script)


def with_ddsmt(program: str, text: str, predicate: SameDefect, solvers: list[Solver], truth: Verdict) -> str:
    """The result of ddSMT: bytes and CPU seconds."""
    words = [list(s.cold_program(s.prepare(text, Want.VERDICT)).argv) for s in solvers]
    wrong = Verdict.UNSAT if truth is Verdict.SAT else Verdict.SAT
    wanted = tuple(str(wrong if s.name in predicate.kept.suspects else truth) for s in solvers)
    seconds = predicate.limits.seconds
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


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.reduction.old_releases", __doc__)
    made.add_argument("triggers", type=Path, metavar="TRIGGERS", help="directory of .smt2 scripts")
    made.add_argument("--old", required=True, metavar="S", help="the old release, such as z3@4.8.10.0")
    made.add_argument("--new", required=True, metavar="S", help="the release to compare with")
    made.add_argument("--grow", type=Path, metavar="SEEDS", help="grow the scripts with these")
    made.add_argument(
        "--size", type=int, default=5000, metavar="BYTES", help="size to grow to (default 5,000)"
    )
    made.add_argument("--count", type=int, default=20, metavar="N", help="number of scripts (default 20)")
    made.add_argument("--match", default="*.smt2", metavar="PATTERN", help="which files (default *.smt2)")
    made.add_argument(
        "--timeout", type=float, default=5.0, metavar="S", help="limit of a solver call (default 5)"
    )
    made.add_argument("--ddsmt", metavar="PROGRAM", help="ddSMT, to compare with")
    return made


def main() -> None:
    args = parser().parse_args()
    solvers = [resolve(name, Zoo()) for name in (args.old, args.new)]
    done = 0
    for file in sorted(args.triggers.glob(args.match)):
        if done >= args.count:
            break
        labs: list[LiveLab] = []

        def lab(limits: Limits, labs: list[LiveLab] = labs) -> LiveLab:
            labs.append(LiveLab(solvers, limits))
            return labs[-1]

        try:
            text = decode(file.read_bytes())
            limits = Limits(seconds=args.timeout)
            with LiveLab(solvers, limits) as asked:
                diagnosis = diagnose(Case(Mutant(text)), asked, thoroughly=False)
            target = diagnosis.target
            if target is None:
                continue
            kept = Kept(target, (diagnosis.suspect,))
            with SameDefect(diagnosis.case, kept, lab, limits) as predicate:
                done += 1
                script = read_script(grown(text, predicate, args.grow, args.size) if args.grow else text)
                places = len(Outline(script).nodes)
                spent = sum(one.usage.cpu for one in labs)
                start = time.process_time()
                result = reduce(script, predicate, confirm=predicate.cold)
                cpu = time.process_time() - start + sum(one.usage.cpu for one in labs) - spent
                print(
                    f"{file.name:32} {target.defect:24} {result.length_before:6} bytes"
                    f" {places:6} places → {len(result.text):5} bytes {result.tests:5} tests"
                    f" {cpu:6.1f} s CPU {result.seconds:6.1f} s"
                    f"{'' if result.is_confirmed else '  NOT CONFIRMED'}"
                    f"{'  FLICKERS' if result.is_flaky else ''}"
                )
                if args.ddsmt and target.truth is not None:
                    theirs = with_ddsmt(args.ddsmt, print_script(script), predicate, solvers, target.truth)
                    print(f"{'':32} {theirs}")
        except FalsumError as error:
            print(f"{file.name:32} {error}")


if __name__ == "__main__":
    main()
