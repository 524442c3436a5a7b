"""LibraryGuide: which actions, theories, operators and options lead to new edges of a library.

A word is worth what runs with it bring compared with all runs: the share of them that reach new edges. Old
runs count less and less.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# Runs after which a result counts half.
_HALF_LIFE: Final = 2000.0
# What is expected of a word counts as much as this many runs.
_EXPECTED_RUNS: Final = 20.0
# A word is never given up, and none crowds out the others.
_LEAST: Final = 0.25
_MOST: Final = 4.0
_DIGITS: Final = 3


class LibraryGuide:
    """The runs of one library so far, and those of them that reached new edges, by word."""

    def __init__(self) -> None:
        self._runs = 0.0
        self._gains = 0.0
        self._runs_with: dict[str, float] = {}
        self._gains_with: dict[str, float] = {}

    def add(self, runs: int, uses: Mapping[str, int], gains: int, gains_with: Mapping[str, int]) -> None:
        """Add a batch: its runs and those with each word, and how many of both reached new edges."""
        factor = 0.5 ** (runs / _HALF_LIFE)
        self._runs = self._runs * factor + runs
        self._gains = self._gains * factor + gains
        for total, more in ((self._runs_with, uses), (self._gains_with, gains_with)):
            for word in total:
                total[word] *= factor
            for word, count in more.items():
                total[word] = total.get(word, 0.0) + count

    def weights(self) -> dict[str, float]:
        """By word, how much more often it is to be chosen; without those to be chosen as usual."""
        if not self._gains:
            return {}
        usual = self._gains / self._runs
        weights = {
            word: (self._gains_with.get(word, 0.0) + _EXPECTED_RUNS * usual) / (runs + _EXPECTED_RUNS) / usual
            for word, runs in sorted(self._runs_with.items())
        }
        rounded = {word: round(min(_MOST, max(_LEAST, weight)), _DIGITS) for word, weight in weights.items()}
        return {word: weight for word, weight in rounded.items() if weight != 1.0}
