"""The end of a run that has become too long."""

from __future__ import annotations

from falsum.api.actions import action_of
from falsum.api.actions.last_lines import last_lines
from falsum.api.model.capabilities import Capabilities
from falsum.api.model.mirror import Mirror
from falsum.api.model.settings import Bounds
from falsum.api.trace import OK, read_line

LIBRARY = Capabilities("x", sorts=("Bool", "BitVec"), operators=("not",))


def closed(*before: str) -> list[str]:
    mirror = Mirror(LIBRARY, Bounds(), ("core", "bitvectors"))
    for line in map(read_line, before):
        action_of(line).apply(mirror, line, OK)
    found = []
    for line in last_lines(mirror):
        action_of(line).apply(mirror, line, OK)
        found.append(str(line))
    return found


def test_what_is_missing_is_made() -> None:
    assert closed() == ["s1 = sort Bool", "t1 = const s1 x1", "assert t1", "check"]
    assert closed("s4 = sort Bool", "t2 = const s4 x2", "t3 = term not t2") == ["assert t3", "check"]
    assert closed("s1 = sort Bool", "t1 = const s1 x1", "assert t1") == ["check"]


def test_nothing_is_added_after_a_check() -> None:
    assert closed("s1 = sort Bool", "t1 = const s1 x1", "assert t1", "check") == []
