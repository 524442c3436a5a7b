"""Laws for given sorts: also for sorts of the script's own that are named like one of a theory."""

from __future__ import annotations

import pytest

from falsum.smtlib.laws import all_laws, instantiate
from falsum.smtlib.sorts import BOOL, INT, Sort

SELECT_CONST = next(law for law in all_laws() if law.name == "select-const")


@pytest.mark.parametrize(
    "sort", [INT, Sort("U"), Sort("Tuple"), Sort("UnitTuple"), Sort("Tuple", (), (INT, BOOL)), Sort("Set")]
)
def test_a_law_for_any_sort(sort: Sort) -> None:
    for index, value in ((sort, INT), (INT, sort)):
        instance = instantiate(SELECT_CONST, {"X": index, "Y": value})
        assert instance is not None
        assert instance.left.sort is instance.right.sort is value
