"""RunStats: how often runs take each action in each state, and make terms with each operator."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from falsum.api.run_result import RunResult


class RunStats:
    """The counts of all runs; `visits` is kept by the fuzzer."""

    def __init__(self, visits: Counter[tuple[str, str]]) -> None:
        self.visits = visits
        self.endings: Counter[str] = Counter()
        self.operators: Counter[str] = Counter()

    def add(self, result: RunResult) -> None:
        self.endings[str(result.status)] += 1
        terms = [line for line in result.trace.lines if line.word == "term"]
        # Functions of datatypes are counted by kind: their names differ in every run.
        self.operators.update(line.args[0].partition("[")[0].partition(":")[0] for line in terms)

    def rows(self) -> Iterator[str]:
        """A table for people: endings, actions by state, operators."""
        yield from _table("endings", self.endings)
        for state in dict.fromkeys(state for state, _action in self.visits):
            here = Counter({action: count for (each, action), count in self.visits.items() if each == state})
            yield from _table(f"state {state}", here)
        yield from _table("operators", self.operators)


def _table(title: str, counts: Counter[str]) -> Iterator[str]:
    yield f"{title}: {counts.total()}"
    for name, count in counts.most_common():
        yield f"  {count:8} {100 * count / counts.total():6.2f} %  {name}"
