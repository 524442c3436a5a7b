"""The store: all of a batch or nothing of it, and whole folders or none."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from falsum.errors import SurroundingsError, UsageError
from falsum.store import finding_folder
from falsum.store.reader import StoreReader
from falsum.store.records import (
    BatchRecord,
    ExchangeRecord,
    FaultRecord,
    FindingRecord,
    MeasureRecord,
    SeedRecord,
    Sighting,
)
from falsum.store.store import FINDINGS, Store


def finding_of(signature: str = "crash | z3 | here", batch: int = 0, place: int = 0) -> FindingRecord:
    answer = {
        "verdicts": ["sat"], "ending": "finished", "cause": "", "detail": "", "model": None, "core": None,
        "seconds": 0.1, "cpu": 0.1,
    }  # fmt: skip
    exchange = ExchangeRecord(
        "z3@4.8", "4.8", ("/bin/cat",), "(check-sat)\n", "verdict", True, answer, "sat\n", ""
    )
    return FindingRecord(
        kind="crash", seemed="", suspects=("z3@4.8",), signature=signature, evidence="z3 crashed",
        strategy="opfuzz", rng="1:0", batch=batch, place=place, want="verdict", script="(check-sat)\n",
        seeds=(("s.smt2", "(check-sat)"),), lineage=("opfuzz: + -> -",), claim=("sat", None),
        witness="((define-fun x () Int 1))", reference="(check-sat)", exchanges=(exchange,),
    )  # fmt: skip


def batch_of(number: int = 0, made: int = 20) -> BatchRecord:
    return BatchRecord(number, "opfuzz", "s.smt2", made, 1.5, "done", {"mutants": made})


def test_a_batch_comes_back(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        campaign = store.begin({"rng": 1})
        new = store.record(campaign, batch_of(3), findings=[finding_of()], elapsed=2.0)
        assert new == ["crash | z3 | here"]
        assert store.batches_done(campaign) == {3}
        assert store.batches(campaign) == [batch_of(3)]
        record = store.campaign()
        assert record is not None
        assert (record.id, record.plan, record.elapsed) == (campaign, {"rng": 1}, 2.0)
        assert store.kinds(campaign) == {"crash": 1}


def test_the_same_signature_is_one_finding_counted(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        campaign = store.begin({})
        store.record(campaign, batch_of(0), findings=[finding_of(place=1)])
        again = store.record(campaign, batch_of(1), findings=[finding_of(batch=1, place=2)])
        assert again == []
        store.record(campaign, batch_of(2), sightings=[Sighting("crash | z3 | here", 4)])
        (one,) = store.findings()
        assert one.count == 3
        assert one.first_seen <= one.last_seen
        assert len(list((tmp_path / FINDINGS).iterdir())) == 1


def test_recording_twice_changes_nothing(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        campaign = store.begin({})
        for _ in range(2):
            store.record(campaign, batch_of(0), findings=[finding_of()], sightings=[Sighting("x", 3)])
        (one,) = store.findings()
        assert one.count == 1
        assert len(store.batches(campaign)) == 1


def test_the_folder_needs_only_the_solver(tmp_path: Path) -> None:
    folder = finding_folder.write(tmp_path, finding_of())
    assert {file.name for file in folder.iterdir()} == {
        "script.smt2", "seed-1.smt2", "reference.smt2", "witness.smt2", "asked", "answers.txt", "replay.sh",
        "finding.json",
    }  # fmt: skip
    result = subprocess.run(
        [folder / "replay.sh"], capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"}
    )
    assert result.returncode == 0
    assert "== z3@4.8 4.8; it said: sat" in result.stdout
    assert "(check-sat)" in result.stdout  # this solver is cat
    assert finding_folder.read(folder) == finding_of()


def test_a_library_brings_its_host_along(tmp_path: Path) -> None:
    hosts = Path(finding_folder.__file__).parent.parent / "solvers" / "hosts"
    command = ("/bin/echo", "-I", str(hosts / "serve.py"), "/elsewhere")
    record = finding_of()
    exchange = msgspec.structs.replace(record.exchanges[0], command=command)
    folder = finding_folder.write(tmp_path, msgspec.structs.replace(record, exchanges=(exchange,)))
    assert (folder / "hosts" / "serve.py").is_file()
    assert 'set -- "$Z3_4_8" -I hosts/serve.py /elsewhere\n' in (folder / "replay.sh").read_text()


def test_half_a_folder_is_swept_away(tmp_path: Path) -> None:
    (tmp_path / FINDINGS / ".new-abc").mkdir(parents=True)
    with Store(tmp_path):
        assert list((tmp_path / FINDINGS).iterdir()) == []


def test_one_writer_many_readers(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        campaign = store.begin({})
        with StoreReader(tmp_path) as one, StoreReader(tmp_path) as other:
            store.record(campaign, batch_of(0), findings=[finding_of()])
            assert len(one.findings()) == len(other.findings()) == 1
        with pytest.raises(SurroundingsError, match="another falsum"):
            Store(tmp_path)
    Store(tmp_path).close()


def test_seeds_are_remembered(tmp_path: Path) -> None:
    measure = MeasureRecord("z3=5.4", 0.01, ("sat", "unsat"), "finished")
    seeds = [SeedRecord(f"d{n}", f"{n}.smt2", "", (measure,)) for n in range(1200)]
    with Store(tmp_path) as store:
        store.record_seeds([*seeds, SeedRecord("bad", "bad.smt2", "unreadable: …")])
    with StoreReader(tmp_path) as store:
        known = store.seeds([*(seed.digest for seed in seeds), "bad", "unheard of"])
    assert known["d7"] == seeds[7]
    assert known["bad"].filtered.startswith("unreadable")
    assert len(known) == 1201


def test_faults_are_kept(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        campaign = store.begin({})
        store.record(campaign, batch_of(5), faults=[FaultRecord(2, "Traceback")])
        assert store.faults(campaign) == store.faults() == [(5, 2, "Traceback")]


def test_a_batch_that_fails_halfway_leaves_nothing(tmp_path: Path) -> None:
    """The transaction is rolled back, not committed."""

    def broken() -> Iterator[FaultRecord]:
        yield FaultRecord(1, "one")
        raise ValueError("no more")

    with Store(tmp_path) as store:
        campaign = store.begin({})
        with pytest.raises(ValueError, match="no more"):
            store.record(campaign, batch_of(5), findings=[finding_of()], faults=broken())
        assert store.batches_done(campaign) == set()
        assert store.findings() == []
        assert store.faults() == []
        store.record(campaign, batch_of(5), findings=[finding_of()])
        assert len(store.findings()) == 1


def test_a_batch_that_is_recorded_twice_has_its_faults_once(tmp_path: Path) -> None:
    """A worker's batch may be run again after a crash; faults of other batches stay."""
    with Store(tmp_path) as store:
        campaign, other = store.begin({}), store.begin({})
        for _ in range(2):
            store.record(campaign, batch_of(5), faults=[FaultRecord(2, "Traceback"), FaultRecord(2, "two")])
            store.record(campaign, batch_of(6), faults=[FaultRecord(1, "six")])
            store.record(other, batch_of(5), faults=[FaultRecord(0, "other")])
        assert store.faults(campaign) == [(5, 2, "Traceback"), (5, 2, "two"), (6, 1, "six")]
        assert store.faults(other) == [(5, 0, "other")]


