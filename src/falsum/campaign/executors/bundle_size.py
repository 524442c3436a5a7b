"""BundleSize: the number of tasks per message, chosen so that the coordinator is mostly idle."""

from __future__ import annotations

from typing import Final

# The share of one core above which the coordinator sends more at once, and below which it sends less.
_BUSY: Final = 0.1
_IDLE: Final = 0.03
_EVERY_SECONDS: Final = 5.0
MAX_SIZE: Final = 32


class BundleSize:
    """The size of bundles, doubled or halved by how much CPU time the coordinator used."""

    def __init__(self, now: float, cpu: float) -> None:
        self.size = 1
        self._since, self._cpu = now, cpu

    def look(self, now: float, cpu: float) -> None:
        elapsed = now - self._since
        if elapsed < _EVERY_SECONDS:
            return
        share = (cpu - self._cpu) / elapsed
        if share > _BUSY:
            self.size = min(MAX_SIZE, 2 * self.size)
        elif share < _IDLE:
            self.size = max(1, self.size // 2)
        self._since, self._cpu = now, cpu
