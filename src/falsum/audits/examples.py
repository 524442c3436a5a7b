"""Examples: one reduced query of each cluster of losses, and of unstable ones, with the first release that
shows it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from falsum.audits.answers import Respondents
from falsum.audits.bisection import FirstRelease, Releases, first_release
from falsum.audits.evidence import text_of_check
from falsum.audits.journal import Journal
from falsum.audits.query.queries import Query
from falsum.audits.reduction import SmallQuery, is_loss, is_unstable, small_instability, small_loss
from falsum.audits.rows import Category, Change, StabilityRow, UpgradeRow
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

# A loss shows where the new solver takes so many times the CPU time of the old one and has not decided.
_TIMES: Final = 8.0
_LEAST_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Example:
    """`row` is the one that the example was made from; `first` the first release that shows it, if known."""

    row: UpgradeRow | StabilityRow
    small: SmallQuery
    first: FirstRelease | None


@dataclass(frozen=True, slots=True)
class ExamplePlan:
    """`seconds` are for all examples together. Releases are looked for in `zoo`, and those it lacks are
    installed if it `installs`.
    """

    seconds: float
    timeout: float
    memory: int
    zoo: Zoo
    installs: bool = False


def loss_examples(
    rows: Sequence[UpgradeRow],
    queries: Mapping[str, Query],
    plan: ExamplePlan,
    journal: Journal,
) -> Iterator[Example]:
    """An example for each cluster of losses, the largest cluster first, until the time is over."""
    deadline = time.monotonic() + plan.seconds
    examples = _representatives(rows, queries)
    for place, row in enumerate(examples):
        seconds_left = deadline - time.monotonic()
        if seconds_left <= 0:
            return
        limit = min(plan.timeout, max(_LEAST_SECONDS, _TIMES * row.cpu_before))
        old, new = resolve(row.old, plan.zoo), resolve(row.new, plan.zoo)
        text = queries[row.query].text()
        with Respondents(journal, limit, plan.memory) as respondents:
            share = seconds_left / (len(examples) - place)
            small = small_loss(text, row.check - 1, old, new, respondents, share)
            script = small.text or text_of_check(text, row.check - 1)
            releases = Releases(old, new, plan.zoo, installs=plan.installs)
            first = first_release(releases, partial(_loses, script, old, respondents=respondents))
        yield Example(row, small, first)


def _loses(script: str, old: Solver, new: Solver, respondents: Respondents) -> bool:
    return new != old and is_loss(script, old, new, respondents)


def instability_examples(
    rows: Sequence[StabilityRow],
    queries: Mapping[str, Query],
    plan: ExamplePlan,
    journal: Journal,
) -> Iterator[Example]:
    """An example for each unstable check, the fastest first, until the time is over."""
    deadline = time.monotonic() + plan.seconds
    examples = sorted(
        (row for row in rows if row.category is Category.UNSTABLE), key=lambda row: row.cpu_median
    )
    for place, row in enumerate(examples):
        seconds_left = deadline - time.monotonic()
        if seconds_left <= 0:
            return
        text = queries[row.query].text()
        with Respondents(journal, plan.timeout, plan.memory) as respondents:
            share = seconds_left / (len(examples) - place)
            solver = resolve(row.solver, plan.zoo)
            small = small_instability(text, row.check - 1, solver, respondents, share)
            script = small.text or text_of_check(text, row.check - 1)
            first = _first_unstable(script, solver, plan, respondents)
        yield Example(row, small, first)


def _first_unstable(
    script: str, solver: Solver, plan: ExamplePlan, respondents: Respondents
) -> FirstRelease | None:
    """The first release with which a script is unstable."""
    oldest = next(iter(plan.zoo.installed(solver.profile)), None)
    if oldest is None or solver.release is None:
        return None
    releases = Releases(resolve(oldest.name, plan.zoo), solver, plan.zoo, installs=plan.installs)
    return first_release(releases, lambda each: is_unstable(script, each, respondents))


def _representatives(rows: Sequence[UpgradeRow], queries: Mapping[str, Query]) -> list[UpgradeRow]:
    """The row with the smallest file of each cluster of losses."""
    lost_rows = [row for row in rows if row.change is Change.LOST]
    sizes = {row.query: queries[row.query].file.stat().st_size for row in lost_rows}
    clusters = Counter((row.old, row.new, row.cluster) for row in lost_rows)
    return [
        min(
            (row for row in lost_rows if (row.old, row.new, row.cluster) == cluster),
            key=lambda row: (sizes[row.query], row.query, row.check),
        )
        for cluster, _count in clusters.most_common()
    ]
