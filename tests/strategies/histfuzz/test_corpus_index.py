"""The index of a corpus is made once, and again when a file has changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from falsum.strategies.histfuzz import corpus_index
from falsum.strategies.histfuzz.corpus_index import index_of, index_of_folder, operators_in

LINEAR = "(set-logic QF_LIA)(declare-const x Int)(assert (> (mod x 3) 1))(check-sat)"
BITS = "(set-logic QF_BV)(declare-const v (_ BitVec 4))(assert (bvult (bvadd v v) v))(check-sat)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = tmp_path / "corpus"
    made.mkdir()
    (made / "a.smt2").write_text(LINEAR)
    return made


def read_files(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are read from now on."""
    names = []
    original = corpus_index.script_text

    def read(path: Path) -> str:
        names.append(path.name)
        return original(path)

    monkeypatch.setattr(corpus_index, "script_text", read)
    return names


def test_scripts_are_listed_by_logic_with_the_rules_of_their_operators() -> None:
    index = index_of([("a", LINEAR), ("b", BITS), ("c", "(assert true)")])
    assert index.scripts == {"QF_LIA": ["a"], "QF_BV": ["b"], "": ["c"]}
    assert index.rules[">"] == {"mod": 1.0}
    assert operators_in(LINEAR) == {">", "mod"}


def test_a_folder_is_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = index_of_folder(folder)
    names = read_files(monkeypatch)
    assert index_of_folder(folder) == made
    assert names == []


def test_a_changed_folder_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index_of_folder(folder)
    names = read_files(monkeypatch)
    (folder / "b.smt2").write_text(BITS)
    (folder / "gone.smt2").symlink_to(folder / "nowhere.smt2")
    assert index_of_folder(folder).scripts == {"QF_LIA": ["a.smt2"], "QF_BV": ["b.smt2"]}
    os.utime(folder / "a.smt2", ns=(1, 1))
    (folder / "a.smt2").write_text(LINEAR.replace("QF_LIA", "QF_LRA"))
    assert index_of_folder(folder).scripts == {"QF_LRA": ["a.smt2"], "QF_BV": ["b.smt2"]}
    assert names == ["a.smt2", "b.smt2"] * 2


def test_a_damaged_or_unwritable_cache_costs_only_time(folder: Path, tmp_path: Path) -> None:
    made = index_of_folder(folder)
    (kept,) = (tmp_path / "cache").rglob("*.json")
    kept.write_text("{")
    assert index_of_folder(folder) == made
    for file in (tmp_path / "cache").rglob("*.json"):
        file.unlink()
    kept.parent.rmdir()
    kept.parent.write_text("in the way")
    assert index_of_folder(folder) == made
