"""What is found out about a seed is kept for short seeds, by text and further arguments."""

from __future__ import annotations

from falsum.strategies.mutant import KEPT_LENGTH, KEPT_SEEDS, Seed
from falsum.strategies.seeds import kept


def test_a_text_is_looked_at_once() -> None:
    calls: list[str] = []

    @kept
    def length(seed: Seed, more: int) -> int:
        calls.append(seed.name)
        return len(seed.text) + more

    assert [length(Seed(name, "xy"), more) for name, more in (("a", 1), ("b", 1), ("c", 2))] == [3, 3, 4]
    assert calls == ["a", "c"]


def test_long_seeds_and_those_of_long_ago_are_not_kept() -> None:
    calls: list[str] = []

    @kept
    def length(seed: Seed) -> int:
        calls.append(seed.name)
        return len(seed.text)

    long = Seed("long", "x" * (KEPT_LENGTH + 1))
    assert length(long) == length(long) == KEPT_LENGTH + 1
    assert calls == ["long", "long"]
    for number in range(KEPT_SEEDS + 1):
        length(Seed(f"{number}", f"text {number}"))
    before = len(calls)
    length(Seed("again", "text 0"))
    assert len(calls) == before + 1
