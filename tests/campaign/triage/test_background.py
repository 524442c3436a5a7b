"""Triage in the background takes a bounded share of the time."""

from __future__ import annotations

import time
from pathlib import Path

from tests.campaign.places import HONEST
from tests.campaign.triage.test_steps import SCRIPT, kept, record

from falsum.campaign.triage.background import BackgroundTriage


def test_the_share_is_kept_and_reports_are_written(tmp_path: Path) -> None:
    folders = [kept(tmp_path, record("leak", HONEST, SCRIPT.replace("100", f"{n}"))) for n in (7, 8)]
    reported: list[Path] = []
    background = BackgroundTriage((HONEST,), 5.0, 1024, reported.append, share=0.0)
    try:
        background.begin(folders[:1])
        background.add(folders[1])
        assert background.left == 2
        until = time.monotonic() + 100
        while not reported and time.monotonic() < until:
            list(background.look(1, 0.2))
        # The first one has used up a share of nothing.
        assert reported == folders[:1]
        list(background.look(1, 0.2))
        assert background.left == 1
        list(background.finish(1000.0, lambda: False))
        assert reported == folders
    finally:
        background.close()
