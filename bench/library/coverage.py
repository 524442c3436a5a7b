"""Which operators, public methods and options of a library `falsum api` reaches; lists the others with
reasons.

Runs for a time or a number of runs. The traces are run again through the binding, where the kinds of all
terms are counted; some also through the call recorder. Operators that do not count, and reasons for methods
that are not called, are in `coverage_reasons.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from bench.command import command_parser
from bench.library.coverage_reasons import METHODS, OPERATORS, reason

from falsum.api.actions import CALLS
from falsum.api.bindings import serving_program
from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.api.trace import Trace
from falsum.api.traces import call_recorder
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.supervision.process import ProcessRunner, Program
from falsum.solvers.zoo import Release, Zoo

CHUNK = 40
# One of so many chunks goes through the call recorder, which is slow.
RECORDED = 3
CHILD = Path(__file__).with_name("coverage_child.py")


class Reached:
    """What has been reached so far."""

    def __init__(self) -> None:
        self.made: set[str] = set()
        self.every: set[str] = set()
        self.apart: dict[str, str] = {}
        self.public: set[str] = set()
        self.called: set[str] = set()
        self.options: set[str] = set()
        self.runs = 0


def collect(
    name: str, seconds: float, count: int, first: int, options: float = 0.6
) -> tuple[Release, Reached, set[str], float]:
    """What runs of a library reach, the options that may be drawn, and the seconds; only runs count."""
    release = resolve(name, Zoo()).release
    assert release is not None
    seen, left, chunk = Reached(), seconds, 0
    with (
        Fuzzer(resolve(name, Zoo()), Settings(compare=0, options=options)) as fuzzer,
        ProcessRunner() as runner,
    ):
        drawable = {option.name for option in fuzzer.drawable_options()}
        while left > 0 and seen.runs < count:
            start = time.monotonic()
            traces: list[Trace] = []
            while len(traces) < CHUNK and time.monotonic() - start < left and seen.runs < count:
                result = fuzzer.run(first)
                first += 1
                seen.runs += 1
                words = [step.line for step in result.trace.steps if step.line.word == "set-option"]
                seen.options |= {line.args[0] for line in words}
                if result.status in (RunStatus.DONE, RunStatus.REFUSED):
                    traces.append(result.trace)
            left -= time.monotonic() - start
            count_traces(release, runner, traces, seen, is_recorded=chunk % RECORDED == 0)
            chunk += 1
    return release, seen, drawable, seconds - left


def measure(name: str, seconds: float, count: int, first: int) -> None:
    report(name, *collect(name, seconds, count, first))


def count_traces(
    release: Release, runner: ProcessRunner, traces: list[Trace], seen: Reached, *, is_recorded: bool
) -> None:
    text = "".join((f"{CALLS}\n", *map(str, traces))).encode()
    found_kinds = kinds(release, runner, text)
    seen.made.update(found_kinds.get("made", ()))
    seen.every.update(found_kinds.get("all", ()))
    seen.public.update(found_kinds.get("public", ()))
    seen.apart.update(dict(found_kinds.get("apart", {})))
    if is_recorded:
        seen.called |= calls(release, runner, text)


def report(name: str, release: Release, seen: Reached, drawable: set[str], seconds: float) -> None:
    print(f"{name} {release.version}: {seen.runs} runs in {seconds:.0f} s")
    rows = OPERATORS.get(release.product, ())
    apart = {kind: seen.apart.get(kind) or reason(kind, rows) for kind in sorted(seen.every)}
    counted = {kind for kind, why in apart.items() if not why}
    listed("operators that count", seen.made, counted)
    listed("operators that do not count", seen.made, seen.every - counted)
    by_reason({kind: why for kind, why in apart.items() if why})
    listed("public functions and methods", seen.called, seen.public)
    missing = seen.public - seen.called
    methods = METHODS.get(release.product, ())
    by_reason({method: reason(method, methods) or "not called yet" for method in sorted(missing)})
    listed("options that may be drawn", seen.options, drawable)
    print(f"    not set: {' '.join(sorted(drawable - seen.options)) or 'none'}", flush=True)


def listed(title: str, reached: set[str], there: set[str]) -> None:
    share = len(reached & there) / max(1, len(there))
    print(f"  {title}: {len(reached & there)} of {len(there)} ({share:.0%})")
    missing = sorted(there - reached)
    if missing and title == "operators that count":
        print(f"    not reached: {' '.join(missing)}")


def by_reason(reasons: dict[str, str]) -> None:
    grouped: dict[str, list[str]] = {}
    for name, why in reasons.items():
        grouped.setdefault(why, []).append(name)
    for why, names in sorted(grouped.items(), key=lambda item: -len(item[1])):
        print(f"    {why}: {' '.join(names)}")


def kinds(release: Release, runner: ProcessRunner, text: bytes) -> dict[str, Any]:
    serve, binding, folder = serving_program(release).argv[3:6]
    argv = (sys.executable, "-I", "-S", str(CHILD), serve, binding, folder)
    ran = runner.run(Program(argv), Limits(seconds=120, output=64), text)
    if not ran.stdout:
        output = ran.stderr[-500:].decode(errors="replace")
        print(f"  {release.name}: no kinds for one chunk: {ran.stopped} {ran.status} {output}")
        return {}
    return dict(json.loads(ran.stdout))


def calls(release: Release, runner: ProcessRunner, text: bytes) -> set[str]:
    """The names of all functions and methods called, such as `mk_term`."""
    binding, folder = serving_program(release).argv[4:6]
    argv = (sys.executable, "-I", "-S", str(call_recorder.__file__), binding, folder)
    ran = runner.run(Program(argv), Limits(seconds=120, output=256), text)
    found = set()
    for row in ran.stdout.decode(errors="replace").splitlines():
        event = json.loads(row)
        if "call" in event:
            found.add(event["text"].partition("(")[0].rpartition(".")[2])
    return found


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.library.coverage", __doc__)
    made.add_argument(
        "--solver", action="append", metavar="S", help="library (default: bitwuzla, z3 and cvc5)"
    )
    made.add_argument("--seconds", type=float, default=3600, metavar="S", help="time of runs (default 3,600)")
    made.add_argument(
        "--count", type=int, default=10**9, metavar="N", help="number of runs (default: no limit)"
    )
    made.add_argument("--rng", type=int, default=0, metavar="N", help="number of the first run")
    return made


def main() -> None:
    args = parser().parse_args()
    for name in args.solver or ["bitwuzla", "z3", "cvc5"]:
        measure(name, args.seconds, args.count, args.rng)


if __name__ == "__main__":
    main()
