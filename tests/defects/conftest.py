"""What tests of the judge share."""

from __future__ import annotations

import pytest

from falsum.defects.evidence import evidence_for_sat


@pytest.fixture
def no_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """No model that is drawn at random satisfies a script, however simple it is."""
    monkeypatch.setattr(evidence_for_sat, "drawn_model", lambda _flat: "")
