"""RefixRow: the result for one trigger; Sibling: a defect near it in the release with the fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from falsum.app.refix.fix_check import FixState
from falsum.plural import counted

STILL = "still"  # the release that shows the trigger shows it as well
NEW = "new"  # that release does not show it
OPEN = "open"  # whether it does cannot be said


class Sibling(msgspec.Struct, frozen=True):
    """A defect near a trigger: `since` says whether the older release shows it as well, `steps` how it was
    made.

    `is_judged`: the judge has shown that the release with the fix is wrong.
    """

    digest: str
    defect: str
    since: str
    evidence: str
    steps: tuple[str, ...]
    folder: str
    is_judged: bool

    @property
    def text(self) -> str:
        steps = ", ".join(self.steps) or "the trigger itself"
        return f"{self.since}: {self.defect} {self.digest} ({steps}): {self.folder}"


class RefixRow(msgspec.Struct, frozen=True):
    """The result for one trigger: release `broken` shows its `defect`, release `fixed` was searched; CPU time
    in seconds.

    `ended` says why the search ended.
    """

    trigger: str
    fixed: str
    state: FixState
    broken: str = ""
    defect: str = ""
    text: str = ""
    mutants: int = 0
    cpu: float = 0.0
    ended: str = ""
    siblings: tuple[Sibling, ...] = ()

    @property
    def is_bad(self) -> bool:
        return self.state is FixState.NOT_FIXED or any(one.is_judged for one in self.siblings)

    def lines(self) -> Iterator[str]:
        cpu = f"{self.cpu:.1f} s of CPU time"
        if self.state is FixState.NOT_SHOWN:
            yield f"{self.trigger}: no older release shows it ({self.text}); {cpu}"
            return
        what = f"{self.trigger}: {self.broken} shows {self.defect}"
        if self.state is FixState.NOT_FIXED:
            yield f"{what}, and {self.fixed} still does ({self.text}); {cpu}"
        elif self.state is FixState.UNDECIDED:
            yield f"{what}; {self.fixed} cannot be compared ({self.text}); {cpu}"
        else:
            text = counted(len(self.siblings), "sibling") if self.siblings else "no siblings"
            search = f"{counted(self.mutants, 'mutant')} ({self.ended})"
            yield f"{what}, {self.fixed} does not; {text} in {search}; {cpu}"
        for sibling in self.siblings:
            yield f"  {sibling.text}"


def summary(rows: Sequence[RefixRow]) -> Iterator[str]:
    states = Counter(row.state for row in rows)
    yield f"{counted(len(rows), 'trigger')}: " + ", ".join(f"{n} {state}" for state, n in states.items())
    siblings = _distinct(one for row in rows for one in row.siblings)
    near = sum(bool(row.siblings) for row in rows)
    since = Counter(one.since for one in siblings)
    counts = ", ".join(f"{count} {word}" for word, count in since.items())
    unproven = sum(not one.is_judged for one in siblings)
    open_ones = f", {unproven} of them undecided" if unproven else ""
    near_what = f"near {counted(near, 'trigger')}" if near else "anywhere"
    yield f"{counted(len(siblings), 'sibling')} ({counts or 'none'}) {near_what}{open_ones}"
    mutants, cpu = sum(row.mutants for row in rows), sum(row.cpu for row in rows)
    yield f"{counted(mutants, 'mutant')}, {cpu:.0f} s of CPU time"


def _distinct(siblings: Iterable[Sibling]) -> list[Sibling]:
    """The siblings without repetitions: a defect may be near several triggers."""
    return list({one.digest: one for one in siblings}.values())
