"""Findings are handed to workers one by one; whatever happens to a worker, nothing is lost."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.campaign.places import HONEST
from tests.campaign.triage.test_steps import LIAR, job, kept, record

from falsum.campaign.triage import result
from falsum.campaign.triage.queue import TriageQueue, processes
from falsum.store import finding_folder


def test_killed_at_any_moment_nothing_is_lost(tmp_path: Path) -> None:
    folder = kept(tmp_path, record("disagreement", LIAR))
    before = finding_folder.read(folder)
    drawn = Random(5)
    for _ in range(2):
        with TriageQueue(processes(1)) as queue:
            queue.add(job(folder))
            queue.add(job(folder))
            assert queue.submit()
            assert not queue.submit()
            list(queue.finished(3 * drawn.random()))
    with TriageQueue(processes(1)) as queue:
        assert list(queue.run([job(folder)])) == [(folder, "")]
    assert finding_folder.read(folder) == before
    assert result.read(folder) is not None


def test_an_error_is_reported_and_others_go_on(tmp_path: Path) -> None:
    broken = kept(tmp_path, record("no such oracle", "/no/such/solver"))
    fine = kept(tmp_path, record("leak", HONEST))
    with TriageQueue(processes(2)) as queue:
        errors = dict(queue.run([job(broken), job(fine)]))
    assert "/no/such/solver" in errors[broken]
    assert errors[fine] == ""
