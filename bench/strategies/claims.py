"""Checks claims: mutants of a strategy that claims verdicts, or has a reference, are put to two solvers.

COUNT is the number of claimed mutants that a solver decides; seeds come from CORPUS. A mutant with a
reference is compared with the verdicts on which solvers agree for the reference. A witness is read from its
text and must satisfy every assertion at each check that is claimed sat, by the evaluator. A solver that has
timed out twice on the mutants of one draw of seeds is not asked about the others of that draw. With
`--one-by-one` a mutant goes to one solver, in turn, and to the next one only if that one contradicts the
claim or does not decide it. Every contradiction is printed, and stored in the directory of `--out`. Another
`--rng` gives other mutants, so a long run can be split.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random

from bench.command import command_parser

from falsum.defects.open_points import reads_strings_as_standard
from falsum.errors import FalsumError
from falsum.smtlib import read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME, Mutant, Seed, find_strategy
from falsum.strategies.seeds import agreed_verdicts

# Seconds between two lines of progress.
_PROGRESS_SECONDS = 20.0
# Time-outs of a solver on the mutants of one draw before it is no longer asked.
_MAX_TIMEOUTS = 2


@dataclass(frozen=True)
class Plan:
    """The parameters of all processes; a task is a number that determines seeds and mutants."""

    strategy: str
    files: tuple[Path, ...]
    solvers: tuple[str, ...]
    rng: int
    each: int
    seconds: float
    one_by_one: bool


@dataclass
class Tally:
    """Results of some tasks: counts, and contradictions as (number of solvers, description, script)."""

    counts: Counter[str] = field(default_factory=Counter)
    found: list[tuple[int, str, str]] = field(default_factory=list)


_plan: Plan
_lab: LiveLab


def prepare(plan: Plan) -> None:
    """Initialise a worker process with its own warm solvers."""
    global _plan, _lab  # noqa: PLW0603 - the state of a worker process
    _plan = plan
    zoo = Zoo()
    limits = Limits(seconds=plan.seconds, memory=2048)
    _lab = LiveLab([resolve(name, zoo) for name in plan.solvers], limits)


def task(number: int) -> Tally:
    """The mutants of one draw of seeds."""
    out = Tally()
    rng = Random(f"{_plan.rng}:{number}")
    strategy = find_strategy(_plan.strategy, BY_NAME)
    # The first seeds are all files in turn; the other seeds are drawn.
    names = [_plan.files[number % len(_plan.files)]]
    names += [_plan.files[rng.randrange(len(_plan.files))] for _ in range(strategy.arity - 1)]
    seeds = [Seed(str(name), name.read_bytes().decode(errors="replace")) for name in names]
    timeouts: Counter[str] = Counter()
    try:
        for mutant in islice(strategy.mutants(seeds, rng, _lab), _plan.each):
            check_mutant(mutant, seeds, out, timeouts)
            if all(timeouts[solver] >= _MAX_TIMEOUTS for solver in _lab.solvers):
                out.counts["draws abandoned"] += 1
                break
    except FalsumError as error:
        out.counts[f"no mutants: {error.__class__.__name__}"] += 1
    except Exception as error:
        out.found.append((0, f"{_plan.strategy} raised {error!r} on {names}", ""))
    return out


def check_mutant(mutant: Mutant, seeds: list[Seed], out: Tally, timeouts: Counter[str]) -> None:
    expected = expectation(mutant)
    out.counts["mutants"] += 1
    if not any(expected):
        out.counts["without a claim"] += 1
        return
    out.counts["claimed"] += 1
    evaluate(mutant, seeds, out)
    said: dict[str, tuple[Verdict, ...]] = {}
    turn = out.counts["claimed"] % len(_lab.solvers)
    for solver in (*_lab.solvers[turn:], *_lab.solvers[:turn]):
        if timeouts[solver] < _MAX_TIMEOUTS:
            said[solver] = ask(solver, mutant.text, timeouts)
            if _plan.one_by_one and agrees(said[solver], expected):
                break
    decided = [s for s, verdicts in said.items() if any(v.decided for v in verdicts)]
    out.counts[f"decided by {len(decided)}"] += 1
    contradicting = [s for s in decided if contradicts(said[s], expected)]
    if not contradicting:
        return
    odd = [s for s in contradicting if not reads_strings_as_standard(mutant.text, s, _lab)]
    answers = ", ".join(f"{s} answers {' '.join(said[s])}" for s in said)
    claimed = " ".join(str(v or "-") for v in expected)
    words = f"{answers}; claimed {claimed}; seeds {', '.join(seed.name for seed in seeds)}"
    if odd:
        words += f"; an open point of the standard that {', '.join(odd)} may interpret differently"
    header = "".join(f"; {line}\n" for line in (words, *mutant.lineage))
    out.found.append((len(contradicting), words, header + mutant.text))


def ask(solver: str, text: str, timeouts: Counter[str]) -> tuple[Verdict, ...]:
    answer = _lab.ask(Request(solver, text))
    timeouts[solver] += answer.ending.kind is EndingKind.TIMED_OUT
    return answer.verdicts


def evaluate(mutant: Mutant, seeds: list[Seed], out: Tally) -> None:
    """Count the checks at which a witness holds; a check at which it does not is a broken claim."""
    claim = mutant.claim
    if claim is None or not claim.witness:
        return
    for flat, verdict in zip(at_each_check(read_script(mutant.text)), claim.verdicts, strict=True):
        if verdict is not Verdict.SAT:
            out.counts[f"checks claimed {verdict or 'nothing'}"] += 1
            continue
        held = truths(flat, read_model(claim.witness, flat))
        if any(value is False for value in held):
            names = ", ".join(seed.name for seed in seeds)
            words = f"the witness makes assertion {held.index(False) + 1} false; seeds {names}"
            out.found.append((0, words, mutant.text))
            return
        sure = all(value is True for value in held)
        out.counts["checks sat by the evaluator" if sure else "checks the evaluator cannot say"] += 1


def expectation(mutant: Mutant) -> tuple[Verdict | None, ...]:
    if mutant.claim is not None:
        return mutant.claim.verdicts
    if mutant.reference is None:
        return ()
    checks = mutant.reference.count("(check-sat")
    return agreed_verdicts(mutant.reference, checks, _lab)


def contradicts(said: tuple[Verdict, ...], expected: tuple[Verdict | None, ...]) -> bool:
    pairs = zip(said, expected, strict=False)
    return any(truth is not None and verdict.contradicts(truth) for verdict, truth in pairs)


def agrees(said: tuple[Verdict, ...], expected: tuple[Verdict | None, ...]) -> bool:
    """Every check is decided as claimed."""
    pairs = list(zip(said, expected, strict=False))
    return len(pairs) == len(expected) and all(truth in {None, verdict} for verdict, truth in pairs)


def main() -> None:
    options = parser().parse_args()
    files = [f for f in sorted(options.corpus.rglob("*.smt2")) if f.stat().st_size <= options.longest]
    Random(options.rng).shuffle(files)
    solvers = tuple(options.solver or ("z3", "cvc5"))
    plan = Plan(
        options.strategy,
        tuple(files),
        solvers,
        options.rng,
        options.each,
        options.seconds,
        options.one_by_one,
    )
    total = Tally()
    start = shown = time.monotonic()
    context = multiprocessing.get_context("spawn")
    with context.Pool(options.jobs, prepare, (plan,)) as pool:
        # More tasks than needed: a seed may be unsuitable for the strategy.
        for number, outcome in enumerate(pool.imap_unordered(task, range(100 * options.count))):
            total.counts.update(outcome.counts)
            for found in outcome.found:
                keep(found, total, options.out)
            if time.monotonic() - shown > _PROGRESS_SECONDS:
                shown = time.monotonic()
                print(f"{number + 1} draws, {summary(total)}, {shown - start:.0f} s", flush=True)
            if total.counts["claimed"] - total.counts["decided by 0"] >= options.count:
                break
        pool.terminate()
    print(f"{options.strategy}, rng {options.rng}, {' and '.join(solvers)}: {summary(total)}")


def keep(found: tuple[int, str, str], total: Tally, out: Path | None) -> None:
    by, words, text = found
    total.found.append(found)
    where = ""
    if out is not None and text:
        out.mkdir(parents=True, exist_ok=True)
        where = f" {out / f'{len(total.found):03}-by-{by}.smt2'}"
        Path(where.strip()).write_text(text)
    kind = {0: "BROKEN", 1: "contradicted by one"}.get(by, "CONTRADICTED BY ALL")
    print(f"{kind}:{where} {words}", flush=True)


def summary(total: Tally) -> str:
    counts = ", ".join(f"{count} {what}" for what, count in sorted(total.counts.items()))
    by = Counter(found[0] for found in total.found)
    return f"{counts}; contradicted by one {by[1]}, by two {by[2]}, broken {by[0]}"


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.strategies.claims", __doc__)
    made.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument("strategy", metavar="STRATEGY", help="a strategy with claims or references")
    made.add_argument("count", type=int, metavar="COUNT", help="number of decided mutants")
    made.add_argument("--solver", action="append", metavar="S", help="solver (default: z3 and cvc5)")
    made.add_argument("--rng", type=int, default=1, metavar="N", help="random seed")
    made.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default 2)")
    made.add_argument(
        "--seconds", type=float, default=1.0, metavar="S", help="limit of a solver call (default 1)"
    )
    made.add_argument(
        "--longest", type=int, default=6000, metavar="BYTES", help="longest seed (default 6,000)"
    )
    made.add_argument(
        "--each", type=int, default=10, metavar="N", help="mutants per draw of seeds (default 10)"
    )
    made.add_argument("--one-by-one", action="store_true", help="ask a second solver only if necessary")
    made.add_argument("--out", type=Path, metavar="DIR", help="store contradictions here")
    return made


if __name__ == "__main__":
    main()
