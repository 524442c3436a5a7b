"""Where seeds come from."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from falsum.campaign.fuzz.seed_files import gather
from falsum.errors import SurroundingsError, UsageError

TEXT = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 0))(check-sat)"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "a.smt2").write_text(TEXT)
    (tmp_path / "deep" / "b.smt2").write_text(TEXT.replace("0", "1"))
    (tmp_path / "deep" / "er" / "c.smt2.gz").write_bytes(gzip.compress(TEXT.replace("0", "2").encode()))
    (tmp_path / "deep" / "same.smt2").write_text(TEXT)
    (tmp_path / "deep" / "note.txt").write_text("not a script")
    return tmp_path


def names(*given: str) -> list[str]:
    return [Path(seed.name).name for seed in gather(given).seeds]


def test_files_directories_and_patterns(corpus: Path) -> None:
    assert names(str(corpus)) == ["a.smt2", "b.smt2", "c.smt2.gz"]
    assert names(str(corpus / "deep" / "b.smt2"), str(corpus / "a.smt2")) == ["b.smt2", "a.smt2"]
    assert names(str(corpus / "**" / "*.gz")) == ["c.smt2.gz"]
    assert names(str(corpus / "de*")) == ["b.smt2", "same.smt2", "c.smt2.gz"]


def test_what_a_seed_knows(corpus: Path) -> None:
    (seed,) = gather([str(corpus / "deep" / "er")]).seeds
    assert seed.logic == "QF_LIA"
    assert seed.text() == TEXT.replace("0", "2")


def test_unreadable_files_are_told_and_skipped(corpus: Path) -> None:
    (corpus / "bad.smt2.gz").write_bytes(b"no gzip")
    (corpus / "latin.smt2").write_bytes(b'(echo "\xff")')
    gathered = gather([str(corpus)])
    assert [Path(name).name for name, _why in gathered.unreadable] == ["bad.smt2.gz", "latin.smt2"]
    assert len(gathered.seeds) == 3


def test_wrong_names(tmp_path: Path) -> None:
    with pytest.raises(SurroundingsError):
        gather([str(tmp_path / "nope")])
    with pytest.raises(UsageError):
        gather([str(tmp_path / "*.smt2")])


def test_the_bundled_ones() -> None:
    seeds = gather([]).seeds
    assert len(seeds) >= 200
    assert len({seed.logic for seed in seeds}) >= 20
    assert all(seed.text() for seed in seeds[:5])
