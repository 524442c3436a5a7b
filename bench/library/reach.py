"""What runs of libraries reach: theories, options, logics, symbols and assertions per run.

A weak run asserts no formula with a symbol: whatever the library answers, nothing was tested. Each row is a
library; figures are means of all runs, or numbers over all runs where they say so.
"""

from __future__ import annotations

import argparse
import resource
from collections import Counter

from bench.command import command_parser

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.run_options import CLASSES
from falsum.api.run_summary import RunSummary, summarize
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

LIBRARIES = ("bitwuzla", "z3", "cvc5", "boolector", "yices")


def cpu() -> float:
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent)


def measure(name: str, runs: int, first: int, classes: tuple[str, ...]) -> None:
    found: list[RunSummary] = []
    endings: Counter[str] = Counter()
    before = cpu()
    with Fuzzer(resolve(name, Zoo()), Settings(compare=0, option_classes=classes)) as fuzzer:
        drawable = len(fuzzer.drawable_options())
        for number in range(first, first + runs):
            result = fuzzer.run(number)
            endings[str(result.status)] += 1
            found.append(summarize(result.trace, fuzzer.mirror_after(result.trace)))
    spent = cpu() - before  # with the summaries, which a campaign does without
    theories = Counter(theory for each in found for theory in each.theories if theory != "core")
    logics = Counter(each.logic for each in found)
    options = {option for each in found for option in each.options}
    distinct = sum(each.distinct for each in found)
    print(f"{name}: {runs} runs, {spent * 1000 / runs:.1f} ms CPU per run, {dict(endings)}")
    print(
        f"    {mean(found, 'symbols')} symbols, {mean(found, 'assertions')} assertions, "
        f"{distinct / max(1, sum(each.assertions for each in found)):.0%} of them new, "
        f"{mean(found, 'checks')} checks per run; {sum(not each.symbols for each in found)} weak runs"
    )
    per_run = sum(len(each.options) for each in found) / runs
    print(f"    {len(options)} different options set, {drawable} drawable, {per_run:.1f} per run")
    shares = ", ".join(f"{theory} {count / runs:.0%}" for theory, count in theories.most_common())
    print(f"    {sum(theories.values()) / runs:.1f} theories per run: {shares}")
    print(f"    {len(logics)} logics: {', '.join(f'{k or None} {v}' for k, v in logics.most_common(8))}")


def mean(found: list[RunSummary], field: str) -> str:
    return f"{sum(getattr(each, field) for each in found) / len(found):.1f}"


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.library.reach", __doc__)
    made.add_argument("--solver", action="append", metavar="S", help="library (default: all five)")
    made.add_argument("--runs", type=int, default=300, metavar="N", help="runs of each (default 300)")
    made.add_argument("--rng", type=int, default=0, metavar="N", help="number of the first run")
    made.add_argument(
        "--option-class", action="append", choices=list(CLASSES), help="class of options to draw from"
    )
    return made


def main() -> None:
    args = parser().parse_args()
    for name in args.solver or LIBRARIES:
        measure(name, args.runs, args.rng, tuple(args.option_class or Settings().option_classes))


if __name__ == "__main__":
    main()
