"""The judge when its time is up: after so many requests, only what nobody could change is held."""

from __future__ import annotations

import pytest
from tests.defects.test_judge import POSITIVE, STRANGE, X_IS_3, MixedLab, Says, about
from tests.defects.test_judge_branches import solver

from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.judge import judge
from falsum.solvers.answer import Answer, Cause, Ending, EndingKind
from falsum.solvers.request import Request

CRASH = Answer((), Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV"))


class ClockLab(MixedLab):
    """Every request takes a second."""

    now = 0.0

    def ask(self, request: Request) -> Answer:
        self.now += 1.0
        return super().ask(request)


def judged_in_time(
    text: str, solvers: dict[str, Says], patch: pytest.MonkeyPatch
) -> tuple[list[Judgement], Judgement]:
    """The judgements with too little time, by how much there is, and the one with just enough."""

    def within(requests: int) -> tuple[Judgement, int]:
        lab = ClockLab(None, **solvers)
        patch.setattr("time.monotonic", lambda: lab.now)
        judgement = judge(text, (), lab.solvers, lab, seconds=requests - 0.5)
        return judgement, round(lab.now)

    whole, needed = within(1000)
    assert within(needed) == (whole, needed)
    return [within(requests)[0] for requests in range(1, needed)], whole


def test_a_majority_that_is_not_complete_blames_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    solvers = {"a": solver("sat"), "b": solver("sat"), "c": solver("unsat")}
    early, whole = judged_in_time(STRANGE, solvers, monkeypatch)
    assert whole.suspects == ("c",)
    assert early
    assert all((found.defect, found.suspects, found.truth) == (Defect.UNDECIDED, (), None) for found in early)
    cut = [found.evidence for found in early if found.evidence[0].kind == "time"]
    blaming = [each for each in cut if "no solver is blamed" in each[0].text]
    assert blaming
    assert all(rest for _first, *rest in cut)
    assert all("not everything was looked at" in each[0].text for each in cut if each not in blaming)


@pytest.mark.parametrize(
    ("solvers", "defect", "suspects"),
    [
        (
            {"a": solver("sat", X_IS_3, text=POSITIVE), "b": solver("unsat", text=POSITIVE)},
            Defect.REFUTATION_UNSOUNDNESS,
            ("b",),
        ),
        ({"a": about(POSITIVE, CRASH), "b": solver("sat", text=POSITIVE)}, Defect.CRASH, ("a",)),
    ],
)
def test_a_model_and_a_crash_are_held(
    solvers: dict[str, Says], defect: Defect, suspects: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    early, whole = judged_in_time(POSITIVE, solvers, monkeypatch)
    assert (whole.defect, whole.suspects) == (defect, suspects)
    assert (defect, suspects) in [(found.defect, found.suspects) for found in early]
    assert not any("no solver is blamed" in found.evidence[0].text for found in early)
