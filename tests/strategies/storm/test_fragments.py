"""Fragments: closed, Boolean, within bounds, each once; their depth counts connectives only."""

from __future__ import annotations

import time

import pytest

from falsum.smtlib import read_script
from falsum.strategies.storm.fragments import fragments

DECLARED = "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)"


def found(formula: str, depth: int = 64) -> list[tuple[str, int]]:
    script = read_script(f"{DECLARED}(assert {formula})(check-sat)")
    return [(fragment.text, fragment.depth) for fragment in fragments(script, depth).usable]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("(and p (not q))", [("(and p (not q))", 2), ("p", 0), ("(not q)", 1), ("q", 0)]),
        ("(or p p)", [("(or p p)", 1), ("p", 0)]),
        # However terms are nested, an atom has depth 0.
        ("(< 0 (+ x (* 2 (+ x (- x)))))", [("(< 0 (+ x (* 2 (+ x (- x)))))", 0)]),
        ("(= x (ite q 1 2))", [("(= x (ite q 1 2))", 0), ("q", 0)]),
        ("(= p (ite q p q))", [("(= p (ite q p q))", 2), ("p", 0), ("(ite q p q)", 1), ("q", 0)]),
        # Only lets that a subterm depends on are put around it, and they are no connectives.
        (
            "(let ((y (+ x 1)) (r q)) (let ((z (+ y 2))) (or r (< z 3))))",
            [
                ("(let ((y (+ x 1)) (r q)) (let ((z (+ y 2))) (or r (< z 3))))", 1),
                ("q", 0),
                ("(let ((y (+ x 1)) (r q)) r)", 0),
                ("(let ((y (+ x 1)) (r q)) (let ((z (+ y 2))) (< z 3)))", 0),
            ],
        ),
        # A variable is as deep as its value, also where another let hides its name.
        (
            "(let ((a (and p q))) (let ((a (not a))) a))",
            [
                ("(let ((a (and p q))) (let ((a (not a))) a))", 2),
                ("(and p q)", 1),
                ("p", 0),
                ("q", 0),
                ("(let ((a (and p q))) (not a))", 2),
                ("(let ((a (and p q))) a)", 1),
            ],
        ),
        ("(forall ((y Int)) (and p (< y x)))", [("(forall ((y Int)) (and p (< y x)))", 0)]),
        ("(! (and p q) :named both)", [("(and p q)", 1), ("p", 0), ("q", 0)]),
    ],
)
def test_fragments(formula: str, expected: list[tuple[str, int]]) -> None:
    assert sorted(found(formula)) == sorted(expected)


def test_none_is_deeper_than_allowed() -> None:
    formula = "(let ((r (not q))) (and p (or r (not (and r p)))))"
    whole = found(formula)
    assert max(depth for _, depth in whole) == 5
    for depth in range(6):
        assert found(formula, depth) == [fragment for fragment in whole if fragment[1] <= depth]


def test_what_bounds_leave_out_is_counted() -> None:
    long = " ".join(["x"] * 40)
    script = read_script(f"{DECLARED}(assert (and p (not (< x (+ {long})))))(check-sat)")
    bounded = fragments(script, 1, longest=60)
    assert [fragment.text for fragment in bounded.usable] == ["p"]
    assert (bounded.too_deep, bounded.too_long) == (1, 2)
    assert len(fragments(script, 64).usable) == 4


@pytest.mark.parametrize(
    ("value", "usable", "left_out"), [("(and v{} q)", 9, 1997), ("(ite (< v{} x) x v{})", 6, 1995)]
)
def test_many_lets_cost_little(value: str, usable: int, left_out: int) -> None:
    start, end = ("p", "v2000") if "and" in value else ("x", "(< v2000 x)")
    lets = "".join(f"(let ((v{n + 1} {value.format(n, n)})) " for n in range(2000))
    script = read_script(f"{DECLARED}(assert (let ((v0 {start})) {lets}{end}{')' * 2001})(check-sat)")
    started = time.process_time()
    bounded = fragments(script, 3, longest=200)
    assert len(bounded.usable) == usable
    assert bounded.too_deep + bounded.too_long == left_out
    assert time.process_time() - started < 10
