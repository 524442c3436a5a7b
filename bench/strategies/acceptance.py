"""How many mutants z3 and cvc5 accept, for every strategy and every logic of CORPUS, with the messages of
rejections.

Counts the mutants of seeds that a solver accepts. The logic of a script is the one it sets. A mutant is
rejected if the solver reports an error or does not support it; a time-out, *unknown* or a crash is not a
rejection. As in campaigns, only solvers with tactics are asked about mutants that check with one.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random

from bench.command import command_parser

from falsum.errors import ScriptError
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.names import profile_of
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME, Seed, Strategy, find_strategy

SOLVERS = ("z3", "cvc5")
_LOGIC = re.compile(r"\(\s*set-logic\s+([A-Z_]+)")


@dataclass(slots=True)
class Count:
    """Mutants of seeds that a solver accepts, and those of them it rejects, by message."""

    asked: int = 0
    rejected: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        return 1 - self.rejected.total() / self.asked if self.asked else 1.0


Counts = dict[tuple[str, str, str], Count]  # by strategy, logic, solver


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.strategies.acceptance", __doc__)
    made.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument("--strategy", action="append", metavar="NAME", help="strategy (default: all)")
    made.add_argument("--seeds", type=int, default=6, metavar="N", help="seeds per logic (default 6)")
    made.add_argument("--count", type=int, default=15, metavar="N", help="mutants per seed (default 15)")
    made.add_argument(
        "--longest", type=int, default=4000, metavar="BYTES", help="longest seed (default 4,000)"
    )
    made.add_argument(
        "--seconds", type=float, default=1, metavar="S", help="time limit per script (default 1)"
    )
    made.add_argument("--list", action="store_true", help="print a rejected mutant of each kind")
    return made


def main() -> None:
    args = parser().parse_args()
    seeds = seeds_by_logic(args.corpus, args.seeds, args.longest)
    names = args.strategy or list(BY_NAME)
    with LiveLab([resolve(name, Zoo()) for name in SOLVERS], Limits(seconds=args.seconds)) as lab:
        for name in names:
            examples: dict[str, str] = {}
            counts = measure(find_strategy(name, BY_NAME), seeds, args.count, lab, examples)
            report(name, counts)
            if args.list:
                for message, text in examples.items():
                    print(f"--- {name}: {message}\n{text}")


def seeds_by_logic(corpus: Path, most: int, longest: int) -> dict[str, list[Seed]]:
    """Some readable seeds of each logic, in an order that is always the same."""
    files = sorted(path for path in corpus.rglob("*.smt2") if path.stat().st_size <= longest)
    Random(1).shuffle(files)
    names: dict[str, list[Seed]] = defaultdict(list)
    for file in files:
        text = file.read_bytes().decode(errors="replace")
        logic = _LOGIC.search(text)
        name = logic[1] if logic else "none"
        if len(names[name]) < most:
            seed = Seed(file.name, text)
            try:
                _ = seed.script
            except ScriptError:
                continue
            names[name].append(seed)
    return dict(sorted(names.items()))


def measure(
    strategy: Strategy,
    seeds: dict[str, list[Seed]],
    count: int,
    lab: LiveLab,
    examples: dict[str, str] | None = None,
) -> Counts:
    counts: Counts = defaultdict(Count)
    for logic, some in seeds.items():
        for place, seed in enumerate(some):
            given = [some[(place + step) % len(some)] for step in range(strategy.arity)]
            accepting = [
                name
                for name in lab.solvers
                if all(_is_accepted(lab.ask(Request(name, each.text))) for each in given or [seed])
            ]
            if not accepting:
                continue
            for mutant in _mutants(strategy, given, place, lab, count):
                for name in accepting:
                    if "(check-sat-using" in mutant and not profile_of(name).tactics:
                        continue
                    answer = lab.ask(Request(name, mutant))
                    known = counts[strategy.name, logic, name]
                    known.asked += 1
                    if is_rejected(answer):
                        message = f"{name} {logic} {answer.ending.detail}"
                        known.rejected[answer.ending.detail] += 1
                        if examples is not None:
                            examples.setdefault(message, mutant)
    return counts


def _mutants(
    strategy: Strategy, given: Sequence[Seed], number: int, lab: LiveLab, count: int
) -> Iterator[str]:
    for mutant in islice(strategy.mutants(given, Random(number), lab), count):
        yield mutant.text


def _is_accepted(answer: Answer) -> bool:
    """A solver that crashes has not said whether it would reject the seed."""
    return answer.ending.kind not in (EndingKind.REJECTED, EndingKind.CRASHED)


def is_rejected(answer: Answer) -> bool:
    return answer.ending.kind is EndingKind.REJECTED


def report(strategy: str, counts: Counts) -> None:
    for solver in SOLVERS:
        mine = {logic: count for (_, logic, name), count in counts.items() if name == solver}
        total = Count(sum(count.asked for count in mine.values()))
        for count in mine.values():
            total.rejected.update(count.rejected)
        accepted = f"accepted {100 * total.share:6.2f} %"
        print(f"{strategy:10} {solver:5} {total.asked:7} mutants, {accepted}", flush=True)
        for logic, count in mine.items():
            for message, number in count.rejected.most_common(3):
                print(f"    {logic:12} {number:4} of {count.asked}: {message}")


if __name__ == "__main__":
    main()
