"""Releases in their order, whatever their names look like."""

from __future__ import annotations

import pytest

from falsum.solvers.versions import NEWEST, UNKNOWN, is_before, is_same_release, parse_version

ORDERED = ("1.5.118", "1.8", "2.6.5", "2.6.5.post24", "4.8.9rc1", "4.8.9", "4.8.10.0", "4.8.12")


def test_releases_are_ordered_by_their_numbers() -> None:
    versions = list(map(parse_version, ORDERED))
    assert versions == sorted(set(versions))
    assert all(UNKNOWN < parse_version(release) < NEWEST for release in ORDERED)


@pytest.mark.parametrize(
    ("release", "number"), [("1.0.6-dev.142.g1a2b", "1.0.6"), ("2.4-custom", "2.4"), ("4.8.8.0-foo", "4.8.8")]
)
def test_a_name_beyond_pep_440_counts_by_its_leading_numbers(release: str, number: str) -> None:
    assert parse_version(release) == parse_version(number)


@pytest.mark.parametrize("release", ["system", "", "custom-4.8"])
def test_a_name_without_a_number_precedes_every_release_but_no_boundary(release: str) -> None:
    assert parse_version(release) is UNKNOWN
    assert not is_before(release, "4.8.9")


def test_a_boundary_includes_its_development_builds() -> None:
    assert is_before("4.8.7.0", "4.8.9")
    assert not is_before("4.8.9.0", "4.8.9")
    assert not is_before("1.0.9.dev3", "1.0.9")
    assert not is_before("1.0.9rc1", "1.0.9")


def test_trailing_zeros_name_the_same_release() -> None:
    assert is_same_release("4.8.12", "4.8.12.0")
    assert not is_same_release("4.8.12", "4.8.12.post1")
    assert not is_same_release("4.8.1", "4.8.12")
