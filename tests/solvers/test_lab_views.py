"""Views of a lab: what they pass on, what they change, what they keep."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import pytest

from falsum.errors import UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Ending, EndingKind
from falsum.solvers.lab_views import (
    AnsweredLab,
    ColdLab,
    DeadlineLab,
    RecordingLab,
    SubsetLab,
    TimeLimitLab,
    without,
)
from falsum.solvers.request import Request, Want

SAT = Answer((Verdict.SAT,), FINISHED)
UNSAT = Answer((Verdict.UNSAT,), FINISHED)


@dataclass
class Requests:
    """A lab that answers sat and keeps the requests."""

    solvers: tuple[str, ...] = ("a", "b", "c")
    made: list[Request] = field(default_factory=list)

    def ask(self, request: Request) -> Answer:
        self.made.append(request)
        return SAT


@pytest.fixture
def lab() -> Requests:
    return Requests()


def test_a_subset_answers_for_its_own_solvers_only(lab: Requests) -> None:
    view = without(lab, ["b"])
    assert view == SubsetLab(lab, ("a", "c"))
    request = Request("c", "x", Want.CORE, cold=True)
    assert view.ask(request) is SAT
    with pytest.raises(UsageError, match="no solver 'b'"):
        view.ask(Request("b", "x"))
    assert lab.made == [request]


def test_a_cold_lab_asks_again_with_the_full_limit(lab: Requests) -> None:
    view = ColdLab(lab)
    view.ask(Request("a", "x", Want.MODEL, seconds=1.0))
    assert view.solvers == lab.solvers
    assert lab.made == [Request("a", "x", Want.MODEL, cold=True, again=True)]


def test_a_recording_keeps_the_last_answer_to_each_request(lab: Requests) -> None:
    view = RecordingLab(lab)
    for request in (Request("a", "x"), Request("a", "x", cold=True), Request("a", "x", again=True)):
        view.ask(request)
    assert [exchange.request for exchange in view.exchanges] == [
        Request("a", "x", again=True),
        Request("a", "x", cold=True),
    ]
    assert all(exchange.answer is SAT for exchange in view.exchanges)


def test_the_shorter_time_limit_counts(lab: Requests) -> None:
    view = TimeLimitLab(lab, 2.0)
    for seconds in (None, 1.0, 3.0):
        view.ask(Request("a", "x", seconds=seconds))
    assert [request.seconds for request in lab.made] == [2.0, 1.0, 2.0]


def test_time_outs_may_cost_only_so_much() -> None:
    late = Answer((), Ending(EndingKind.TIMED_OUT), seconds=0.3)
    answers = iter([late, SAT, late, SAT])

    class Slow:
        solvers = ("a",)

        def ask(self, _request: Request) -> Answer:
            return next(answers)

    view = TimeLimitLab(Slow(), 1.0, most_lost=0.5)
    said = [view.ask(Request("a", text)) for text in "xyzuv"]
    assert said[:3] == [late, SAT, late]
    # 0.6 seconds are lost: the solver is not asked again.
    assert [answer.ending.kind for answer in said[3:]] == [EndingKind.TIMED_OUT] * 2
    assert next(answers) is SAT


def test_after_the_deadline_every_answer_is_a_time_out(lab: Requests) -> None:
    view = DeadlineLab(lab, time.monotonic() + 60)
    assert view.ask(Request("a", "x")) is SAT
    assert 0 < (lab.made[0].seconds or 0) <= 60
    late = DeadlineLab(lab, time.monotonic() - 1)
    assert late.ask(Request("b", "x")).ending.kind is EndingKind.TIMED_OUT
    assert late.missed == {"b"}
    assert len(lab.made) == 1


def test_known_answers_are_not_asked_for_again(lab: Requests) -> None:
    view = AnsweredLab(lab, "x", Want.MODEL, {"a": UNSAT, "c": SAT}, lambda _solver: 7.0)
    assert view.solvers == ("a", "c")
    assert view.ask(Request("a", "x", Want.MODEL)) is UNSAT
    for request in (Request("a", "x"), Request("a", "y", Want.MODEL, seconds=3.0)):
        assert view.ask(request) is SAT
    assert view.ask(Request("a", "x", Want.MODEL, cold=True)) is SAT
    assert lab.made == [
        Request("a", "x", seconds=7.0),
        Request("a", "y", Want.MODEL, seconds=3.0),
        Request("a", "x", Want.MODEL, cold=True),
    ]
