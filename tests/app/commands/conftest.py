"""What tests of commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.campaign.triage import answer_cache
from falsum.solvers.zoo import Zoo
from falsum.trust import VARIABLE


@pytest.fixture
def own_releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Falsum's own releases alone, however many there are on this machine; a cache of this test's own, and
    no trust of others.
    """
    monkeypatch.setattr(Zoo, "installed", lambda _zoo, _profile: [])
    monkeypatch.setattr(Zoo, "on_path", lambda _zoo, _profile: [])
    monkeypatch.setattr(answer_cache, "default_folder", lambda: tmp_path / "cache")
    monkeypatch.setenv(VARIABLE, "")  # a build that is named is trusted from then on
    monkeypatch.chdir(tmp_path)
