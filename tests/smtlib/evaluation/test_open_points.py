"""Operators at arguments for which the standard leaves their value open."""

from __future__ import annotations

import pytest

from falsum.smtlib import read_script
from falsum.smtlib.evaluation.open_points import underspecified

DEPTH = 100_000


@pytest.mark.parametrize(
    ("term", "names"),
    [
        ("(div x 2)", []),
        ("(div x (- 2))", []),
        ("(div x (- 0))", ["division by zero"]),
        ("(div x 2 y)", ["division by zero"]),
        ("(mod x (- 5 5))", ["division by zero"]),
        (f"(div x {'(- ' * DEPTH}2{')' * DEPTH})", []),
        (f"(div x {'(- ' * DEPTH}0{')' * DEPTH})", ["division by zero"]),
    ],
    ids=lambda value: str(value)[:20],
)
def test_arguments_decide(term: str, names: list[str]) -> None:
    script = read_script(f"(declare-const x Int)(declare-const y Int)(assert (= x {term}))")
    assert [each.name for each in underspecified(script.assertions)] == names


def test_a_spelling_decides_by_itself() -> None:
    assert [each.name for each in underspecified((), r'(assert (= s "\x41"))')] == ["string escapes"]
