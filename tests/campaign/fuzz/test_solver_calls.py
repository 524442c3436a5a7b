"""All solvers are asked about a mutant, within limits that follow the seed."""

from __future__ import annotations

from dataclasses import dataclass, field

from falsum.campaign.fuzz.solver_calls import SolverCalls
from falsum.campaign.search.time_rules import (
    AFTER_TIMEOUT_SECONDS,
    GRANTED_SECONDS,
    LATE_SHARE,
    MIN_SECONDS,
    TimeLimits,
)
from falsum.campaign.tally import FuzzTally
from falsum.defects.case import Case
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Ending, EndingKind
from falsum.solvers.request import Request
from falsum.store.records import MeasureRecord
from falsum.strategies.mutant import Mutant

TIMEOUT = 10.0


def measure(solver: str, seconds: float, ending: str = "finished") -> MeasureRecord:
    return MeasureRecord(solver, seconds, ("sat",), ending)


def taking(seconds: float, cpu: float = 0.0) -> Answer:
    return Answer((Verdict.SAT,), FINISHED, seconds=seconds, cpu=cpu)


@dataclass
class ClockLab:
    """Solvers that need a known time for every script."""

    needs: dict[str, float]
    limits: list[tuple[str, float | None]] = field(default_factory=list)

    @property
    def solvers(self) -> tuple[str, ...]:
        return tuple(self.needs)

    def ask(self, request: Request) -> Answer:
        if request.script != "mutant":
            return Answer((Verdict.SAT,), FINISHED)
        self.limits.append((request.solver, request.seconds))
        limit = request.seconds or TIMEOUT
        needed = self.needs[request.solver]
        if needed > limit:
            return Answer((), Ending(EndingKind.TIMED_OUT), seconds=limit)
        return Answer((Verdict.SAT,), FINISHED, seconds=needed)


def asked(needs: dict[str, float], limits: TimeLimits, **seed: float) -> tuple[ClockLab, FuzzTally]:
    lab = ClockLab(needs)
    tally = FuzzTally()
    measures = {solver: measure(solver, seconds) for solver, seconds in seed.items()}
    SolverCalls(lab, limits, tally).ask_all(Case(Mutant("mutant")), tuple(needs), measures)
    return lab, tally


def test_the_quickest_is_asked_first_and_a_hard_mutant_is_abandoned_by_all() -> None:
    lab, tally = asked({"slow": 99.0, "quick": 99.0}, TimeLimits(TIMEOUT), slow=0.3, quick=0.01)
    assert [solver for solver, _limit in lab.limits] == ["quick", "slow"]
    assert lab.limits[1][1] == max(AFTER_TIMEOUT_SECONDS, 0.6)
    assert tally.abandoned == 1
    assert tally.granted == 0


def test_a_solver_that_was_late_is_given_less_time_until_it_answers() -> None:
    lab = ClockLab({"one": 99.0})
    calls = SolverCalls(lab, TimeLimits(TIMEOUT), FuzzTally())
    for needed in (99.0, 99.0, 0.01, 0.01):
        lab.needs["one"] = needed
        calls.ask_all(Case(Mutant("mutant")), ("one",), {})
    short = LATE_SHARE * MIN_SECONDS
    assert [limit for _solver, limit in lab.limits] == [MIN_SECONDS, short, short, MIN_SECONDS]


def test_an_answer_nearby_is_worth_much_more_time() -> None:
    limits = TimeLimits(TIMEOUT)
    limits.spent(taking(1000.0))
    lab, tally = asked({"quick": 0.01, "late": 0.6}, limits, quick=0.01, late=0.02)
    assert lab.limits[-1] == ("late", GRANTED_SECONDS)
    assert tally.granted == 1
    assert tally.said == {"quick": {"sat": 1}, "late": {"sat": 1}}
