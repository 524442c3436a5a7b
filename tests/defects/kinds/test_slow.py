"""Slow: compared with an older release, an equivalent script, or the seed and two other products."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.defects import liars

from falsum.defects.case import Case
from falsum.defects.confirmation import examine
from falsum.defects.kinds.slow import SlowOracle
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.fake_lab import Reply
from falsum.strategies.mutant import Mutant, Seed

SLOW = replace(liars.sat(), cpu=8.0)
STOPPED = replace(liars.TIMED_OUT, cpu=9.0)
QUICK = replace(liars.sat(), cpu=0.2)
UNSURE = Answer((Verdict.UNKNOWN,), FINISHED)
SEED = Seed("seed.smt2", liars.AGREEING[liars.POSITIVE])
CASE = Case(Mutant(liars.POSITIVE), (SEED,))
EQUIVALENT = Case(Mutant(liars.POSITIVE, reference=SEED.text), (SEED,))


@pytest.mark.parametrize(
    ("case", "replies", "evidence"),
    [
        (CASE, {"z3": SLOW, "z3@4.8.6": QUICK}, "z3 takes 8.0 s of CPU; z3@4.8.6 takes 0.20 s"),
        (CASE, {"z3": STOPPED, "z3@4.8.6": QUICK}, "z3 is stopped after 9.0 s of CPU; z3@4.8.6 takes 0.20 s"),
        (CASE, {"z3@4.8.6": SLOW, "z3": QUICK}, ""),
        (
            EQUIVALENT,
            {"z3": SLOW},
            "it takes 0.20 s for the script that the mutant is ",
        ),
        (
            CASE,
            {"z3": SLOW, "cvc5": QUICK, "bitwuzla": QUICK},
            "0.20 s for the seed, and cvc5, bitwuzla",
        ),
        # One other product may have been lucky.
        (CASE, {"z3": SLOW, "cvc5": QUICK}, ""),
        (CASE, {"z3": SLOW, "cvc5": QUICK, "cvc4": QUICK}, ""),
        (CASE, {"z3": SLOW}, ""),
        (EQUIVALENT, {"z3": replace(SLOW, cpu=3.9)}, ""),
        # Just long enough, and just not.
        (EQUIVALENT, {"z3": replace(SLOW, cpu=5.0)}, "z3 takes 5.0 s of CPU"),
        (EQUIVALENT, {"z3": replace(SLOW, cpu=4.9)}, ""),
        (CASE, {"z3": SLOW, "z3@4.8.6": replace(QUICK, cpu=0.4)}, "z3@4.8.6 takes 0.40 s"),
        (CASE, {"z3": SLOW, "z3@4.8.6": replace(QUICK, cpu=0.41)}, ""),
        (CASE, {"z3": SLOW, "z3@4.8.6": Answer((Verdict.SAT, Verdict.UNKNOWN), FINISHED, cpu=0.2)}, ""),
        # Settings select other engines, which may well be slow.
        (EQUIVALENT, {"z3:smt.arith.solver=2": SLOW}, ""),
        # A crash takes as long as it takes.
        (EQUIVALENT, {"z3": Answer((), liars.CRASH, cpu=8.0)}, ""),
        # Two seeds do not tell what a mutant of both should take.
        (Case(CASE.mutant, (SEED, SEED)), {"z3": SLOW, "cvc5": QUICK, "bitwuzla": QUICK}, ""),
        # Somebody who gives up is quick, too.
        (CASE, {"z3": SLOW, "z3@4.8.6": replace(UNSURE, cpu=0.2)}, ""),
        (CASE, {"z3": SLOW, "z3@4.8.6": liars.REJECTED}, ""),
    ],
)
def test_what_counts_as_slow(case: Case, replies: dict[str, Answer], evidence: str) -> None:
    def answering(reply: Answer) -> Callable[[str], Reply]:
        return lambda script: reply if script == liars.POSITIVE else QUICK

    lab = liars.lab_of(**{name: answering(reply) for name, reply in replies.items()})
    finding = SlowOracle().find(case, lab)
    assert (finding is not None) is bool(evidence)
    if finding is not None:
        assert evidence in finding.evidence
        assert finding.signature == f"slow | {finding.suspects[0]} | Arithmetic"


def test_what_is_slow_by_chance_is_dropped() -> None:
    """Slow when it is asked first, quick in one of three fresh processes."""
    times = iter([8.0, 8.0, 0.3, 8.0, 8.0])

    def sometimes(script: str) -> Reply:
        return replace(SLOW, cpu=next(times)) if script == liars.POSITIVE else QUICK

    assert examine(SlowOracle(), EQUIVALENT, liars.lab_of(z3=sometimes)) is None
