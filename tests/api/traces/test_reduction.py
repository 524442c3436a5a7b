"""Minimised traces of planted faults come down to the few lines that matter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.api.conftest import Make
from tests.api.test_fuzzer import FAULTS

from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.api.trace import read_line
from falsum.api.traces.passes import RenameUses, ReplaceLine, apply_edits, renumber
from falsum.api.traces.reduction import reduce_trace

# Fault → how many lines may be left, and the words that must be among them, in order.
LEFT = {
    "wrong sat": (6, "new sort assert check"),
    "wrong values": (7, "new set-option sort check get-value"),
    "core too small": (8, "new set-option sort assert check get-core"),
    "throws": (2, "new push"),
    "crashes": (7, "new sort assert assert"),
    "hangs": (2, "new check"),
    "leaks": (5, "new sort assert"),
}
# Quicker than the one that is found in `test_faults`.
LEAK = """
def assert_(self, term):
    self.hoard = getattr(self, "hoard", []) + [bytearray(b"x" * (110 << 20))]
    time.sleep(0.2)
"""
QUICK = ("throws", "wrong values", "crashes")


@pytest.mark.parametrize(
    "fault", [fault if fault in QUICK else pytest.param(fault, marks=pytest.mark.slow) for fault in LEFT]
)
def test_a_planted_fault_is_left_with_few_lines(
    fault: str, make: Make, plant: Callable[[str, str], Path]
) -> None:
    body = LEAK if fault == "leaks" else FAULTS[fault][0]
    most, needed = LEFT[fault]
    settings = Settings(
        theories=("bitvectors",),
        options=0,
        compare=1.0,
        seconds=0.3 if fault == "hangs" else 4.0,
        memory=200,
        # bitwuzla 0.9.1 does not parse all that it prints
        weights={"unsat.extra core-back": 0, "unsat.extra read-back": 0, "sat.extra read-back": 0},
    )
    others = "z3" if "core" in fault or "wrong sat" in fault else ""
    fuzzer = make("bitwuzla", settings, plant("bitwuzla", body), others)
    result = next(
        o
        for o in map(fuzzer.run, range(300))
        if o.status is not RunStatus.DONE and len(o.trace.steps) >= 10 * most
    )
    small = reduce_trace(fuzzer, result)
    assert small.is_confirmed
    assert small.removed_share >= 0.9
    assert len(small.trace.steps) <= most
    words = iter(step.line.word for step in small.trace.steps)
    assert all(word in words for word in needed.split()), str(small.trace)


def test_edits_of_lines() -> None:
    lines = [
        read_line(row)
        for row in (
            "new",
            "s4 = sort Bool",
            "t3 = const s4 p",
            "t7 = term not t3",
            "t9 = term not t7",
            "assert t9",
        )
    ]
    without = apply_edits(lines, [RenameUses("t9", "t7"), RenameUses("t7", "t3")])
    assert without is not None
    assert [str(line) for line in without] == ["new", "s4 = sort Bool", "t3 = const s4 p", "assert t3"]
    assert str(renumber(without)[2]) == "t1 = const s1 p"
    assert apply_edits(lines, [ReplaceLine(5)]) == lines[:5]
    assert apply_edits(lines, [ReplaceLine(5), ReplaceLine(5, read_line("assert t3"))]) is None
