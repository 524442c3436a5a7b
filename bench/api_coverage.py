"""Which of a library's operators, public methods and options the API fuzzer reaches in a given time.

Run as `python -m bench.api_coverage [--solver S…] [--seconds N] [--rng N]`. Runs are made for that long.
Their traces are then run once more through the binding, where kinds of terms are counted as the library tells
them, and through the recorder, which writes down every call. Kinds that belong to no theory of SMT-LIB
(proof rules, finite domains, inner ones, …; see `NOT_SMTLIB`) are left out; what is not reached is listed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from pathlib import Path

from falsum.api import recording
from falsum.api.bindings import program_of
from falsum.api.fuzzer import Fuzzer
from falsum.api.run import Ending
from falsum.api.settings import Settings
from falsum.api.trace import Trace
from falsum.solvers.limits import Limits
from falsum.solvers.process import Program, Runner
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Release, Zoo

CHUNK = 40
CHILD = Path(__file__).with_name("api_coverage_child.py")
# Kinds that are not operators of SMT-LIB's theories: proof rules, relations, special relations, inner ones.
NOT_SMTLIB = {
    "z3": re.compile(r"Z3_OP_(PR_|RA_|FD_|SPECIAL_|LABEL|INTERNAL|UNINTERPRETED|OEQ|FPA_BV|PB_|CHAR_"
                     r"|B[US]DIV0|B[US]REM0|BSMOD0|BIT2BOOL|CARRY|XOR3|MK_BV|RE_FULL|SEQ_MAP|SEQ_FOLD|SEQ_MAPI|RECURSIVE)"),
    "cvc5": re.compile(r"SYGUS|INST_|INTERNAL|UNDEFINED|LAST_KIND|NULL_TERM|FINITE_FIELD|BAG_|TABLE_"
                       r"|RELATION_|SEP_"),
    "bitwuzla": re.compile(r"\Z(?!)"),
}  # fmt: skip


def traces_of(name: str, seconds: float, first: int) -> tuple[list[Trace], set[str], set[str]]:
    """The traces of runs that went well, the options set in them, and those that might be drawn."""
    found, options = [], set()
    deadline = time.monotonic() + seconds
    with Fuzzer(resolve(name, Zoo()), Settings(compare=0, options=0.6)) as fuzzer:
        while time.monotonic() < deadline:
            outcome = fuzzer.run(first)
            first += 1
            options |= {step.line.args[0] for step in outcome.trace.steps if step.line.word == "set-option"}
            if outcome.ending is Ending.DONE:
                found.append(outcome.trace)
        return found, options, {option.name for option in fuzzer.drawable()}


def listed(title: str, reached: set[str], there: set[str]) -> None:
    share = len(reached & there) / max(1, len(there))
    print(f"  {title}: {len(reached & there)} of {len(there)} ({share:.0%})")
    missing = sorted(there - reached)
    if missing:
        print(f"    not reached: {' '.join(missing)}")


def measure(name: str, seconds: float, first: int) -> None:
    release = resolve(name, Zoo()).release
    assert release is not None
    traces, options, drawable = traces_of(name, seconds, first)
    made, every, public, called = set[str](), set[str](), set[str](), set[str]()
    with Runner() as runner:
        for start in range(0, len(traces), CHUNK):
            text = "".join(map(str, traces[start : start + CHUNK])).encode()
            told = kinds(release, runner, text)
            made.update(told.get("made", ()))
            every.update(told.get("all", ()))
            public.update(told.get("public", ()))
            called |= calls(release, runner, text)
    print(f"{name} {release.release}: {len(traces)} runs in {seconds:.0f} s")
    apart = NOT_SMTLIB[release.product]
    listed("operators", made, {kind for kind in every if not apart.search(kind)})
    listed("public functions and methods", called, public)
    listed("options that may be drawn", options, drawable)


def kinds(release: Release, runner: Runner, text: bytes) -> dict[str, list[str]]:
    serve, binding, folder = program_of(release).argv[3:6]
    argv = (sys.executable, "-I", "-S", str(CHILD), serve, binding, folder)
    ran = runner.run(Program(argv), text, Limits(seconds=120, output=64))
    if not ran.stdout:
        said = ran.stderr[-500:].decode(errors="replace")
        print(f"  {release.name}: no kinds of one chunk: {ran.stopped} {ran.status} {said}")
        return {}
    return dict(json.loads(ran.stdout))


def calls(release: Release, runner: Runner, text: bytes) -> set[str]:
    """The names of everything called: `manager.mk_term(…)` is `mk_term`."""
    binding, folder = program_of(release).argv[4:6]
    argv = (sys.executable, "-I", "-S", str(recording.__file__), binding, folder)
    ran = runner.run(Program(argv), text, Limits(seconds=120, output=256))
    found = set()
    for row in ran.stdout.decode(errors="replace").splitlines():
        told = json.loads(row)
        if "call" in told:
            found.add(told["text"].partition("(")[0].rpartition(".")[2])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--solver", action="append")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--rng", type=int, default=0)
    given = parser.parse_args()
    for name in given.solver or ["bitwuzla", "z3", "cvc5"]:
        measure(name, given.seconds, given.rng)


if __name__ == "__main__":
    main()
