"""Time limits that follow the seed."""

from __future__ import annotations

from dataclasses import dataclass, field

from falsum.campaign.fuzz.solver_calls import Interview
from falsum.campaign.fuzz.tally import Tally
from falsum.campaign.fuzz.time_limits import FLOOR, GLANCE, GRANTED_SHARE, MULTIPLE, Pace
from falsum.oracles.case import Case
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


def interviewed(needs: dict[str, float], pace: Pace, **seed: float) -> tuple[ClockLab, Interview]:
    lab = ClockLab(needs)
    interview = Interview(lab, pace, Tally())
    measures = {solver: measure(solver, seconds) for solver, seconds in seed.items()}
    interview.ask_all(Case(Mutant("mutant")), tuple(needs), measures)
    return lab, interview


def test_the_limit_follows_the_seed_between_floor_and_ceiling() -> None:
    pace = Pace(TIMEOUT)
    assert pace.limit(None) == FLOOR
    assert pace.limit(measure("a", 0.001)) == FLOOR
    assert pace.limit(measure("a", 1.0)) == MULTIPLE
    assert pace.limit(measure("a", 9.0)) == TIMEOUT
    # A solver that did not manage the seed gets no time to speak of for its mutants.
    assert pace.limit(measure("a", 5.0, "timed out")) == FLOOR


def test_the_quickest_is_asked_first_and_a_hard_mutant_is_abandoned_by_all() -> None:
    lab, interview = interviewed({"slow": 99.0, "quick": 99.0}, Pace(TIMEOUT), slow=0.3, quick=0.01)
    assert [solver for solver, _limit in lab.limits] == ["quick", "slow"]
    assert lab.limits[1][1] == max(GLANCE, 0.6)
    assert interview.tally.abandoned == 1
    assert interview.tally.granted == 0


def test_an_answer_nearby_is_worth_the_full_limit() -> None:
    pace = Pace(TIMEOUT)
    pace.spent(taking(1000.0))
    lab, interview = interviewed({"quick": 0.01, "late": 3.0}, pace, quick=0.01, late=0.02)
    assert lab.limits[-1] == ("late", TIMEOUT)
    assert interview.tally.granted == 1
    assert interview.tally.said == {"quick": {"sat": 1}, "late": {"sat": 1}}


def test_grants_take_only_their_share() -> None:
    pace = Pace(TIMEOUT)
    assert not pace.grants()
    pace.spent(taking(TIMEOUT / GRANTED_SHARE))
    assert pace.grants()
    pace.spent(taking(TIMEOUT), granted=True)
    assert not pace.grants()


def test_a_slow_machine_stretches_the_floor() -> None:
    pace = Pace(TIMEOUT)
    for _ in range(200):
        pace.spent(taking(0.04, cpu=0.01))
    assert 3.5 * FLOOR < pace.limit(None) < 4.5 * FLOOR
    for _ in range(200):
        pace.spent(taking(0.01, cpu=0.01))
    assert pace.limit(None) < 1.1 * FLOOR


def test_tallies_add_up() -> None:
    one, other = (
        Tally(mutants=1, said={"z3": {"sat": 1}}),
        Tally(mutants=2, said={"z3": {"sat": 2, "unsat": 1}}),
    )
    one.add(other)
    assert one.mutants == 3
    assert one.said == {"z3": {"sat": 3, "unsat": 1}}
    assert Tally(**one.plain()) == one
