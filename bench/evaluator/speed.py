"""CPU time of the evaluator in comparison with z3 on the same scripts and models, and by number of distinct
terms.

For each script of CORPUS with a model of z3: reading the model and evaluating every assertion, for the first
time and again and again; a fresh z3 process on the script with the model's definitions in place of its
declarations; and z3's `model.eval` of the assertions in a process that has everything in memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.command import command_parser
from bench.evaluator.solver_models import Printed, first_check, models

from falsum.smtlib import Script, print_command, read_file
from falsum.smtlib.evaluation.evaluator import payload_of, truths
from falsum.smtlib.evaluation.programs import forget_programs
from falsum.smtlib.models.model import Model, declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.printing.values_as_terms import write_value
from falsum.smtlib.scripts import DeclareFun
from falsum.smtlib.sorts import INT
from falsum.smtlib.terms import Function, Head, app, constant
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.values.automata import automaton_of
from falsum.smtlib.walk import size

_REPEAT: Final = 5
# Solves a script, then measures the evaluation of the assertions under its model.
_CHILD: Final = """
import json, sys, time, z3
for line in sys.stdin:
    text = json.loads(line)
    solver = z3.Solver()
    solver.set("timeout", 2000)
    try:
        solver.from_string(text)
        if solver.check() != z3.sat:
            raise z3.Z3Exception("not sat")
        model, assertions = solver.model(), list(solver.assertions())
        best = 1e9
        for _ in range(5):
            start = time.process_time()
            for assertion in assertions:
                model.eval(assertion, model_completion=True)
            best = min(best, time.process_time() - start)
        print(json.dumps(best), flush=True)
    except z3.Z3Exception:
        print("null", flush=True)
"""


@dataclass(frozen=True, slots=True)
class Times:
    """CPU seconds for one script."""

    file: str
    ours: float
    first: float
    with_reading: float
    process: float
    in_process: float | None
    terms: int


def script_text(script: Script) -> str:
    return "\n".join([*(print_command(c) for c in script.commands), ""])


def substituted(script: Script, definitions: str) -> str:
    """The script with the model's definitions instead of its declarations."""
    kept = [print_command(c) for c in script.commands if not isinstance(c, DeclareFun)]
    first = next((i for i, line in enumerate(kept) if line.startswith(("(assert", "(define-fun"))), len(kept))
    return "\n".join([*kept[:first], definitions, *kept[first:], "(check-sat)", ""])


def cpu_of_process(text: str) -> float:
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        file.write(text)
        file.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        program = str(Path(sys.executable).with_name("z3"))
        subprocess.run([program, "-T:5", file.name], capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(root: Path, printed: Printed, child: subprocess.Popen[str]) -> Times | None:
    script = first_check(read_file(root / printed.file))
    assert script is not None
    model = read_model(printed.model, script)
    answers = truths(script, model)
    if not all(answer is True for answer in answers):
        return None
    first = _best(lambda: truths(script, model), _forget)
    for _ in range(_REPEAT):  # formulas that are evaluated often become programs
        truths(script, model)
    ours = _best(lambda: truths(script, model))
    reading = _best(lambda: truths(script, read_model(printed.model, script)))
    process = cpu_of_process(substituted(script, print_model(model, declared_functions(script))))
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(json.dumps(script_text(script)) + "\n")
    child.stdin.flush()
    in_process: float | None = json.loads(child.stdout.readline())
    terms = sum(size(term) for term in script.assertions)
    return Times(printed.file, ours, first, reading, process, in_process, terms)


def _forget() -> None:
    """Forgets what is kept between evaluations, so that the next one is the first."""
    forget_programs()
    automaton_of.cache_clear()


def _best(work: Callable[[], object], before: Callable[[], None] = lambda: None) -> float:
    best = 1e9
    for _ in range(_REPEAT):
        before()
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def growth() -> None:
    """Time by number of distinct terms: n of them, 2^n nodes as a tree."""
    print("distinct terms   CPU seconds   microseconds per term")
    symbol = Function("x", (), INT)
    for count in (1_000, 10_000, 100_000, 1_000_000):
        term, plus = constant(symbol), Head(OPERATORS["-"])
        for number in range(count):
            term = app(plus, (term, term if number % 2 else write_value(INT, number)))
        start = time.process_time()
        payload_of(term, Model(), 10 * count)
        spent = time.process_time() - start
        print(f"{count:14}{spent:14.3f}{1e6 * spent / count:16.2f}")


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.evaluator.speed", __doc__)
    made.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument(
        "--keep", type=Path, metavar="FILE", help="models of the solvers (default: in the cache)"
    )
    made.add_argument("--most", type=int, default=200, metavar="N", help="number of scripts (default 200)")
    return made


def main() -> None:
    args = parser().parse_args()
    growth()
    found = [p for p in models(args.corpus, args.keep, 2.0, quantified=False) if p.solver == "z3"]
    chosen = found[:: max(1, len(found) // args.most)]
    child = subprocess.Popen(
        [sys.executable, "-c", _CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    times = [t for printed in chosen if (t := measure(args.corpus, printed, child)) is not None]
    child.terminate()
    ours, process = sum(t.ours for t in times), sum(t.process for t in times)
    reading = sum(t.with_reading for t in times)
    both = [t for t in times if t.in_process is not None]
    inside = sum(t.in_process or 0.0 for t in both)
    ours_both = sum(t.ours for t in both)
    terms = sum(t.terms for t in times)
    print(
        f"{len(times)} scripts, {terms} terms: evaluator {1e3 * ours / len(times):.3f} ms a script "
        f"({1e6 * ours / terms:.2f} µs a term), with reading the model {1e3 * reading / len(times):.3f} ms"
    )
    print(
        f"fresh z3 process {1e3 * process / len(times):.2f} ms: {process / ours:.1f} times ours, "
        f"{process / reading:.1f} times with reading"
    )
    print(
        f"model.eval in process ({len(both)} scripts) {1e3 * inside / len(both):.3f} ms: "
        f"ours takes {ours_both / inside:.2f} times as long, the first evaluation "
        f"{sum(t.first for t in both) / inside:.2f} times"
    )
    worst = sorted(both, key=lambda t: -t.ours / max(t.in_process or 0.0, 1e-6))[:5]
    for t in worst:
        print(f"  {t.file}: {1e3 * t.ours:.3f} ms, model.eval {1e3 * (t.in_process or 0):.3f} ms")


if __name__ == "__main__":
    main()
