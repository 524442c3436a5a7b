"""Where seeds come from."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path

import pytest
from tests.campaign.places import HONEST

from falsum.campaign.corpus.seed_files import gather
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.workload import FuzzWorkload
from falsum.campaign.progress import PlainWatcher
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store.store import Store

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


def test_what_is_not_a_readable_file_is_left_out_and_named(corpus: Path) -> None:
    os.mkfifo(corpus / "fifo.smt2")
    (corpus / "device.smt2").symlink_to("/dev/zero")
    (corpus / "dangling.smt2").symlink_to(corpus / "nothing")
    Path(os.fsdecode(os.fsencode(corpus) + b"/\xff.smt2")).write_text(TEXT.replace("0", "7"))
    gathered = gather([str(corpus)])
    assert len(gathered.seeds) == 3
    assert {Path(name).name: why.partition(":")[0] for name, why in gathered.unreadable} == {
        "dangling.smt2": "[Errno 2] No such file or directory",
        "device.smt2": "a symbolic link that leads out of its folder; name the file itself to use it",
        "fifo.smt2": "not a regular file",
        "\\udcff.smt2": "the file name is not UTF-8",
    }


def test_a_seed_that_vanishes_or_changes_is_left_out(corpus: Path, tmp_path: Path) -> None:
    gathered = gather([str(corpus)])
    stream = io.StringIO()
    with Store(tmp_path / "out") as store:
        plan = FuzzPlan(
            seeds=(str(corpus),), strategies=("opfuzz",), solvers=(), rng=1, timeout=1.0, memory=100
        )
        number = store.begin(plan.plain())
        workload = FuzzWorkload(
            plan, store, number, gathered.seeds, [resolve(HONEST, Zoo())], {"opfuzz": 1}, PlainWatcher(stream)
        )
        (corpus / "a.smt2").unlink()
        (corpus / "deep" / "b.smt2").write_bytes(b"\xff")
        (corpus / "deep" / "er" / "c.smt2.gz").write_bytes(gzip.compress(b"(check-sat)"))
        assert workload.next(0.0, 1) is None
    wanted = ("a.smt2: unreadable", "b.smt2: unreadable", "the file has changed")
    assert [stream.getvalue().count(words) for words in wanted] == [1, 1, 1]


def test_a_link_in_a_folder_leads_nowhere_else(tmp_path: Path) -> None:
    """Messages about what is no script would show what the file says."""
    secret = tmp_path / "secret"
    secret.write_text("root:x:0:0")
    folder = tmp_path / "seeds"
    folder.mkdir()
    (folder / "a.smt2").symlink_to(secret)
    (folder / "b.smt2").write_text("(check-sat)")
    (folder / "c.smt2").symlink_to(folder / "b.smt2")
    gathered = gather([str(folder)])
    assert [Path(seed.name).name for seed in gathered.seeds] == ["b.smt2"]
    ((name, why),) = gathered.unreadable
    assert (Path(name).name, "a symbolic link that leads out" in why) == ("a.smt2", True)
    assert [seed.name for seed in gather([str(folder / "a.smt2")]).seeds] == [str(folder / "a.smt2")]
