"""What is in a journal survives its writer, whenever that is killed."""

from __future__ import annotations

from pathlib import Path

import msgspec

from falsum.audits.journal import Journal, digest


class Entry(msgspec.Struct, frozen=True):
    text: str


def test_records_are_there_again(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "journal"
    long = "x" * 100_000
    with Journal(file) as journal:
        for number in range(50):
            journal.put(digest(str(number)), Entry(f"{number}"))
        journal.put(digest("long"), Entry(long))
        journal.put(digest("7"), Entry("again"))
        assert journal.get(digest("7"), Entry) == Entry("again")
    with Journal(file) as journal:
        assert len(journal) == 51
        assert journal.get(digest("49"), Entry) == Entry("49")
        assert journal.get(digest("7"), Entry) == Entry("again")
        assert journal.get(digest("long"), Entry) == Entry(long)
        assert journal.get(digest("never"), Entry) is None


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "journal"
    with Journal(file) as journal:
        journal.put(digest("a"), Entry("a"))
        journal.put(digest("b"), Entry("b"))
    file.write_bytes(file.read_bytes()[:-3])
    with Journal(file) as journal:
        assert journal.get(digest("b"), Entry) is None
        journal.put(digest("c"), Entry("c"))
    with Journal(file) as journal:
        assert journal.get(digest("a"), Entry) == Entry("a")
        assert journal.get(digest("c"), Entry) == Entry("c")


def test_records_of_another_release_do_not_count(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        journal.put(digest("a"), {"other": 1})
        assert journal.get(digest("a"), Entry) is None


def test_words_of_keys_do_not_run_together() -> None:
    assert digest("ab", "c") != digest("a", "bc")
