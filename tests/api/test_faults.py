"""Planted faults: a library that lies, throws, crashes, hangs or leaks is found out; an honest one is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from falsum.api.run import Ending
from falsum.api.settings import Settings
from falsum.api.trace import read_trace

from .conftest import Make

FAULTS = {
    "lies about sat": (
        """
def check(self, assumptions):
    said = super().check(assumptions)
    return "sat" if said == "unsat" and not assumptions else said
def get_value(self, term):
    return "#b" + "0" * term.sort().bv_size() if term.sort().is_bv() else "false"
""",
        Ending.COMPLAINT,
        {"model", "verdict"},
    ),
    "wrong values": (
        """
def get_value(self, term):
    said = super().get_value(term)
    return {"true": "false", "false": "true"}.get(said, said)
""",
        Ending.COMPLAINT,
        {"model", "value"},
    ),
    "core too small": (
        """
def get_core(self):
    return super().get_core()[:0]
""",
        Ending.COMPLAINT,
        {"core"},
    ),
    "throws": (
        """
def push(self, levels):
    raise RuntimeError("out of luck")
""",
        Ending.RAISED,
        {"push"},
    ),
    "crashes": (
        """
def assert_(self, term):
    super().assert_(term)
    if len(self.assertions()) > 1:
        ctypes.string_at(0)
""",
        Ending.CRASHED,
        {"assert"},
    ),
    "hangs": (
        """
def check(self, assumptions):
    time.sleep(60)
""",
        Ending.TIMED_OUT,
        {"check"},
    ),
    "leaks": (
        """
def assert_(self, term):
    self.hoard = getattr(self, "hoard", []) + [bytearray(b"x" * (80 << 20))]
    time.sleep(0.4)
""",
        Ending.OUT_OF_MEMORY,
        {"assert", "check"},
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_and_found_again(fault: str, make: Make, plant: Callable[[str, str], Path]) -> None:
    body, ending, kinds = FAULTS[fault]
    settings = Settings(
        theories=("bitvectors",), options=0, compare=1.0, seconds=1.0 if fault == "hangs" else 4.0, memory=200
    )
    others = "z3" if "core" in fault or "lies" in fault else ""
    fuzzer = make("bitwuzla", settings, plant("bitwuzla", body), others)
    outcome = next(o for o in map(fuzzer.run, range(40)) if o.ending is not Ending.DONE)
    assert outcome.ending is ending
    assert outcome.kind in kinds
    again = read_trace(str(outcome.trace))
    assert again == outcome.trace
    assert fuzzer.replay(again).agrees_with(outcome)


def test_an_honest_library_is_left_alone(make: Make) -> None:
    fuzzer = make("bitwuzla", Settings(theories=("bitvectors", "arrays"), compare=0.5), others="z3")
    for number in range(100, 112):
        outcome = fuzzer.run(number)
        assert not outcome.is_wrong, f"{number}: {outcome.kind} {outcome.evidence}"
