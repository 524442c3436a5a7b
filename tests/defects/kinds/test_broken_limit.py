"""A limit of the solver's own stops it, and neither changes an answer nor spoils the next one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.defects import liars

from falsum.defects import oracle_named
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Ending, EndingKind
from falsum.solvers.fake_lab import Reply

ORACLE = oracle_named("limits")
SAT, UNSAT, UNKNOWN = Verdict.SAT, Verdict.UNSAT, Verdict.UNKNOWN


def replies(script: str, *limited: Verdict) -> Answer:
    """The verdicts of the script with those after it: these under a resource limit, else the right ones."""
    right = (SAT, SAT, UNSAT, SAT) if "assert false" in script else (SAT,)
    return Answer(limited if ":rlimit" in script and limited else right, FINISHED)


def evidence(solver: Callable[[str], Reply], script: str = liars.POSITIVE) -> str:
    found = ORACLE.find(liars.case_of(script), liars.lab_of(z3=solver))
    return found.evidence if found is not None else ""


@pytest.mark.parametrize(
    ("limited", "text"),
    [
        ((UNSAT, UNKNOWN, UNSAT, UNKNOWN), "answers unsat to check 1 (sat without a limit)"),
        ((UNKNOWN, UNSAT, UNSAT, UNKNOWN), "answers unsat to check 2 (sat without a limit)"),
        ((UNKNOWN, UNKNOWN, SAT, UNKNOWN), "answers sat to check 3 (unsat without a limit)"),
        ((UNKNOWN, UNKNOWN, UNSAT, UNSAT), "answers unsat to check 4 (sat without a limit)"),
    ],
)
def test_an_answer_under_a_limit_or_after_it_is_wrong(limited: tuple[Verdict, ...], text: str) -> None:
    assert evidence(lambda script: replies(script, *limited)) == f"z3 {text} under :rlimit 100"


def test_giving_up_is_no_finding() -> None:
    assert not evidence(lambda script: replies(script, *[UNKNOWN] * 4))
    assert not evidence(lambda script: replies(script, UNKNOWN, SAT, UNSAT, SAT))


def test_what_is_wrong_without_a_limit_as_well_is_no_matter_of_limits() -> None:
    wrong = Answer((SAT, UNSAT, UNSAT, SAT), FINISHED)
    assert not evidence(lambda script: wrong if "assert false" in script else "sat")


@pytest.mark.parametrize(
    ("cpu", "text"),
    [
        (5.5, "z3 is not stopped (after 5.5 s of CPU time) under :rlimit 100"),
        (4.5, ""),  # a busy machine takes its time, not the solver's CPU
    ],
)
def test_a_limit_that_does_not_stop(cpu: float, text: str) -> None:
    late = Answer((), Ending(EndingKind.TIMED_OUT), cpu=9.0, seconds=10.0)
    assert evidence(lambda script: replace(late, cpu=cpu) if "set-option" in script else late) == text


def test_a_crash_under_a_limit_counts_if_there_is_none_without() -> None:
    def crashes(script: str) -> Reply:
        return (
            Answer((UNKNOWN,), Ending(EndingKind.CRASHED, detail="SIGSEGV")) if ":rlimit" in script else "sat"
        )

    assert "under :rlimit 100" in evidence(crashes)
    assert not evidence(lambda _script: Answer((), Ending(EndingKind.CRASHED, detail="SIGSEGV")))


@pytest.mark.parametrize(
    "script",
    [
        "(declare-const a Bool)(check-sat-assuming (a))",  # the check after it would ask something else
        "(declare-const x Int)(frobnicate x)(check-sat)",
    ],
)
def test_scripts_that_cannot_be_continued_are_left_alone(script: str) -> None:
    assert not evidence(lambda text: "unsat" if ":rlimit" in text else "sat", script)
