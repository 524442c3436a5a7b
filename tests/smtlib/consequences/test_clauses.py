"""Horn clauses in their normal form mean what the script means."""

from __future__ import annotations

import pytest

from falsum.smtlib import print_term, read_script
from falsum.smtlib.consequences import clauses as module
from falsum.smtlib.consequences.clauses import clauses_of, resolvents

DECLARED = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)(declare-fun r () Bool)"
FORMS = [
    ("(p 3)", ["(p 3)"]),
    ("(not r)", ["(=> r false)"]),
    ("false", ["false"]),
    ("(=> r (> 1 2) (p 4))", ["(=> (and r (> 1 2)) (p 4))"]),
    ("(or (not (p 3)) (> 1 2) (p 4))", ["(=> (and (p 3) (not (> 1 2))) (p 4))"]),
    ("(=> (or (p 3) r) false)", ["(=> (p 3) false)", "(=> r false)"]),
    ("(and (p 3) (=> r (p 4)))", ["(p 3)", "(=> r (p 4))"]),
    (
        "(forall ((x Int)) (let ((y (+ x 1))) (=> (p x) (p y))))",
        ["(forall ((x Int)) (=> (p x) (p (+ x 1))))"],
    ),
    (
        "(forall ((x Int)) (=> (exists ((x Int)) (and (p x) (< x 0))) (p x)))",
        ["(forall ((x Int) (x!1 Int)) (=> (and (p x!1) (< x!1 0)) (p x)))"],
    ),
    ("(forall ((x Int)) (! (=> (p x) (q x x)) :pattern ((p x))))", ["(forall ((x Int)) (=> (p x) (q x x)))"]),
    # Constraints stay whole, and what does not depend on a predicate is no atom.
    ("(=> (or (> 2 1) (= 2 0)) (p 2))", ["(=> (or (> 2 1) (= 2 0)) (p 2))"]),
    ("(forall ((p Int)) (=> (> p 0) r))", ["(forall ((p!1 Int)) (=> (> p!1 0) r))"]),
]  # fmt: skip


def forms(formula: str) -> list[str]:
    made = clauses_of(read_script(f"{DECLARED}(assert {formula})(check-sat)"))
    assert made is not None
    return [print_term(clause.formula) for clause in made]


@pytest.mark.parametrize(("formula", "expected"), FORMS)
def test_normal_forms(formula: str, expected: list[str]) -> None:
    assert forms(formula) == expected
    for form in expected:  # which they keep
        assert forms(form) == [form]


def test_what_is_not_horn_or_too_much_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert clauses_of(read_script(f"{DECLARED}(assert (or (p 1) r))")) is None
    choices = " ".join(["(or (p 1) (p 2))"] * 4)
    script = read_script(f"{DECLARED}(assert (=> (and {choices}) false))")
    assert len(clauses_of(script) or ()) == 16
    monkeypatch.setattr(module, "MOST_CLAUSES", 14)
    assert clauses_of(script) is None


def test_resolvents_follow() -> None:
    text = (
        "(assert (forall ((x Int)) (=> (> x 0) (p x))))(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))"
        "(assert (forall ((x Int)) (=> (and r (p (* 2 x))) false)))"
    )
    made = clauses_of(read_script(DECLARED + text))
    assert made is not None
    query = made[2]
    assert [print_term(each.formula) for each in resolvents(query, 1, made, ("p", "q", "r"))] == [
        "(forall ((x Int) (x!1 Int)) (=> (and r (= x!1 (* 2 x)) (> x!1 0)) false))",
        "(forall ((x Int) (x!1 Int)) (=> (and r (p x!1) (= (+ x!1 1) (* 2 x))) false))",
    ]
    assert list(resolvents(query, 0, made, ("p", "q", "r"))) == [], "nothing concludes r"
