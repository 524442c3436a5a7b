"""Pause: a campaign waits while the machine lacks something it needs, and continues when it is back."""

from __future__ import annotations

import time
from typing import Final

from falsum.campaign.progress import Watcher

_FIRST_SECONDS: Final = 1.0
_MAX_SECONDS: Final = 30.0


class Pause:
    """Waits longer from try to try; the watcher is notified when it begins."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._why = ""  # what is lacking, if anything is
        self._seconds = 0.0
        self._until = 0.0

    @property
    def is_on(self) -> bool:
        return time.monotonic() < self._until

    def begin(self, why: str) -> None:
        """Begin a pause, or make the next try later."""
        if not self._why:
            self._why = why
            self._watcher.paused(why)
        if not self.is_on:  # what was under way at the same time fails for the same reason
            self._seconds = min(_MAX_SECONDS, 2 * self._seconds or _FIRST_SECONDS)
            self._until = time.monotonic() + self._seconds

    def end(self) -> None:
        """End the pause, after a success."""
        self._seconds = self._until = 0.0
        self._why = ""
