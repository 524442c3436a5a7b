"""Stores are merged: nothing twice, nothing lost."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.app.report.example import RECORD

from falsum.errors import SurroundingsError, UsageError
from falsum.store import finding_folder
from falsum.store.merge import MergeResult, merge_contents, merge_store
from falsum.store.reader import StoreReader
from falsum.store.records import BatchRecord, FindingRecord, MeasureRecord, SeedRecord, Sighting
from falsum.store.states import FindingState, note_change, read_life
from falsum.store.store import FINDINGS, Store

BATCH = BatchRecord(1, "typefuzz", "seed.smt2", 1, 0.1, "done", {})
SEED = SeedRecord("d1", "seed.smt2", "", (MeasureRecord("z3", 0.1, ("sat",), "finished"),))


def another(signature: str) -> FindingRecord:
    return msgspec.structs.replace(RECORD, signature=signature)


def filled(folder: Path, *records: FindingRecord) -> Path:
    with Store(folder) as store:
        sightings = [Sighting(record.signature, 7) for record in records]
        plan = {"name": folder.name}
        store.record(store.begin(plan), BATCH, seeds=[SEED], findings=records, sightings=sightings)
    return folder


def home(folder: Path, record: FindingRecord) -> Path:
    return folder / FINDINGS / finding_folder.name_of(record)


def counts(folder: Path) -> dict[str, int]:
    with StoreReader(folder) as store:
        return {one.signature: one.count for one in store.findings()}


def test_findings_of_two_stores_come_together(tmp_path: Path) -> None:
    one = filled(tmp_path / "one", RECORD, another("a"))
    two = filled(tmp_path / "two", RECORD, another("b"))
    (home(two, RECORD) / "triage.json").write_text("{}")
    with Store(one) as store:
        assert merge_store(store, two) == MergeResult(2, 1)
        assert merge_store(store, two) == MergeResult(2, 0)
        assert store.campaign() is not None
        assert store.campaign().plan == {"name": "one"}  # type: ignore[union-attr]
    assert counts(one) == {RECORD.signature: 4, "a": 2, "b": 2}
    assert (home(one, RECORD) / "triage.json").is_file()
    assert finding_folder.read(home(one, another("b"))).signature == "b"


def test_an_empty_store_takes_findings_and_seeds(tmp_path: Path) -> None:
    """What came from elsewhere cannot be resumed, but its seeds need not be measured again."""
    one = filled(tmp_path / "one", RECORD)
    with Store(tmp_path / "new") as store:
        merge_store(store, one)
        assert store.campaign() is None
        assert store.all_seeds() == [SEED]
    with Store(one) as store:
        assert merge_store(store, tmp_path / "new") == MergeResult(1, 0)
    assert counts(one) == {RECORD.signature: 2}


def test_the_latest_state_counts_on_both_sides(tmp_path: Path) -> None:
    one, two = filled(tmp_path / "one", RECORD), filled(tmp_path / "two", RECORD)
    note_change([home(one, RECORD)], FindingState.REPORTED, url="https://example.org")
    note_change([home(two, RECORD)], FindingState.FIXED, release="5.0")
    with Store(one) as store:
        merge_store(store, two)
    with Store(two) as store:
        merge_store(store, one)
    life = read_life(home(one, RECORD))
    assert [str(change.state) for change in life.changes] == ["reported", "fixed"]
    assert read_life(home(two, RECORD)) == life


def test_what_is_not_right_is_refused(tmp_path: Path) -> None:
    one, two = filled(tmp_path / "one", RECORD), filled(tmp_path / "two", another("b"))
    with Store(one) as store:
        with pytest.raises(UsageError, match="into itself"):
            merge_store(store, tmp_path / "one")
        with StoreReader(two) as reader:
            contents = reader.contents()
        (listed,) = contents.findings
        outside = msgspec.structs.replace(listed, folder="../b")
        with pytest.raises(SurroundingsError, match="not the name"):
            merge_contents(store, msgspec.structs.replace(contents, findings=(outside,)), two / FINDINGS)
        renamed = msgspec.structs.replace(listed, signature="another")
        with pytest.raises(SurroundingsError, match="another finding"):
            merge_contents(store, msgspec.structs.replace(contents, findings=(renamed,)), two / FINDINGS)
        (home(two, another("b")) / "link").symlink_to("/etc/passwd")
        with pytest.raises(SurroundingsError, match="symbolic links"):
            merge_store(store, two)
    assert counts(one) == {RECORD.signature: 2}
