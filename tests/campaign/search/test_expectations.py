"""What is expected of strategies before a campaign has results."""

from __future__ import annotations

from falsum.campaign.search.expectations import MEASURED, expected_of
from falsum.strategies import BY_NAME

# They came after the measurement, and are taken for average.
NOT_MEASURED = {"interrogation": 1.0, "sortswap": 1.0}


def test_strategies_of_falsum_were_measured_and_all_together_are_average() -> None:
    expected = expected_of(BY_NAME)
    assert expected == {**MEASURED, **NOT_MEASURED}
    assert expected["opfuzz"] > 1 > expected["generate"]
    assert 0.9 < sum(expected.values()) / len(expected) < 1.2


def test_parameters_and_rows_of_strategies_are_looked_through() -> None:
    plain = expected_of(["opfuzz", "valfuzz"])
    assert expected_of(["opfuzz:most=1"])["opfuzz:most=1"] == plain["opfuzz"]
    assert expected_of(["typefuzz:a=1+opfuzz:most=1"]) == {"typefuzz:a=1+opfuzz:most=1": plain["opfuzz"]}
    assert expected_of(["of a plug-in"]) == {"of a plug-in": 1.0}
