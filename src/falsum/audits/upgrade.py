"""What changes for queries with another solver: verdicts, and the CPU time they take.

A difference that the first runs show is only suspected: it is tested by further ones, both solvers in turn,
each time with another random seed. The runs that raised the suspicion are no part of the test.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from msgspec import structs

from falsum.audits import comparison
from falsum.audits.answers import Respondents
from falsum.audits.comparison import Comparison, Pair, Side
from falsum.audits.evidence import judge_check
from falsum.audits.query.features import cluster_of
from falsum.audits.query.queries import Query
from falsum.audits.query.seeds import without_seeds
from falsum.audits.rows import Change, UpgradeRow
from falsum.audits.run import Examined, Note, notes_of
from falsum.solvers.solver import Solver

_CLUSTERED: Final = frozenset({Change.LOST, Change.REJECTED})
SEEDS: Final = 3


@dataclass(frozen=True, slots=True)
class UpgradePlan:
    """The plan: `seeds` runs on each side look for differences, `repeats` runs test the suspected ones."""

    old: Solver
    new: tuple[Solver, ...]
    seeds: int = SEEDS
    factor: float = comparison.FACTOR
    repeats: int = comparison.REPEATS


class Upgrade:
    """Compares one solver with others on queries."""

    kind = UpgradeRow

    def __init__(self, plan: UpgradePlan, respondents: Respondents) -> None:
        self.solvers = (plan.old, *plan.new)
        self.words = (str(plan.seeds), str(plan.factor), str(plan.repeats))
        self._plan = plan
        self._respondents = respondents

    def examine(self, query: Query, text: str) -> Examined[UpgradeRow]:
        """A row for each check of a query and each new solver."""
        rows: list[UpgradeRow] = []
        notes: list[Note] = []
        for new in self._plan.new:
            compared = self.compared(text, new)
            for side in (compared.first.old, compared.first.new):
                notes += notes_of(side.solver, side.answers[0])
            rows += [self._row(query, text, compared, number) for number in range(compared.checks)]
        return Examined(tuple(rows), tuple(dict.fromkeys(notes)))

    def compared(self, text: str, new: Solver) -> Comparison:
        """All runs that a query needs."""
        pair = self._with_run(text, Pair(Side(self._plan.old), Side(new)), 0)
        compared = Comparison(pair, factor=self._plan.factor)
        # What nobody decides takes all the time there is: it is not tried again.
        if any(pair.old.decided(n) or pair.new.decided(n) for n in range(compared.checks)):
            for repeat in range(1, self._plan.seeds):
                if compared.is_suspicious:  # which further runs will test
                    break
                compared = replace(compared, first=self._with_run(text, compared.first, repeat))
        if not compared.is_suspicious:
            return compared
        return replace(compared, further=self._further(text, compared))

    def _further(self, text: str, compared: Comparison) -> Pair:
        """Runs that test suspected differences, until every suspected check has had both outcomes."""
        suspects = compared.suspects
        pair = Pair(Side(compared.first.old.solver), Side(compared.first.new.solver))
        for repeat in range(self._plan.seeds, self._plan.seeds + self._plan.repeats):
            pair = self._with_run(text, pair, repeat)
            if suspects and all(pair.is_mixed(number) for number in suspects):
                break
        return pair

    def _with_run(self, text: str, pair: Pair, repeat: int) -> Pair:
        """One more run on each side with the same random seed; run 0 leaves the query's seed."""
        return Pair(self._with_answer(text, pair.old, repeat), self._with_answer(text, pair.new, repeat))

    def _with_answer(self, text: str, side: Side, repeat: int) -> Side:
        solver, run_solver = (
            (side.solver.seeded(repeat), without_seeds(text)) if repeat else (side.solver, text)
        )
        return side.with_answer(self._respondents.ask(solver, run_solver, repeat))

    def _row(self, query: Query, text: str, compared: Comparison, number: int) -> UpgradeRow:
        first, last = compared.first, compared.last
        before, after = first.old.typical(number), first.new.typical(number)
        row = UpgradeRow(
            query=query.name, check=number + 1, old=first.old.solver.name, new=first.new.solver.name,
            change=Change.CONTRADICTED, before=before.word, after=after.word,
            cpu_before=round(last.old.cpu, 3), cpu_after=round(last.new.cpu, 3),
            effort_before=before.effort, effort_after=after.effort, runs=last.runs,
        )  # fmt: skip
        if compared.is_contradiction(number):
            solvers = (first.old.solver, first.new.solver)
            with self._respondents.lab(solvers) as lab:
                judgement = judge_check(text, number, lab, self._respondents.limits.seconds)
            return structs.replace(row, reason=judgement.reason, suspects=judgement.suspects)
        outcome = compared.outcome(number)
        cluster = cluster_of(outcome.reason, text) if outcome.change in _CLUSTERED else ""
        return structs.replace(
            row, change=outcome.change, reason=outcome.reason, p=outcome.p, cluster=cluster
        )
