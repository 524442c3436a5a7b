"""Fragments: closed, Boolean, no deeper than they may be, each once."""

from __future__ import annotations

import time

import pytest

from falsum.smtlib import print_term, read_script
from falsum.strategies.storm.fragments import fragments

DECLARED = "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)"


def found(formula: str, depth: int = 64) -> list[tuple[str, int]]:
    script = read_script(f"{DECLARED}(assert {formula})(check-sat)")
    return [(print_term(fragment.term), fragment.depth) for fragment in fragments(script, depth)]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("(and p (not q))", [("(and p (not q))", 3), ("p", 1), ("(not q)", 2), ("q", 1)]),
        ("(or p p)", [("(or p p)", 2), ("p", 1)]),
        ("(= x (ite q 1 2))", [("(= x (ite q 1 2))", 3), ("q", 1)]),
        # Only lets that a subterm depends on are put around it.
        (
            "(let ((y (+ x 1)) (r q)) (let ((z (+ y 2))) (or r (< z 3))))",
            [
                ("(let ((y (+ x 1)) (r q)) (let ((z (+ y 2))) (or r (< z 3))))", 5),
                ("q", 1),
                ("(let ((y (+ x 1)) (r q)) (let ((z (+ y 2))) (or r (< z 3))))", 5),
                ("(let ((y (+ x 1)) (r q)) r)", 3),
                ("(let ((y (+ x 1)) (r q)) (let ((z (+ y 2))) (< z 3)))", 4),
            ],
        ),
        ("(forall ((y Int)) (and p (< y x)))", [("(forall ((y Int)) (and p (< y x)))", 4)]),
        ("(! (and p q) :named both)", [("(and p q)", 2), ("p", 1), ("q", 1)]),
    ],
)
def test_fragments(formula: str, expected: list[tuple[str, int]]) -> None:
    assert found(formula) == list(dict.fromkeys(expected))


def test_none_is_deeper_than_allowed() -> None:
    formula = "(let ((r (not q))) (and p (or r (not (and r p)))))"
    whole = found(formula)
    assert max(depth for _, depth in whole) == 6
    for depth in range(7):
        assert found(formula, depth) == [fragment for fragment in whole if fragment[1] <= depth]


def test_many_lets_cost_little() -> None:
    lets = "".join(f"(let ((v{n + 1} (and v{n} q))) " for n in range(2000))
    started = time.process_time()
    some = found(f"(let ((v0 p)) {lets}v2000{')' * 2001}", 3)
    assert some == [("p", 1), ("(let ((v0 p)) (and v0 q))", 3), ("(let ((v0 p)) v0)", 2), ("q", 1)]
    assert time.process_time() - started < 10
