"""The checklist says what is missing."""

from __future__ import annotations

import msgspec
from tests.app.report.example import RECORD, ROWS, TARGET, TRIAGE, parts

from falsum.app.report import checklist
from falsum.app.report.parts import ReportParts
from falsum.campaign.triage.bisection import Bisection
from falsum.campaign.triage.result import EvidenceRecord, Reproduced
from falsum.defects.evidence.judgement import Defect


def test_a_report_that_is_ready() -> None:
    ready = msgspec.structs.replace(TRIAGE, bisection=Bisection("z3", TARGET, ROWS[:3]))
    page = checklist.checklist(ReportParts(RECORD, ready), "4.8.7.0")
    assert "Nothing that falsum can check is missing" in page


def test_a_bug_that_is_fixed_is_not_ready() -> None:
    page = checklist.checklist(parts(remarks=("not heard: cvc5",)), "5.4.0.0")
    assert "Not ready. Missing: reproduces in the newest release (5.4.0.0)." in page
    assert "not heard: cvc5" in page


def test_every_point_can_be_missing() -> None:
    judged = msgspec.structs.replace(TRIAGE.judgement, evidence=(EvidenceRecord("majority", "Two to one."),))
    poor = parts(
        judgement=judged, readers=("z3",), cold=Reproduced(2, 3), posed="(check-sat)\n" * 11, bisection=None
    )
    marks = {point.demand.split(" (")[0]: point.is_met for point in checklist.points(poor, "")}
    assert marks["reproduces in fresh processes"] is False
    assert marks["10 lines or fewer"] is False
    assert marks["accepted by two other parsers"] is False
    assert marks["evidence that does not rely on the suspect"] is False
    assert marks["last good and first bad release"] is False


def test_a_script_with_internal_names_is_not_ready() -> None:
    wanted = "no internal names of solvers, no built-in name declared"
    posed = "(declare-const x Int)(declare-fun is (Int) Bool)(assert (= (div_total x 2) 3))(check-sat)"
    points = [point for point in checklist.points(parts(posed=posed), "") if point.demand == wanted]
    said = "internal names of solvers: div_total; declared although built in: is"
    assert points == [checklist.Point(wanted, is_met=False, remark=said)]
    (plain,) = [point for point in checklist.points(parts(), "") if point.demand == wanted]
    assert (plain.is_met, plain.remark) == (True, "the script is plain SMT-LIB")
    (unread,) = [point for point in checklist.points(parts(posed="(assert"), "") if point.demand == wanted]
    assert unread.is_met


def test_a_model_with_names_of_its_own_rests_on_their_difference() -> None:
    judged = msgspec.structs.replace(TRIAGE.judgement, defect=Defect.INVALID_MODEL)
    model = "sat\n((define-fun c () a (as @const_1 a)))"
    for output, ending in (
        (model, "if different `@` names of one sort are different elements"),
        ("", "model"),
    ):
        point = next(
            point
            for point in checklist.points(parts(judgement=judged, output=output), "")
            if point.demand == "evidence that does not rely on the suspect"
        )
        assert point.remark.endswith(ending)


def test_the_quota_of_a_project() -> None:
    (few,) = [point for point in checklist.points(parts(product="cvc5"), "") if "few reports" in point.demand]
    assert few.remark == "at most 3 a week, and one for each component until that is fixed"
