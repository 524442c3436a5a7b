"""What makes a campaign fail, and when it has found enough."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.app.report.example import RECORD, TRIAGE

from falsum.campaign.lifecycle.baseline import Baseline, read_baseline
from falsum.campaign.lifecycle.hook import FindingHook
from falsum.campaign.lifecycle.policy import FindingPolicy, fail_words, words_of
from falsum.campaign.triage import result
from falsum.defects.evidence.judgement import Defect
from falsum.errors import UsageError
from falsum.store import finding_folder
from falsum.store.archive import write_archive
from falsum.store.records import BatchRecord
from falsum.store.states import FindingState, note_change
from falsum.store.store import FINDINGS, Store

BATCH = BatchRecord(1, "typefuzz", "seed.smt2", 1, 0.1, "done", {})


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("crash", "any crash"),
        ("api-exception", "any crash"),
        ("model", "any model"),
        ("disagreement", "any refutation solution"),
        ("flaky", "any"),
        ("leak", "any"),
    ],
)
def test_what_is_not_triaged_counts_as_all_it_may_be(kind: str, words: str) -> None:
    assert words_of(msgspec.structs.replace(RECORD, kind=kind), None) == set(words.split())


@pytest.mark.parametrize(
    ("defect", "words"),
    [
        (Defect.REFUTATION_UNSOUNDNESS, "any refutation"),
        (Defect.SOLUTION_UNSOUNDNESS, "any solution"),
        (Defect.INVALID_MODEL, "any model"),
        (Defect.CRASH, "any crash"),
        (Defect.UNDECIDED, "any"),
        (Defect.SLOW, "any"),
    ],
)
def test_what_is_triaged_counts_as_its_defect(defect: Defect, words: str) -> None:
    judged = msgspec.structs.replace(TRIAGE.judgement, defect=defect)
    assert words_of(RECORD, msgspec.structs.replace(TRIAGE, judgement=judged)) == set(words.split())


def test_words_of_the_option() -> None:
    assert fail_words("crash, model") == {"crash", "model"}
    for wrong in ("crashes", "crash,unsat", ""):
        with pytest.raises(UsageError, match="--fail-on: unknown kind"):
            fail_words(wrong)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with one triaged finding."""
    with Store(tmp_path / "known") as opened:
        opened.record(opened.begin({}), BATCH, findings=[RECORD])
    folder = tmp_path / "known" / FINDINGS / finding_folder.name_of(RECORD)
    result.write(folder, result.TRIAGE, TRIAGE)
    return tmp_path / "known"


def test_a_baseline_knows_findings_whatever_the_solver_is_called(store: Path, tmp_path: Path) -> None:
    write_archive(store, tmp_path / "known.tar.gz")
    renamed = msgspec.structs.replace(
        RECORD, suspects=("/build/z3",), signature=RECORD.signature.replace("z3@4.8.6", "/build/z3")
    )
    another = msgspec.structs.replace(RECORD, signature="disagreement | z3@4.8.6 | sat")
    for baseline in (read_baseline(store), read_baseline(tmp_path / "known.tar.gz")):
        assert baseline.has(RECORD)
        assert baseline.has(renamed)
        assert not baseline.has(another)
        assert "of the baseline" in baseline.recognises(TRIAGE)
        assert not baseline.recognises(msgspec.structs.replace(TRIAGE, signature="crash | z3 | a | b | c"))


def test_what_is_wrong_with_a_reference_makes_nothing_fail(tmp_path: Path) -> None:
    policy = FindingPolicy(max_findings=1)
    record = msgspec.structs.replace(RECORD, references=RECORD.suspects)
    folder = finding_folder.write(tmp_path, record)
    policy.found(folder, is_triaged_later=False)
    assert not policy.is_enough
    assert not policy.fails([folder])
    # Triage may know better.
    blamed = msgspec.structs.replace(TRIAGE.judgement, suspects=("my=/build/z3",))
    result.write(folder, result.TRIAGE, msgspec.structs.replace(TRIAGE, judgement=blamed))
    assert policy.fails([folder])


def test_a_reference_that_triage_blames_is_not_counted(tmp_path: Path) -> None:
    policy = FindingPolicy(max_findings=1)
    both = msgspec.structs.replace(RECORD, suspects=("z3@4.8.6", "my=/build/z3"), references=("z3@4.8.6",))
    folder = finding_folder.write(tmp_path, both)
    policy.found(folder, is_triaged_later=True)
    assert policy.is_enough
    result.write(folder, result.TRIAGE, TRIAGE)
    policy.triaged(folder)
    assert not policy.is_enough
    assert not policy.fails([folder])


def test_what_is_fixed_is_not_in_the_baseline(store: Path) -> None:
    note_change([store / FINDINGS / finding_folder.name_of(RECORD)], FindingState.FIXED, release="5.0")
    assert read_baseline(store) == Baseline(frozenset(), ())


def test_known_findings_are_not_reported(store: Path, tmp_path: Path) -> None:
    policy = FindingPolicy(read_baseline(store), max_findings=1)
    another = msgspec.structs.replace(RECORD, signature="disagreement | z3@4.8.6 | sat")
    assert policy.unknown([RECORD, another]) == [another]
    folder = finding_folder.write(tmp_path / "new", another)
    policy.found(folder, is_triaged_later=True)
    assert policy.is_enough
    assert policy.fails([folder])
    result.write(folder, result.TRIAGE, TRIAGE)
    policy.triaged(folder)
    assert not policy.is_enough
    assert not policy.fails([folder])
    assert policy.known == 2
    triaged = result.read(folder)
    assert triaged is not None
    assert "of the baseline" in triaged.known


def test_a_hook_is_run_once_for_each_finding_and_stops_nothing(tmp_path: Path) -> None:
    told: list[str] = []
    hook = FindingHook(f'basename "$FALSUM_FINDING" >> {tmp_path}/log; test "${{FALSUM_FINDING##*/}}" != b')
    policy = FindingPolicy(hook=hook, tell=told.append)
    for name, is_triaged_later in (("a", False), ("b", True), ("a", False)):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / finding_folder.RECORD_NAME).write_bytes(msgspec.json.encode(RECORD))
        policy.found(folder, is_triaged_later=is_triaged_later)
    policy.finish()
    assert (tmp_path / "log").read_text().split() == ["a", "b"]
    assert told == ["--on-finding failed for b (exit status 1): no output"]


def test_a_hook_that_hangs_is_ended(tmp_path: Path) -> None:
    hook = FindingHook("sleep 60", seconds=0.2)
    hook.add(tmp_path)
    (told,) = hook.finish()
    assert "took longer" in told
    hook.close()


def test_a_bug_of_the_atlas_is_named_and_not_new(tmp_path: Path) -> None:
    told: list[str] = []
    folder = finding_folder.write(tmp_path, RECORD)
    result.write(folder, result.TRIAGE, msgspec.structs.replace(TRIAGE, known="known: as atlas z3-0042"))
    for knows, new in ((True, 0), (False, 1)):
        policy = FindingPolicy(knows_atlas=knows, tell=told.append)
        policy.found(folder, is_triaged_later=True)
        policy.triaged(folder)
        assert len(policy.new) == new
        assert policy.fails([folder]) is not knows
    assert told == [f"found again: z3-0042; {folder}"]
