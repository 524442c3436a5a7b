"""The judgement that is kept in a finding's folder."""

from __future__ import annotations

import msgspec

from falsum.campaign.triage.result import JudgementRecord
from falsum.defects.evidence.judgement import Defect


def test_the_defect_is_kept_under_the_key_of_earlier_releases() -> None:
    kept = b'{"word":"invalid model","suspects":["z3"],"truth":null,"evidence":[],"check":0}'
    record = msgspec.json.decode(kept, type=JudgementRecord)
    assert record.defect == Defect.INVALID_MODEL
    assert msgspec.json.encode(record) == kept
