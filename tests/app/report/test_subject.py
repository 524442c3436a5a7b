"""What titles say a finding is about."""

from __future__ import annotations

import pytest

from falsum.app.report.subject import subject_of, subject_of_script

DECLARED = "(declare-const p Bool)(declare-const x Int)(declare-const y Int)"


@pytest.mark.parametrize(
    ("commands", "noun"),
    [
        ("(assert (= (div x 2) (abs x)))", "an unsatisfiable arithmetic formula with abs and div"),
        ("(assert (or (xor p false) true))", "an unsatisfiable Boolean formula with xor"),
        ("(assert (or p (not p)))", "an unsatisfiable Boolean formula"),
        ("(assert (let ((x y) (y x)) (< x y)))", "an unsatisfiable arithmetic formula with let"),
        ("(assert (let ((x y)) (< (mod x 2) y)))", "an unsatisfiable arithmetic formula with mod"),
        ("(check-sat-assuming ((not p) p))", "check-sat-assuming with contradicting assumptions"),
        ("(check-sat-assuming ((= (mod x 2) 1)))", "an unsatisfiable arithmetic formula with mod"),
        ("(check-sat)(reset-assertions)(get-model)", "get-model after reset-assertions"),
        ("(assert (< x 1))(reset-assertions)(check-sat)", "an unsatisfiable arithmetic formula with <"),
        ("(assert (", "an unsatisfiable Boolean formula"),
    ],
)
def test_the_words_that_matter(commands: str, noun: str) -> None:
    assert subject_of_script(DECLARED + commands).noun("unsatisfiable") == noun


def test_a_tester_is_named() -> None:
    script = "(declare-datatypes ((T 0)) (((O) (V))))(assert ((_ is O) V))"
    assert subject_of_script(script).noun() == "a datatype formula with is"


def test_nothing_is_known() -> None:
    assert subject_of((), ()).noun("satisfiable") == "a satisfiable Boolean formula"
