"""Random traces replayed in a fresh process: how many come to the same results, and every one that does not.

Run as `python -m bench.api_replay [--solver S…] [--count N] [--rng N]`; the default is 1,000 traces for each
library. Runs that took too long are counted, not replayed. Each trace is made in a process that has done
nothing else, unless `--used` says otherwise: some libraries' models and cores depend on what came before.
It is replayed in one that was started for it; one that does not come to its end there in ten seconds of CPU
time is counted apart.
"""

from __future__ import annotations

import argparse
from collections import Counter

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.api.trace import read_trace
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


def measure(name: str, first: int, count: int, *, used: bool) -> None:
    solver = resolve(name, Zoo())
    settings = Settings(compare=0, runs_per_child=200 if used else 1)
    said: Counter[str] = Counter()
    patient = Settings(compare=0, seconds=2.5)  # a replay may take four times as long as a run
    with Fuzzer(solver, settings) as fuzzer, Fuzzer(solver, patient, forks=False) as again:
        for number in range(first, first + count):
            outcome = fuzzer.run(number)
            if outcome.status is RunStatus.TIMED_OUT:
                said["timed out, not replayed"] += 1
                continue
            other = again.replay(read_trace(str(outcome.trace)))
            if str(other.trace) == str(outcome.trace):
                said["the same"] += 1
                continue
            if other.status is RunStatus.TIMED_OUT:
                said["timed out when replayed"] += 1
                continue
            said["same verdicts" if other.verdicts == outcome.verdicts else "different verdicts"] += 1
            pairs = zip(outcome.trace.steps, other.trace.steps, strict=False)
            where = next((f"{a.line}: {a.reply} | {b.reply}" for a, b in pairs if a != b), "length")
            print(f"{name} {number}: {where[:300]}", flush=True)
    print(f"{name}: {dict(said)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--solver", action="append")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--rng", type=int, default=0)
    parser.add_argument("--used", action="store_true")
    given = parser.parse_args()
    for name in given.solver or ["bitwuzla", "z3", "cvc5", "yices", "boolector"]:
        measure(name, given.rng, given.count, used=given.used)


if __name__ == "__main__":
    main()
