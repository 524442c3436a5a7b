"""Interruptions: signals that ask a campaign to end, counted while it runs."""

from __future__ import annotations

import signal
from typing import Any, Final, Self

# A terminal that is closed sends SIGHUP, Ctrl-\\ SIGQUIT.
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class Interruptions:
    """A context that counts these signals; the third one raises KeyboardInterrupt.

    SIGHUP stays ignored where it is, as under `nohup`.
    """

    def __init__(self) -> None:
        self.count = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in _SIGNALS:
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_exception: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, _number: int, _frame: object) -> None:
        self.count += 1
        if self.count > 2:
            raise KeyboardInterrupt
