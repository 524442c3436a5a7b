"""Terms of models as terms of the sorts that are declared."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from falsum.smtlib.models.fit import as_sort
from falsum.smtlib.sorts import INT, array, function
from falsum.smtlib.terms import Function, Head, Term, app, constant, lambda_, let, value, var
from falsum.smtlib.theories import OPERATORS

DEPTH = 100_000
WANTED = array(INT, INT)
F = constant(Function("f", (), function((INT,), INT)))
ITE, TRUE = Head(OPERATORS["ite"]), app(Head(OPERATORS["="]), (F, F))
X, Y = var("x", INT), var("y", INT)


def in_let(term: Term) -> Term:
    return let((X,), (value(INT, 1, "1"),), term)


def in_ite(term: Term) -> Term:
    return app(ITE, (TRUE, F, term))


def in_shared_ite(term: Term) -> Term:
    return app(ITE, (TRUE, term, term))


@pytest.mark.parametrize("around", [in_let, in_ite, in_shared_ite])
def test_deep_terms(around: Callable[[Term], Term]) -> None:
    term: Term = F
    for _ in range(DEPTH):
        term = around(term)
    converted = as_sort(term, WANTED)
    assert converted is not None
    assert converted.sort is WANTED


def test_what_cannot_be_converted() -> None:
    assert as_sort(F, INT) is None
    assert as_sort(in_let(F), INT) is None
    assert as_sort(in_ite(F), INT) is None
    assert as_sort(F, F.sort) is F


def test_nested_functions_become_nested_arrays() -> None:
    once = lambda_("lambda", (Y,), (Y,), function((INT,), INT))
    twice = lambda_("lambda", (X,), (once,), function((INT,), once.sort))
    converted = as_sort(twice, array(INT, WANTED))
    assert converted is not None
    assert converted.sort is array(INT, WANTED)
