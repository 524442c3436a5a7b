"""ddmin: every edit is accepted or has failed on its own, and large parts go first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from falsum.ddmin import ddmin


class Bench:
    """Edits are numbers; those in `needed` cannot be made."""

    def __init__(self, needed: set[int]) -> None:
        self.needed = needed
        self.accepted: list[int] = []
        self.failed: list[int] = []
        self.tried: list[int] = []

    def attempt(self, some: Sequence[int], _ahead: Iterator[Sequence[int]]) -> bool:
        assert some
        self.tried.append(len(some))
        went_well = self.needed.isdisjoint(some)
        self.accepted += some if went_well else []
        return went_well

    def fail(self, edit: int, _good: int) -> None:
        self.failed.append(edit)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 64, 101])
@pytest.mark.parametrize("share", [0.0, 0.03, 0.5, 1.0])
def test_every_edit_is_accepted_or_has_failed(count: int, share: float) -> None:
    needed = {number for number in range(count) if Random(number).random() < share}
    bench = Bench(needed)
    ddmin(range(count), bench.attempt, bench.fail)
    assert sorted(bench.failed) == sorted(needed)
    assert sorted(bench.accepted) == [number for number in range(count) if number not in needed]


def test_what_is_not_needed_goes_soon() -> None:
    """Of a hundred with one needed, half is gone after three tries, and in all it takes few."""
    bench = Bench({60})
    ddmin(range(100), bench.attempt, bench.fail)
    assert bench.tried[:2] == [100, 50]
    assert len(bench.tried) < 18


def test_where_nothing_goes_it_takes_hardly_more_tries_than_edits() -> None:
    bench = Bench(set(range(100)))
    ddmin(range(100), bench.attempt, bench.fail)
    assert len(bench.tried) < 120


def test_it_gives_up_after_max_failures() -> None:
    bench = Bench(set(range(100)))
    ddmin(range(100), bench.attempt, bench.fail, max_failures=5)
    assert bench.failed == [0, 1, 2, 3, 4]
