"""SolverFigures: the answers of each solver over all campaigns of a store, and the findings that
suspect it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from falsum.app.pages.finding_index import FindingRow
from falsum.store.records import CampaignRecord, StrategyTotal

_MOST_MESSAGES: Final = 8
WORDS: Final = ("sat", "unsat", "unknown", "timed out", "rejected", "crashed")


@dataclass(frozen=True, slots=True)
class SolverFigures:
    """One solver: `answers` counts them by word, `messages` are the most frequent reasons of rejections and
    errors.
    """

    name: str
    campaigns: int
    answers: Mapping[str, int]
    messages: tuple[tuple[str, int], ...]
    more_messages: int
    findings: int
    open_findings: int

    @property
    def total(self) -> int:
        return sum(self.answers.values())

    @property
    def others(self) -> int:
        """The number of answers that have no column of their own."""
        return self.total - sum(self.answers.get(word, 0) for word in WORDS)


def solver_figures(
    campaigns: Iterable[tuple[CampaignRecord, Sequence[StrategyTotal]]], rows: Sequence[FindingRow]
) -> list[SolverFigures]:
    """The solvers of these campaigns, by name."""
    answers: dict[str, Counter[str]] = {}
    messages: dict[str, Counter[str]] = {}
    message_counts: Counter[str] = Counter()
    for campaign, totals in campaigns:
        names: set[str] = set()
        for total in totals:
            for name, said_by_word, errors in _by_solver(campaign, total):
                answers.setdefault(name, Counter()).update(said_by_word)
                messages.setdefault(name, Counter()).update(errors)
                names.add(name)
        message_counts.update(names)
    suspected = Counter(suspect for row in rows for suspect in row.suspects)
    is_open = Counter(suspect for row in rows if row.is_open for suspect in row.suspects)
    return [
        SolverFigures(
            name, message_counts[name], answers.get(name, Counter()),
            tuple(messages.get(name, Counter()).most_common(_MOST_MESSAGES)),
            max(0, len(messages.get(name, ())) - _MOST_MESSAGES), suspected[name], is_open[name],
        )
        for name in sorted(answers.keys() | suspected.keys())
    ]  # fmt: skip


def _by_solver(
    campaign: CampaignRecord, total: StrategyTotal
) -> Iterable[tuple[str, Mapping[str, int], Mapping[str, int]]]:
    """Solver, answers and messages of a strategy or a library."""
    tally: Mapping[str, Any] = total.tally
    if "api" in campaign.plan:
        endings = {word: count for word, count in tally.get("endings", {}).items() if word in WORDS}
        yield total.name, Counter(tally.get("verdicts", {})) + Counter(endings), tally.get("errors", {})
        return
    rejections = tally.get("rejections", {})
    for name, answers in tally.get("said", {}).items():
        yield name, answers, rejections.get(name, {})
