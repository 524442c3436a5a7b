"""Groups of triaged findings and their leaders."""

from __future__ import annotations

import os
from pathlib import Path

from tests.campaign.triage.results import forget

from falsum.campaign.triage import result
from falsum.campaign.triage.groups import groups_of, known_in_store, leaders
from falsum.campaign.triage.result import Triage
from falsum.defects.evidence.judgement import Defect


def test_groups(tmp_path: Path) -> None:
    def of(digest: str, signature: str, script: str) -> Triage:
        judgement = result.JudgementRecord(Defect.CRASH, ("z3",), None, ())
        return Triage(digest, judgement, script, signature)

    found = {
        tmp_path / "a": of("a", "crash | z3 | assertion: one | | |", "(check-sat)(check-sat)"),
        tmp_path / "b": of("b", "crash | z3 | assertion: one | | |", "(check-sat)"),
        tmp_path / "c": of("c", "crash | z3 | signal: SIGSEGV | strings | str.len |", "(check-sat)"),
        tmp_path / "d": of("d", "a signature from before", "(check-sat)"),
    }
    assert leaders(groups_of(found)) == {"a": "b", "b": "b", "c": "c"}


def test_findings_in_the_store_are_read_again_when_they_change(tmp_path: Path) -> None:
    mine, other = tmp_path / "a", tmp_path / "b"
    crash = result.JudgementRecord(Defect.CRASH, ("z3",), None, ())
    for number, signature in enumerate(
        ("crash | z3 | assertion: one | | |", "crash | z3 | assertion: two | | |")
    ):
        for folder in (mine, other):
            folder.mkdir(exist_ok=True)
            result.write(folder, result.TRIAGE, Triage(folder.name, crash, "(check-sat)", signature))
            os.utime(folder / result.TRIAGE, ns=(number, number))
        assert [known.signature for known in known_in_store(mine, None)] == [signature]
    forget(other)
    assert known_in_store(mine, None) == ()
