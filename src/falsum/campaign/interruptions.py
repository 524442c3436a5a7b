"""Interruptions: SIGINT and SIGTERM, counted while a campaign runs."""

from __future__ import annotations

import signal
from typing import Any, Self


class Interruptions:
    """Counts SIGINT and SIGTERM while it is entered; the third one raises KeyboardInterrupt."""

    def __init__(self) -> None:
        self.count = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_exception: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, _number: int, _frame: object) -> None:
        self.count += 1
        if self.count > 2:
            raise KeyboardInterrupt
