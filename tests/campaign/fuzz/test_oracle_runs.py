"""Oracles that ask more are run on a share of the mutants; what chance explains is asked about once."""

from __future__ import annotations

from dataclasses import replace

from tests.campaign.places import HONEST, state_of
from tests.defects import liars

from falsum.campaign.fuzz.oracle_runs import OracleRuns
from falsum.campaign.fuzz.solver_calls import SolverCalls
from falsum.campaign.fuzz.worker_state import WorkerState
from falsum.campaign.tally import FuzzTally
from falsum.defects.case import Case
from falsum.defects.kinds.crash import CrashOracle
from falsum.defects.kinds.slow import SlowOracle
from falsum.defects.kinds.wrong_core import CoreOracle
from falsum.strategies.mutant import Mutant, Seed


def runs_of(state: WorkerState, rng: str = "7:1") -> OracleRuns:
    calls = SolverCalls(state.lab, state.time_limits, FuzzTally())
    return OracleRuns(state, calls, "opfuzz", rng, 1)


def test_a_share_is_drawn_evenly_and_again_the_same() -> None:
    with state_of(HONEST) as state:
        runs = runs_of(state)
        drawn = [number for number in range(6400) if runs.is_drawn(CoreOracle(), number)]
        assert 60 <= len(drawn) <= 140
        assert drawn == [number for number in range(6400) if runs.is_drawn(CoreOracle(), number)]
        assert drawn != [n for n in range(6400) if runs_of(state, "7:2").is_drawn(CoreOracle(), n)]
        assert all(runs.is_drawn(CrashOracle(), number) for number in (-1, 0, 1))
        # The seed itself is not looked at so closely.
        assert not runs.is_drawn(CoreOracle(), -1)


def test_what_is_not_confirmed_is_not_asked_about_again() -> None:
    """The answers of the batch were slow; fresh processes are quick, and no finding is made of it."""
    text = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 5))(check-sat)"
    case = Case(Mutant(text, reference=text + "\n"), (Seed("seed", text),))
    slow = replace(liars.sat(), cpu=9.0)
    with state_of(HONEST) as state:
        runs = runs_of(state)
        for number in range(2):
            runs.judge(case, {HONEST: slow}, number, lambda _solver: 1.0)
            asked = state.lab.usage.cold
        assert runs.findings == []
        assert runs.sightings == []
        assert state.known == {f"slow | {HONEST} | Arithmetic": ""}
        assert asked == state.lab.usage.cold
    assert SlowOracle.drops_unconfirmed
