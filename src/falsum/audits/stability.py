"""How often a solver decides variants of a query that mean the same, and Mariposa's categories.

The tests are exact binomial ones, where Mariposa has a normal approximation. A query gets no more variants
once all of its checks are clear: by sequential tests, which are valid after every variant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from random import Random
from statistics import fmean, stdev
from typing import Final

from falsum.audits.answers import CheckAnswer, QueryAnswer, Respondents
from falsum.audits.query.queries import Query
from falsum.audits.query.seeds import without_seeds
from falsum.audits.query.variants import Rewriting, variant
from falsum.audits.rows import Category, StabilityRow
from falsum.audits.run import Examined, Note, notes_of
from falsum.audits.statistics import at_least_p, at_most_p, likelihood_ratio, median, wilson
from falsum.solvers.solver import Solver

VARIANTS: Final = 60
KINDS: Final = tuple(Rewriting)
# From so many variants on it is seen whether more are needed.
FIRST_LOOK: Final = 10
# Mariposa's: solvable from 5 % on, stable from 95 % on, significant at 5 %.
SOLVABLE: Final = 0.05
STABLE: Final = 0.95
SIGNIFICANT: Final = 0.05
# What is nowhere near a boundary: a query that is decided at this rate, or at one minus it, is unstable.
CLEARLY_UNSTABLE: Final = 0.8
# Of so many variants in a row none fails, or none is decided, with a probability of 5 % if the rate is 85 %.
IN_A_ROW: Final = 19
# The time limit is so many standard deviations of the logarithm of times above their mean. A few equal times
# do not say that there is no deviation.
_DEVIATIONS: Final = 4.0
_LEAST_DEVIATION: Final = 0.2
# Below it the time is that of starting a program and reading.
_LEAST_TIME: Final = 0.05


_EARLY: Final = {
    Category.STABLE: "all decided",
    Category.UNSOLVABLE: "none decided",
    Category.UNSTABLE: "clearly between 5 % and 95 %",
}


@dataclass(frozen=True, slots=True)
class Trial:
    """A variant, by its kind, and the answer to it."""

    kind: Rewriting
    answer: QueryAnswer

    def check(self, number: int) -> CheckAnswer:
        checks = self.answer.checks
        return checks[number] if number < len(checks) else CheckAnswer(ending="no answer")


@dataclass(frozen=True, slots=True)
class StabilityPlan:
    """The plan; `variants` limits the number of variants of each query."""

    solvers: tuple[Solver, ...]
    variants: int = VARIANTS
    is_adaptive: bool = True


class Stability:
    """Asks solvers about variants of queries."""

    kind = StabilityRow

    def __init__(self, plan: StabilityPlan, respondents: Respondents) -> None:
        self.solvers = plan.solvers
        self.words = (str(plan.variants), str(plan.is_adaptive))
        self._plan = plan
        self._respondents = respondents

    def examine(self, query: Query, text: str) -> Examined[StabilityRow]:
        """A row for each check of a query and each solver."""
        rows: list[StabilityRow] = []
        notes: list[Note] = []
        for solver in self.solvers:
            trials = self._trials(solver, text)
            count = max(len(trial.answer.checks) for trial in trials)
            notes += notes_of(solver, trials[0].answer)
            rows += [self._row(query, solver, trials, number) for number in range(count)]
        return Examined(tuple(rows), tuple(dict.fromkeys(notes)))

    def _trials(self, solver: Solver, text: str) -> list[Trial]:
        """The variants, until every check is clear."""
        trials: list[Trial] = []
        for number in range(self._plan.variants):
            kind = KINDS[number % len(KINDS)]
            trials.append(Trial(kind, self.ask(solver, text, number)))
            if self._plan.is_adaptive and len(trials) >= FIRST_LOOK:
                checks = max(len(trial.answer.checks) for trial in trials)
                if all(self._early(trials, check) for check in range(checks)):
                    break
        return trials

    def ask(self, solver: Solver, text: str, number: int) -> QueryAnswer:
        """The answer to the variant with this number, from 0."""
        return ask_variant(self._respondents, solver, text, number)

    def _early(self, trials: Sequence[Trial], check: int) -> tuple[Category, str] | None:
        """The category of a check that needs no more variants, and the reason."""
        successes = _successes([trial.check(check) for trial in trials])
        if clear := early_category(successes, len(trials)):
            return clear, _EARLY[clear]
        times = [trial.answer.cpu for trial in trials]
        if successes == len(trials) and _is_far(times, self._respondents.limits.cpu_seconds):
            return Category.STABLE, f"all decided, {_DEVIATIONS:g} standard deviations within the time limit"
        return None

    def _row(self, query: Query, solver: Solver, trials: Sequence[Trial], check: int) -> StabilityRow:
        answers = [trial.check(check) for trial in trials]
        successes, count = _successes(answers), len(answers)
        low, high = wilson(successes, count)
        early = self._early(trials, check) if count < self._plan.variants else None
        times = [trial.answer.cpu for trial in trials]
        verdicts = sorted({each.verdict for each in answers if each.decided})
        failures = sorted({each.word for each in answers if not each.decided})
        both = "it answers sat to some variants and unsat to others; " if len(verdicts) > 1 else ""
        return StabilityRow(
            query=query.name, check=check + 1, solver=solver.name,
            category=early[0] if early else category(successes, count),
            verdict=" and ".join(verdicts), successes=successes, variants=count,
            low=round(low, 4), high=round(high, 4), by_kind=_by_kind(trials, check),
            cpu_median=round(median(times), 3), cpu_max=round(max(times), 3),
            reason=both + "; ".join(failures), stopped_early=early[1] if early else "",
        )  # fmt: skip


def ask_variant(respondents: Respondents, solver: Solver, text: str, number: int) -> QueryAnswer:
    """The answer to a variant of a query; its kind follows from its number."""
    kind = KINDS[number % len(KINDS)]
    rng = Random(f"{number}/{kind}")
    changed_text = variant(text, kind, rng)
    if kind in (Rewriting.SEED, Rewriting.ALL):
        solver, changed_text = solver.seeded(1 + number), without_seeds(changed_text)
    return respondents.ask(solver, changed_text, number)


def early_category(successes: int, variants: int) -> Category | None:
    """The category of a success rate that is clear already; None if it takes more variants.

    Unstable is tested by likelihood ratios (Wald): a rate of 80 % against 95 %, and 20 % against 5 %. However
    often the ratio is tested, it reaches 20 in at most one of 20 queries with the other rate.
    """
    failures = variants - successes
    if variants >= IN_A_ROW and not (successes and failures):
        return Category.STABLE if successes else Category.UNSOLVABLE
    below = likelihood_ratio(successes, failures, CLEARLY_UNSTABLE, STABLE)
    above = likelihood_ratio(failures, successes, CLEARLY_UNSTABLE, 1 - SOLVABLE)
    return Category.UNSTABLE if min(below, above) >= 1 / SIGNIFICANT else None


def category(successes: int, variants: int) -> Category:
    """Mariposa's category of a success rate; inconclusive with few variants."""
    if at_most_p(successes, variants, SOLVABLE) <= SIGNIFICANT:
        return Category.UNSOLVABLE
    if at_least_p(successes, variants, STABLE) <= SIGNIFICANT:
        return Category.STABLE
    below = at_most_p(successes, variants, STABLE) <= SIGNIFICANT
    above = at_least_p(successes, variants, SOLVABLE) <= SIGNIFICANT
    return Category.UNSTABLE if below and above else Category.INCONCLUSIVE


def _is_far(times: Sequence[float], limit: float) -> bool:
    """Whether times are so far below a limit that it does not matter."""
    logs = [log(max(_LEAST_TIME, each)) for each in times]
    return fmean(logs) + _DEVIATIONS * max(_LEAST_DEVIATION, stdev(logs)) <= log(limit)


def _successes(answers: Sequence[CheckAnswer]) -> int:
    """The number of answers with the most frequent verdict."""
    verdicts = [each.verdict for each in answers if each.decided]
    return max((verdicts.count(each) for each in set(verdicts)), default=0)


def _by_kind(trials: Sequence[Trial], check: int) -> dict[str, tuple[int, int]]:
    counts: dict[str, tuple[int, int]] = {}
    for trial in trials:
        good, of = counts.get(trial.kind, (0, 0))
        counts[str(trial.kind)] = good + (trial.check(check).decided is not None), of + 1
    return counts
