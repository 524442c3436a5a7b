"""The format of a model does not depend on what it says."""

from __future__ import annotations

import pytest

from falsum.audits.query.model_format import model_format


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("(model (define-fun x () Int 5) (declare-fun u () U))", "(model (define-fun …))"),
        ("((define-fun x () Int (- 5)) (define-fun-rec f ((y Int)) Int y))", "((define-fun …))"),
        ('((= x 5) (= s "(a (b"))', "((= …))"),
        ("(\n;; universe\n(declare-sort U 0)\n(forall ((x U)) (= x a)))", "()"),
        ("()", "()"),
        (None, "no model"),
    ],
)
def test_formats(model: str | None, expected: str) -> None:
    assert model_format(model) == expected
