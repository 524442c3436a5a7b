"""A pause: announced once, longer from try to try, over as soon as something goes well."""

from __future__ import annotations

import time

import pytest
from tests.campaign.test_campaign import Log

from falsum.campaign.pause import Pause


def test_it_waits_longer_from_try_to_try(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    log = Log()
    pause = Pause(log)
    assert not pause.is_on
    waited = []
    for _ in range(8):
        pause.begin("no room")
        pause.begin("no room, says another")
        started = now[0]
        while pause.is_on:
            now[0] += 0.5
        waited.append(now[0] - started)
    assert waited == [1, 2, 4, 8, 16, 30, 30, 30]
    assert log.events == [("paused", "no room")]
    pause.begin("no room")
    pause.end()
    assert not pause.is_on
    pause.begin("no descriptors")
    assert log.events[1:] == [("paused", "no descriptors")]
