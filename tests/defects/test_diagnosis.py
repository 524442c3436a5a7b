"""What is wrong with the answers to a script that somebody brings: the gravest first, and the first check."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.defects.test_same_defect_requests import (
    ALARM,
    CRASH,
    REJECTED,
    SCRIPT,
    X_IS_0,
    X_IS_1,
    lab_of,
    said,
)

from falsum.defects.case import Case
from falsum.defects.diagnosis import diagnose
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.request import Want
from falsum.strategies.mutant import Mutant

INCREMENTAL = """(declare-const x Int)(assert (> (abs x) 3))(check-sat)
(push 1)(assert (> x 7))(check-sat)(pop 1)
(assert (< x 0))(check-sat)"""
# Valid models at the three checks.
VALID = ("4", "8", "(- 9)")


@pytest.mark.usefixtures("no_luck")
@pytest.mark.parametrize(
    ("answers", "defect", "suspect"),
    [
        # Nobody has shown who is right of the two that contradict each other; the crash is shown.
        ({"a": ALARM, "b": CRASH, "c": said("sat")}, "crash", "b"),
        ({"a": ALARM, "c": said("unsat")}, "refutation unsoundness", "c"),
        ({"a": said("sat", model=X_IS_1), "b": said("sat", model=X_IS_0)}, "invalid model", "b"),
        ({"a": ALARM, "b": said("sat", model=X_IS_0)}, "invalid model", "b"),
        ({"a": ALARM, "b": said("sat")}, "crash", "a"),
        ({"a": ALARM, "b": CRASH}, "crash", "b"),
        ({"a": ALARM, "b": said("sat"), "c": said("unsat")}, "refutation unsoundness", "c"),
        ({"a": CRASH, "b": said("sat"), "c": said("unsat")}, "crash", "a"),
        ({"a": said("sat"), "b": REJECTED}, "", ""),
        ({"a": REJECTED, "b": said("unknown")}, "", ""),
    ],
)
def test_the_gravest_defect_is_kept(answers: dict[str, Answer], defect: str, suspect: str) -> None:
    lab = lab_of(
        **{
            name: lambda text, own=answer: own if "define-fun" not in text else said("unknown")
            for name, answer in answers.items()
        }
    )
    found = diagnose(Case(Mutant(SCRIPT)), lab, thoroughly=False)
    assert (found.target.defect if found.target is not None else "", found.suspect) == (defect, suspect)


@pytest.mark.parametrize(
    ("answers", "check", "wrong", "right"),
    [
        ({"a": said("sat", "sat"), "b": said("sat", "unsat")}, 1, "b", ("a",)),
        ({"a": said("unsat", "sat"), "b": said("sat", "unsat")}, 0, "a", ("b",)),
        ({"a": said("unknown", "unsat"), "b": said("sat"), "c": said("sat", "sat")}, 1, "a", ("c",)),
        ({"a": said("sat", "unsat"), "b": said("sat")}, None, "", ()),
        ({"a": said("unknown"), "b": said("unsat")}, None, "", ()),
    ],
)
def test_the_first_contradiction_is_kept(
    answers: dict[str, Answer], check: int | None, wrong: str, right: tuple[str, ...]
) -> None:
    """Where the judge cannot say, as if those that are not suspected were right."""
    text = "(declare-fun f (Int) Int)(assert (> (f 1) 0))(check-sat)(assert (< (f 2) 9))(check-sat)"
    lab = lab_of(
        **{
            name: lambda script, own=answer: own if script == text else said("unknown")
            for name, answer in answers.items()
        }
    )
    found = diagnose(Case(Mutant(text)), lab, suspects=[wrong or "b"], thoroughly=False)
    assert found.suspect == wrong
    if check is not None:
        assert found.target is not None
        assert (found.target.check, found.target.references) == (check, right)
        assert found.target.truth is Verdict.SAT
    else:
        assert found.target is None


@pytest.mark.parametrize(
    ("numbers", "checks"),
    [
        (("0", "8", "(- 9)"), 1),
        (("4", "0", "(- 9)"), 2),
        (("0", "0", "(- 9)"), 1),
        (("4", "8", "9"), 3),
        (("0", "8", "9"), 1),
        (("", "0", "(- 9)"), 2),
        (VALID, 0),
        (("", "", "(- 9)"), 0),
    ],
)
def test_invalid_models_are_found_at_every_check(numbers: tuple[str, ...], checks: int) -> None:
    """The script is cut after the check, so that its model is the one that is printed."""

    def models(values: tuple[str, ...]) -> Callable[[str], Answer]:
        def solver(text: str) -> Answer:
            if not INCREMENTAL.startswith(text.rstrip()):  # only the script as it is has these models
                return said("unknown")
            asked = text.count("(check-sat)")
            number = values[asked - 1] if asked else ""
            model = f"((define-fun x () Int {number}))" if number else None
            return said(*["sat"] * asked, model=model)

        return solver

    lab = lab_of(right=models(VALID), sloppy=models(numbers))
    found = diagnose(Case(Mutant(INCREMENTAL)), lab, thoroughly=False)
    assert found.suspect == ("sloppy" if checks else "")
    if checks:
        assert found.target is not None
        assert found.target.defect == "invalid model"
        assert found.case.text.count("(check-sat)") == checks


@pytest.mark.parametrize(
    ("numbers", "verdicts"),
    [
        (VALID, ("sat",) * 3),
        (("", "", "(- 9)"), ("sat",) * 3),
        (("0", "8", "(- 9)"), ("unknown", "sat", "sat")),
        (("4", "0", ""), ("sat", "unsat", "unsat")),
        (("4", "8", ""), ("sat", "sat")),
    ],
)
def test_models_of_checks_that_are_not_answered_sat_are_no_evidence(
    numbers: tuple[str, ...], verdicts: tuple[str, ...]
) -> None:
    def solver(text: str) -> Answer:
        if not INCREMENTAL.startswith(text.rstrip()):
            return said("unknown")
        asked = text.count("(check-sat)")
        number = numbers[asked - 1] if asked else ""
        model = f"((define-fun x () Int {number}))" if number else None
        return said(*verdicts[:asked], model=model)

    found = diagnose(Case(Mutant(INCREMENTAL)), lab_of(one=solver), thoroughly=False)
    assert (found.target, found.suspect) == (None, "")
    assert found.case.text == INCREMENTAL


TWO_CHECKS = "(declare-const x Int)(assert (> x 0))(check-sat)(assert (< x 9))(check-sat)"


def test_a_script_is_cut_after_an_earlier_check_and_the_suspect_asked_about_it_in_a_fresh_process() -> None:
    def gives(*models: str) -> Callable[[str], Answer]:
        def answer(text: str) -> Answer:
            checks = text.count("(check-sat)")
            return (
                said(*["sat"] * checks, model=models[checks - 1]) if "define" not in text else said("unknown")
            )

        return answer

    lab = lab_of(wrong=gives(X_IS_0, X_IS_1), right=gives(X_IS_1, X_IS_1), late=said("unknown", "unknown"))
    found = diagnose(Case(Mutant(TWO_CHECKS)), lab, thoroughly=False)
    assert found.case.text.count("(check-sat)") == 1
    assert found.target is not None
    assert (found.target.defect, found.suspect) == ("invalid model", "wrong")
    assert found.target.is_known_of(found.case.text)
    about = [request for request in lab.requests if request.script == found.case.text]
    assert ("wrong", Want.MODEL) in {(request.solver, request.want) for request in about}
    assert all(request.cold for request in lab.requests)
