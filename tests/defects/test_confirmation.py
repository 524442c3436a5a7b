"""Confirmation: whose answers make a finding a leak, and which of the fresh processes is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from tests.defects import liars

from falsum.defects.confirmation import examine
from falsum.defects.defect import Oracle
from falsum.defects.finding import FLAKY
from falsum.defects.kinds.crash import CrashOracle
from falsum.defects.kinds.incompleteness import IncompletenessOracle
from falsum.defects.kinds.slow import SlowOracle
from falsum.defects.kinds.wrong_verdict.disagreement import DisagreementOracle
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.request import Request

SAT, UNSAT, UNKNOWN, _MISSING = (Answer((verdict,), FINISHED) for verdict in Verdict)


@dataclass
class WarmAndColdLab:
    """Solvers with a warm answer each, and answers of fresh processes, in turn."""

    answers: dict[str, tuple[Answer, Sequence[Answer]]]
    asked: list[str] = field(default_factory=list)

    @property
    def solvers(self) -> tuple[str, ...]:
        return tuple(self.answers)

    def ask(self, request: Request) -> Answer:
        warm, cold = self.answers[request.solver]
        if not request.cold:
            return warm
        self.asked.append(request.solver)
        return cold[(self.asked.count(request.solver) - 1) % len(cold)]


def test_the_finding_and_its_answers_are_of_the_last_fresh_process() -> None:
    crashes = [
        Answer((), Ending(EndingKind.CRASHED, Cause.ASSERTION, f"{word} > 0 failed at a.cpp"))
        for word in ("one", "two", "three")
    ]
    found = examine(CrashOracle(), liars.case_of(), WarmAndColdLab({"s": (crashes[0], crashes)}))
    assert found is not None
    assert "three > 0" in found.evidence
    assert [exchange.answer for exchange in found.exchanges] == crashes[2:]


def test_a_leak_is_told_with_the_answers_of_its_own_solver() -> None:
    """The others answer before it, and as fresh processes of it do."""
    lab = WarmAndColdLab({"a": (SAT, [SAT]), "b": (SAT, [SAT]), "leaking": (UNSAT, [SAT])})
    found = examine(DisagreementOracle(), liars.case_of(), lab)
    assert found is not None
    assert (found.kind, found.suspects) == ("leak", ("leaking",))
    assert found.evidence == "leaking: unsat when warm, sat when cold"


def test_of_two_suspects_that_only_know_less_when_cold_nobody_leaks() -> None:
    lab = WarmAndColdLab({"a": (SAT, [UNKNOWN]), "b": (UNSAT, [UNKNOWN])})
    found = examine(DisagreementOracle(), liars.case_of(), lab)
    assert found is not None
    assert (found.kind, found.seemed, found.suspects) == (FLAKY, "disagreement", ("a", "b"))


@pytest.mark.parametrize("oracle", [IncompletenessOracle(), SlowOracle()], ids=lambda oracle: oracle.name)
def test_what_chance_explains_is_dropped(oracle: Oracle) -> None:
    """A busy machine makes a solver give up, or take long, once."""
    late = replace(UNKNOWN, cpu=6.0)
    for cold in ([SAT], [late, late, SAT]):
        lab = WarmAndColdLab({"z3@4.8": (SAT, [SAT]), "z3": (late, cold)})
        assert oracle.find(liars.case_of(), lab) is not None
        assert examine(oracle, liars.case_of(), lab) is None
