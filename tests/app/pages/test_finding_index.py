"""The index of findings: only what has changed is read again."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec
import pytest
from tests.app.pages.sample_store import (
    LIBRARY,
    TRIAGED,
    UNTRIAGED,
    WICKED,
    batch,
    folder_of,
    make_store,
    triage,
)

from falsum.app.pages import finding_index
from falsum.app.pages.finding_filter import FindingFilter, choices
from falsum.app.pages.finding_index import FindingIndex, FindingRow
from falsum.campaign.triage.result import Triage
from falsum.store.merge import merge_store
from falsum.store.reader import StoreReader
from falsum.store.records import ListedFinding, Sighting
from falsum.store.states import FindingState, note_change
from falsum.store.store import Store


def test_rows_say_what_is_known(tmp_path: Path) -> None:
    index = FindingIndex(make_store(tmp_path))
    with StoreReader(tmp_path) as store:
        index.refresh(store)
    triaged, untriaged = index.current.find(TRIAGED.digest), index.current.find(UNTRIAGED.digest)
    library = index.current.find(LIBRARY.digest)
    assert triaged is not None
    assert untriaged is not None
    assert library is not None
    assert (triaged.what, triaged.state, triaged.products) == ("refutation unsoundness", "reported", ("z3",))
    assert (untriaged.what, untriaged.state, untriaged.theories) == ("crash", "new", ("Arithmetic",))
    assert (library.is_library, library.theories) == (True, ("Arithmetic",))
    assert index.current.find("nothing") is None


def test_only_changed_folders_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = FindingIndex(make_store(tmp_path))
    read: list[str] = []
    original = finding_index._row

    def noted(listed: ListedFinding, folder: Path, made: Triage | None) -> FindingRow:
        read.append(listed.digest)
        return original(listed, folder, made)

    monkeypatch.setattr(finding_index, "_row", noted)
    with StoreReader(tmp_path) as store:
        assert index.refresh(store)
        assert len(read) == 4
        read.clear()
        assert not index.refresh(store)
        assert not read
        note_change([folder_of(tmp_path, TRIAGED)], FindingState.FIXED, release="4.9")
        triage(tmp_path, UNTRIAGED)
        assert index.refresh(store)
        assert sorted(read) == sorted([TRIAGED.digest, UNTRIAGED.digest])
    row = index.current.find(TRIAGED.digest)
    assert row is not None
    assert (row.state_text, row.is_open) == ("fixed in 4.9", False)


def test_sightings_and_new_findings_arrive(tmp_path: Path) -> None:
    index = FindingIndex(make_store(tmp_path))
    later = msgspec.structs.replace(UNTRIAGED, signature="crash | cvc5 | elsewhere")
    with StoreReader(tmp_path) as reader:
        index.refresh(reader)
        with Store(tmp_path) as store:
            store.record(
                2, batch(50), findings=[later], sightings=[Sighting(TRIAGED.signature, 3)], elapsed=50.0
            )
        index.refresh(reader)
    found, seen = index.current.find(later.digest), index.current.find(TRIAGED.digest)
    assert found is not None
    assert seen is not None
    assert seen.count == 2
    assert {row.digest for row in index.current.rows[:2]} == {later.digest, TRIAGED.digest}


def test_findings_merged_from_elsewhere_with_older_times_arrive(tmp_path: Path) -> None:
    with Store(tmp_path / "other") as other:
        other.add_finding(UNTRIAGED)
    time.sleep(0.01)
    with Store(tmp_path / "here") as store:
        store.add_finding(TRIAGED)
        index = FindingIndex(tmp_path / "here")
        index.refresh(store)
        merge_store(store, tmp_path / "other")
        index.refresh(store)
    assert {row.digest for row in index.current.rows} == {TRIAGED.digest, UNTRIAGED.digest}


def test_groups_follow_triage(tmp_path: Path) -> None:
    index = FindingIndex(make_store(tmp_path))
    with StoreReader(tmp_path) as store:
        index.refresh(store)
    row = index.current.find(WICKED.digest)
    assert row is not None
    assert (row.group, row.group_size) == (TRIAGED.digest, 2)
    assert {one.digest for one in index.current.group(TRIAGED.digest)} == {TRIAGED.digest, WICKED.digest}


def test_queries_come_back_as_they_were() -> None:
    given = {"kind": "crash", "q": "a b&c", "sort": "-seen", "page": "3"}
    finding = FindingFilter.read(given)
    assert finding.query(page=3) == "?kind=crash&q=a+b%26c&sort=-seen&page=3"
    assert finding.query() == "?kind=crash&q=a+b%26c&sort=-seen"
    assert finding.sorted_by("seen") == "?kind=crash&q=a+b%26c&sort=seen"
    assert FindingFilter.read({}).query() == "?"
    assert FindingFilter.read({"page": "٣", "sort": "nothing"}) == FindingFilter()


def test_choices_are_counted(tmp_path: Path) -> None:
    index = FindingIndex(make_store(tmp_path))
    with StoreReader(tmp_path) as store:
        index.refresh(store)
    found = choices(index.current.rows)
    assert ("crash", 1) in found["kind"]
    assert ("open", 4) in found["state"]
    assert ("not judged yet", 2) in found["defect"]
