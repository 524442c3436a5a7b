"""States of findings: kept with their history, merged by time."""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.errors import SurroundingsError, UsageError
from falsum.store.states import (
    STATE_NAME,
    FindingLife,
    FindingState,
    StateChange,
    note_change,
    read_life,
    state_of,
    write_life,
)


def test_a_finding_nobody_touched_is_new_or_triaged(tmp_path: Path) -> None:
    assert state_of(tmp_path, is_triaged=False).state is FindingState.NEW
    assert state_of(tmp_path, is_triaged=True).state is FindingState.TRIAGED
    assert not (tmp_path / STATE_NAME).exists()


def test_changes_are_kept_and_the_report_stays_known(tmp_path: Path) -> None:
    note_change([tmp_path], FindingState.REPORTED, url="https://example.org/1")
    note_change([tmp_path], FindingState.FIXED, release="4.8.11")
    life = read_life(tmp_path)
    assert [change.state for change in life.changes] == [FindingState.REPORTED, FindingState.FIXED]
    assert life.url == "https://example.org/1"
    assert state_of(tmp_path, is_triaged=True).text == "fixed in 4.8.11"
    note_change([tmp_path], FindingState.NEW)
    assert state_of(tmp_path, is_triaged=True).state is FindingState.TRIAGED


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (StateChange(FindingState.FIXED, 1.0), "fixed"),
        (StateChange(FindingState.FIXED, 1.0, commit="abc"), "fixed in abc"),
        (StateChange(FindingState.BACK, 1.0), "back again"),
        (StateChange(FindingState.BACK, 1.0, release="5.0"), "back again in 5.0"),
        (StateChange(FindingState.REPORTED, 1.0, url="https://e.org"), "reported https://e.org"),
        (StateChange(FindingState.NOT_A_BUG, 1.0), "not-a-bug"),
    ],
)
def test_the_text_of_a_state(change: StateChange, text: str) -> None:
    assert change.text == text


def test_lives_are_merged_by_time() -> None:
    reported = StateChange(FindingState.REPORTED, 1.0, url="https://e.org")
    fixed, back = StateChange(FindingState.FIXED, 2.0), StateChange(FindingState.BACK, 3.0)
    one, other = FindingLife((reported, back)), FindingLife((reported, fixed))
    assert one.merged(other) == other.merged(one) == FindingLife((reported, fixed, back))
    assert one.merged(one) == one


def test_what_is_open_and_what_is_retested() -> None:
    assert [state for state in FindingState if not state.is_open] == [
        FindingState.FIXED,
        FindingState.OBSOLETE,
        FindingState.NOT_A_BUG,
    ]
    assert FindingState.FIXED.is_retested
    assert not FindingState.NOT_A_BUG.is_retested


def test_bad_input(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not the URL"):
        note_change([tmp_path], FindingState.REPORTED, url="javascript:alert(1)")
    (tmp_path / STATE_NAME).write_text("{")
    with pytest.raises(SurroundingsError, match="not the states"):
        read_life(tmp_path)
    write_life(tmp_path, FindingLife())
    assert read_life(tmp_path) == FindingLife()
