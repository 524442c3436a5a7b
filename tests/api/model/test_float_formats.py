"""Formats of floats: drawn by weight, in every library that has them."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.api.conftest import Make

from falsum.api.model.float_formats import format_weights, is_float_format
from falsum.api.model.settings import Settings
from falsum.errors import UsageError

STANDARD = {("5", "11"), ("8", "24"), ("11", "53"), ("15", "113")}


def test_weights_are_added_changed_and_removed() -> None:
    weights = format_weights({"8 24": 7, "6 9": 2, "5 11": 0})
    assert weights[8, 24] == 7
    assert weights[6, 9] == 2
    assert (5, 11) not in weights
    assert (15, 113) in weights


@pytest.mark.parametrize(("text", "weight"), [("8", 1), ("1 24", 1), ("8 2", 1), ("8 24", -1), ("8 24 1", 1)])
def test_what_is_no_format_is_refused(text: str, weight: float) -> None:
    with pytest.raises(UsageError, match="invalid float format"):
        format_weights({text: weight})


def test_formats() -> None:
    assert is_float_format((2, 3))
    assert not is_float_format((2, 2))
    assert not is_float_format((1, 24))


@pytest.mark.parametrize(("name", "has_odd"), [("z3", True), ("cvc5", True), ("bitwuzla", False)])
def test_runs_have_standard_formats_and_odd_ones(name: str, has_odd: bool, make: Make) -> None:
    """cvc5 has the odd ones in runs that switch them on, bitwuzla only if it is built with them."""
    settings = Settings(
        theories=("floats",),
        floats={"15 113": 20, "3 5": 20, "11 53": 20},
        options=0,
        compare=0,
        known={"z3": ("invalid sign_extend application",)},  # docs/api-findings.md
    )
    fuzzer = make(name, settings)
    drawn: Counter[tuple[str, ...]] = Counter()
    for number in range(40):
        result = fuzzer.run(number)
        assert not result.is_wrong, result.evidence
        for step in result.trace.steps:
            if step.line.word == "sort" and step.line.args[0] == "FloatingPoint":
                drawn[step.line.args[1:]] += 1
    assert set(drawn) >= STANDARD
    assert (("3", "5") in drawn) is has_odd
