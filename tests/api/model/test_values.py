"""Values of traces: what is written is read back as the same value."""

from __future__ import annotations

from random import Random

import pytest

from falsum.api.model.values import draw_value, read_special, read_value, small_values, written_value
from falsum.errors import UsageError
from falsum.smtlib import print_term
from falsum.smtlib.sorts import BOOL, INT, REAL, STRING, Sort, array
from falsum.smtlib.terms import Value

FOUR, HALF = Sort("BitVec", (4,)), Sort("FloatingPoint", (5, 11))


@pytest.mark.parametrize("sort", [BOOL, INT, REAL, STRING, FOUR, HALF, Sort("RoundingMode")], ids=str)
def test_drawn_values_are_read_and_written_again(sort: Sort) -> None:
    rng = Random(5)
    for _ in range(40):
        text = draw_value(sort, rng)
        assert text is not None
        term = read_value(sort, text)
        assert term.sort is sort
        if isinstance(term, Value):
            written = written_value(sort, term.payload)
            assert written is not None
            assert read_value(sort, written) is term


@pytest.mark.parametrize(
    ("sort", "text", "printed"),
    [
        (FOUR, "#b0101", "#b0101"),
        (FOUR, "#x5", "#b0101"),
        (FOUR, "5", "#b0101"),
        (INT, "-5", "(- 5)"),
        (REAL, "-1/3", "(- (/ 1.0 3.0))"),
        (REAL, "0.5", "(/ 1.0 2.0)"),
        (BOOL, "true", "true"),
    ],
)
def test_notations(sort: Sort, text: str, printed: str) -> None:
    assert print_term(read_value(sort, text)) == printed


@pytest.mark.parametrize(
    ("sort", "text"), [(FOUR, "#b21"), (FOUR, "x"), (INT, "1/3"), (REAL, "1/0"), (BOOL, "1")]
)
def test_invalid_values_are_refused(sort: Sort, text: str) -> None:
    with pytest.raises(UsageError, match="invalid value"):
        read_value(sort, text)


def test_sorts_without_written_values() -> None:
    assert draw_value(array(INT, INT), Random(1)) is None
    assert written_value(array(INT, INT), object()) is None
    assert small_values(array(INT, INT)) == ()


@pytest.mark.parametrize("sort", [INT, REAL, FOUR, Sort("BitVec", (1,))], ids=str)
def test_small_values_are_values_of_any_such_sort(sort: Sort) -> None:
    assert all(read_value(sort, text).sort is sort for text in small_values(sort))


def test_special_values_go_by_name() -> None:
    assert print_term(read_special(FOUR, "ones")) == "#b1111"
    assert read_special(BOOL, "true").sort is BOOL
    with pytest.raises(UsageError, match="unknown special value 'zeroes'"):
        read_special(FOUR, "zeroes")
