"""Cores and unsat assumptions of a library: when they are fetched, and which of the two was named last."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from tests.api.checks.stories import CAPABILITIES, failures, follow_ups
from tests.labs import live_lab

from falsum.api.reference_solvers import LabReferenceSolvers

ASSUMED = "assert t4\nassert t6\ncheck t7 t8\n-> unsat\n"


@pytest.fixture(scope="module")
def z3() -> Iterator[LabReferenceSolvers]:
    with live_lab("z3", seconds=20) as lab:
        yield LabReferenceSolvers(lab)


def test_the_core_of_two_assertions_is_fetched() -> None:
    assert follow_ups("assert t4\nassert t7\ncheck\n-> unsat\n") == ["get-core"]


def test_without_fresh_solvers_none_is_asked() -> None:
    kept = tuple(each for each in CAPABILITIES.features if each != "one-shot")
    without = msgspec.structs.replace(CAPABILITIES, features=kept)
    for named in ("get-core\n-> t4\n", "get-unsat-assumptions\n-> t7\n"):
        assert follow_ups(f"{ASSUMED}{named}") != []
        assert follow_ups(f"{ASSUMED}{named}", without) == []


def test_assumptions_that_are_named_after_a_core_are_examined(z3: LabReferenceSolvers) -> None:
    core = f"{ASSUMED}get-core\n-> t4\n"
    assert failures(f"{core}get-unsat-assumptions\n-> t7\n", z3) == []
    (found,) = failures(f"{core}get-unsat-assumptions\n-> t8\n", z3)
    assert (found.kind, found.line.word) == ("assumptions", "get-unsat-assumptions")
