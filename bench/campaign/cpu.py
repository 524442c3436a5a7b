"""Where the CPU time of a campaign goes, per mutant: in falsum by step, and inside solvers, warm and cold.

Runs batches of the bundled seeds in this process, as a worker does, with all strategies or those given, and
measures the CPU time of every step without the steps inside it. Seeds are profiled first, and not counted.
Measuring takes time as well, so the share inside solvers is measured once more without it.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any
from unittest.mock import patch

import msgspec
from bench.command import command_parser

from falsum.campaign.corpus.seed_files import gather
from falsum.campaign.executors.processes import collect_garbage_rarely
from falsum.campaign.fuzz import oracle_runs, runner
from falsum.campaign.fuzz.batch import Batch, BatchSeed
from falsum.campaign.fuzz.plan import MODEL_SHARE, FuzzPlan
from falsum.campaign.fuzz.worker_state import WorkerState
from falsum.campaign.search.behaviour import EVERY, SeenBehaviour
from falsum.campaign.search.even import EvenSchedule
from falsum.campaign.search.schedule import LEARN
from falsum.campaign.search.time_rules import BatchBudget
from falsum.campaign.tally import FuzzTally
from falsum.defects import ALL
from falsum.solvers import lab
from falsum.solvers.answer import Answer
from falsum.solvers.hosts.host import Host
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.store.records import BatchRecord
from falsum.strategies import BY_NAME, find_strategy

_MUTANTS = 20  # of each batch


class Clock:
    """CPU seconds of this process by step, each without the steps inside it."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self._open: list[str] = []
        self._last = time.process_time()

    def tick(self) -> None:
        """Credit the time since the last tick to the step that is open."""
        now = time.process_time()
        self.spent[self._open[-1] if self._open else "everything else"] += now - self._last
        self._last = now

    def enter(self, name: str) -> None:
        self.tick()
        self._open.append(name)

    def leave(self) -> None:
        self.tick()
        self._open.pop()

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        # No context manager: that alone would take a twentieth of what is measured.
        def call(*args: Any, **kwargs: Any) -> Any:
            self.enter(name)
            try:
                return function(*args, **kwargs)
            finally:
                self.leave()

        return call

    def timed_iterator(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def iterate(*args: Any, **kwargs: Any) -> Iterator[Any]:
            made = iter(function(*args, **kwargs))
            while True:
                self.enter(name)
                try:
                    value = next(made)
                except StopIteration:
                    return
                finally:
                    self.leave()
                yield value

        return iterate


def run(
    count: int, solvers: tuple[str, ...], strategies: tuple[str, ...], models: float = MODEL_SHARE
) -> tuple[int, Clock, dict[str, float]]:
    """The number of mutants, CPU seconds in falsum by step, and inside solvers."""
    inside: dict[str, float] = defaultdict(float)
    collect_garbage_rarely()
    with WorkerState.of(_plan(solvers)) as state:
        clock = Clock()
        with _patched(clock, inside) as reset:
            made = sum(one.made for one in batches(count, state, solvers, strategies, models, reset))
    return made, clock, inside


def _plan(solvers: tuple[str, ...], models: float = MODEL_SHARE) -> FuzzPlan:
    """New behaviour is looked for; but the same mutants are made again and again."""
    return FuzzPlan(
        seeds=(), solvers=solvers, strategies=(), rng=1, timeout=5.0, memory=2048, models=models, count=1,
        schedule=LEARN,
        engines=False,
    )  # fmt: skip


def without_clock(
    count: int, solvers: tuple[str, ...], strategies: tuple[str, ...], models: float = MODEL_SHARE
) -> tuple[float, float]:
    """CPU seconds in falsum and inside solvers for the same batches, as campaigns count them."""
    own = inside = 0.0
    with WorkerState.of(_plan(solvers)) as state:
        for record in batches(count, state, solvers, strategies, models, nullcontext):
            tally = msgspec.convert(record.tally, FuzzTally)
            own, inside = own + tally.own_cpu, inside + tally.solver_cpu
    return own, inside


def batches(
    count: int,
    state: WorkerState,
    solvers: tuple[str, ...],
    strategies: tuple[str, ...],
    models: float,
    profiling: Callable[[], AbstractContextManager[None]],
) -> Iterator[BatchRecord]:
    """Batches of all strategies in turn, until there are enough mutants; `profiling` is around profiles."""
    seeds = gather(()).seeds
    arities = {name: find_strategy(name, BY_NAME).arity for name in strategies}
    schedule = EvenSchedule([seed.logic for seed in seeds], arities, 1)
    made = 0
    while made < count and (slot := schedule.next()) is not None:
        chosen = [seeds[place] for place in slot.seeds]
        given = tuple(BatchSeed(seed.name, seed.digest, seed.text()) for seed in chosen)
        batch = Batch(_plan(solvers, models), slot, given, BatchBudget(0))
        with profiling():
            runner.run(batch, state)
        known = tuple(
            BatchSeed(s.name, s.digest, s.text, tuple(state.measures[s.digest].values()), True)
            for s in given
            if s.digest in state.measures
        )
        if len(known) == len(given):
            full = msgspec.structs.replace(batch, seeds=known, budget=BatchBudget(_MUTANTS))
            record = runner.run(full, state).record
            made += record.made
            yield record


@contextmanager
def _patched(clock: Clock, inside: dict[str, float]) -> Iterator[Callable[[], Any]]:
    """Have every step measured; what is returned makes a context in which nothing counts."""

    def counted(function: Callable[..., Answer], how: str) -> Callable[..., Answer]:
        def call(*args: Any, **kwargs: Any) -> Answer:
            answer = function(*args, **kwargs)
            inside[how] += answer.cpu
            return answer

        return call

    @contextmanager
    def uncounted() -> Iterator[None]:
        clock.tick()
        before, within = dict(clock.spent), dict(inside)
        yield
        clock.tick()
        for counted_now, counted_before in ((clock.spent, before), (inside, within)):
            counted_now.clear()
            counted_now.update(counted_before)

    steps = [
        (runner, "mutants", clock.timed_iterator("making mutants", runner.mutants)),
        (Solver, "prepare", clock.timed("writing what solvers get", Solver.prepare)),
        (lab, "read", clock.timed("reading answers", vars(lab)["read"])),
        (Host, "ask", clock.timed("talking to warm solvers", Host.ask)),
        (
            lab.LiveLab,
            "_run_cold",
            counted(clock.timed("starting cold solvers", vars(lab.LiveLab)["_run_cold"]), "cold"),
        ),
        (oracle_runs, "confirmed", clock.timed("confirmation", vars(oracle_runs)["confirmed"])),
        (SeenBehaviour, "new", clock.timed("behaviour", SeenBehaviour.new)),
    ]
    steps += [
        (type(one), "find", clock.timed(f"oracle {one.name}", type(one).find)) for one in ALL if one.name
    ]
    asked = vars(lab.LiveLab)["_run"]
    with ExitStack() as stack:
        for owner, name, replacement in steps:
            stack.enter_context(patch.object(owner, name, replacement))
        stack.enter_context(patch.object(lab.LiveLab, "_run", counted(asked, "all")))
        yield uncounted


def statistics_cost(texts: Sequence[str], solvers: tuple[str, ...]) -> tuple[float, float]:
    """CPU seconds that solvers take for scripts without and with their statistics, asked in turn."""
    spent = {False: 0.0, True: 0.0}
    with lab.LiveLab([resolve(name, Zoo()) for name in solvers], Limits(seconds=1.0)) as made:
        for number, text in enumerate(texts):
            for name in solvers:
                for asked in (False, True) if number % 2 else (True, False):
                    spent[asked] += made.ask(Request(name, text, again=True, statistics=asked)).cpu
    return spent[False], spent[True]


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.cpu", __doc__)
    made.add_argument(
        "count", type=int, nargs="?", default=1000, metavar="COUNT", help="mutants (default 1000)"
    )
    made.add_argument("--solver", action="append", metavar="S", help="solver (default: z3, cvc5, bitwuzla)")
    made.add_argument("--strategy", action="append", metavar="T", help="strategy (default: all)")
    made.add_argument(
        "--models",
        type=float,
        default=MODEL_SHARE,
        metavar="SHARE",
        help=f"share of mutants for which models are asked for (default {MODEL_SHARE:g})",
    )
    return made


def main() -> None:
    args = parser().parse_args()
    solvers = tuple(args.solver or ("z3", "cvc5", "bitwuzla"))
    strategies = tuple(args.strategy or BY_NAME)
    made, clock, inside = run(args.count, solvers, strategies, args.models)
    warm = inside["all"] - inside["cold"]
    own = sorted(clock.spent.items(), key=lambda row: -row[1])
    rows = [
        ("inside solvers, warm", warm),
        ("inside solvers, cold", inside["cold"]),
        *own,
    ]
    total = sum(seconds for _name, seconds in rows)
    print(f"{made} mutants, {', '.join(solvers)}; CPU milliseconds per mutant and share")
    for name, seconds in rows:
        print(f"{name:28}{1000 * seconds / made:10.3f}{seconds / total:8.1%}")
    share = (warm + inside["cold"]) / total
    print(f"{'all':28}{1000 * total / made:10.3f}{1:8.1%}; {share:.1%} inside solvers")
    plain, within = without_clock(args.count, solvers, strategies, args.models)
    print(f"the same batches without this clock: {within / (plain + within):.1%} inside solvers")
    texts = [seed.text() for seed in gather(()).seeds][: args.count]
    bare, told = statistics_cost(texts, solvers)
    asked = 1000 * (told - bare) / len(texts) / EVERY
    print(
        f"of it statistics, on one mutant in {EVERY}: {asked:.3f} ({len(texts)} seeds asked with and without)"
    )


if __name__ == "__main__":
    main()