def test_names_of_findings(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        campaign = store.begin({})
        store.record(campaign, batch_of(), findings=[finding_of(), finding_of("crash | z3 | there", place=1)])
        first = store.findings()[0]
        assert store.finding(first.digest[:6]) == first
        assert store.finding(first.folder) == first
        with pytest.raises(UsageError, match="ambiguous"):
            store.finding("crash")
        with pytest.raises(UsageError, match="no finding"):
            store.finding("zzz")
        many = [finding_of(f"crash | z3 | {place}", place=place) for place in range(2, 8)]
        store.record(campaign, batch_of(1), findings=many)
        with pytest.raises(UsageError, match=r"ambiguous: ([0-9a-f]+, ){4}[0-9a-f]+ and 3 more\Z"):
            store.finding("crash")


def test_no_store(tmp_path: Path) -> None:
    with pytest.raises(SurroundingsError, match="no campaign"):
        StoreReader(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(SurroundingsError):
        Store(tmp_path / "file" / "below")


def test_a_damaged_store_is_an_error_of_ours(tmp_path: Path) -> None:
    """Whatever pages are damaged: what can be read is read, the rest is told, with the folder."""
    with Store(tmp_path / "whole") as store:
        campaign = store.begin({})
        for number in range(40):
            found = finding_of(f"crash | z3 | {number}", number)
            store.record(campaign, batch_of(number, made=1), findings=[found])
    whole = (tmp_path / "whole" / "falsum.sqlite").read_bytes()
    told = 0
    for place in range(0, len(whole), 4096):
        damaged = tmp_path / f"damaged-{place}"
        damaged.mkdir()
        (damaged / "falsum.sqlite").write_bytes(whole[:place] + os.urandom(4096) + whole[place + 4096 :])
        try:
            with StoreReader(damaged) as reader:
                reader.campaign()
                reader.batches(campaign)
                reader.findings()
        except SurroundingsError as error:
            told += 1
            assert str(damaged) in str(error)  # noqa: PT017
    assert told


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"{", b"[]", b'{"kind": "\xff"}', b"\x00" * 100])
def test_a_finding_that_cannot_be_read_is_an_error_of_ours(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "finding.json").write_bytes(content)
    with pytest.raises(SurroundingsError, match=r"finding\.json: not a finding that falsum"):
        finding_folder.read(tmp_path)


def write_for_ever(folder: str) -> None:
    with Store(Path(folder)) as store:
        last = store.campaign()
        campaign = last.id if last else store.begin({})
        number = max(store.batches_done(campaign), default=-1) + 1
        while True:
            found = finding_of(f"crash | z3 | {number % 50}", number)
            store.record(campaign, batch_of(number, made=1), findings=[found])
            number += 1


def test_killed_at_any_moment_nothing_is_half_there(tmp_path: Path) -> None:
    """A batch that is there has its findings, and a finding has its folder."""
    context = multiprocessing.get_context("spawn")
    done = 0
    for pause in (0.05, 0.11, 0.02, 0.17):
        writer = context.Process(target=write_for_ever, args=(str(tmp_path),))
        writer.start()
        until = time.monotonic() + 20
        while time.monotonic() < until and _count(tmp_path) <= done:
            time.sleep(0.01)
        time.sleep(pause)
        os.kill(writer.pid or 0, signal.SIGKILL)
        writer.join()
        with StoreReader(tmp_path) as store:
            batches, findings = store.batches(1), store.findings()
        assert len(batches) > done
        done = len(batches)
        assert [batch.number for batch in batches] == list(range(done))
        assert sum(one.count for one in findings) == done
        for one in findings:
            finding_folder.read(tmp_path / FINDINGS / one.folder)


def _count(folder: Path) -> int:
    try:
        with StoreReader(folder) as store:
            return len(store.batches_done(1))
    except SurroundingsError:
        return 0
