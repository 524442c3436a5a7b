"""Rows: what is known of one check of a query, as plain data, one type for each command."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Word(StrEnum):
    """How an answer is known to be right, the worst first."""

    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"
    CLAIMED = "only the solver's word"
    AGREED = "agreed"
    CONFIRMED = "confirmed"


class AuditRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """One check: `verdict` is the one in question, `answers` what each solver says, with its name.

    `products` is how many independent products give the verdict. `suspects` are wrong; `evidence` says why,
    or why the verdict is right. `exposed` are known bugs of a release that the query may meet.
    """

    query: str
    check: int
    word: Word
    verdict: str = ""
    answers: dict[str, str] = {}
    products: int = 0
    suspects: tuple[str, ...] = ()
    evidence: str = ""
    exposed: tuple[str, ...] = ()
    cpu: dict[str, float] = {}

    @property
    def label(self) -> str:
        return str(self.word)

    @property
    def about(self) -> str:
        """The solver or solvers of the row."""
        return ", ".join(self.suspects or self.answers)


class Change(StrEnum):
    """What an upgrade does to a check, the worst first."""

    CONTRADICTED = "contradicted"
    LOST = "lost"
    REJECTED = "rejected"
    UNSTABLE = "unstable"
    SLOWER = "slower"
    WON = "won"
    FASTER = "faster"
    SAME = "same"
    UNDECIDED = "undecided"  # on both sides


class UpgradeRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """One check with two solvers: `before` and `after` are their answers, `reason` explains the label.

    `cpu_before` and `cpu_after` are medians of the CPU seconds of the whole query. `runs` is how many runs on
    each side say so, and `p` the probability of such a difference if there is none.
    """

    query: str
    check: int
    old: str
    new: str
    change: Change
    before: str = ""
    after: str = ""
    cpu_before: float = 0.0
    cpu_after: float = 0.0
    effort_before: int | None = None
    effort_after: int | None = None
    runs: int = 1
    p: float | None = None
    reason: str = ""
    suspects: tuple[str, ...] = ()
    cluster: str = ""

    @property
    def label(self) -> str:
        return str(self.change)

    @property
    def about(self) -> str:
        return f"{self.old} → {self.new}"

    @property
    def evidence(self) -> str:
        return self.reason


class Category(StrEnum):
    """Mariposa's categories."""

    UNSTABLE = "unstable"
    INCONCLUSIVE = "inconclusive"
    UNSOLVABLE = "unsolvable"
    STABLE = "stable"


class StabilityRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """One check of a solver over variants: how many are decided, of how many, by kind of rewriting.

    `low` and `high` are the ends of the interval of the success rate (Wilson, 95 %). `stopped_early` says
    why fewer variants than allowed were enough.
    """

    query: str
    check: int
    solver: str
    category: Category
    verdict: str = ""
    successes: int = 0
    variants: int = 0
    low: float = 0.0
    high: float = 1.0
    by_kind: dict[str, tuple[int, int]] = {}
    cpu_median: float = 0.0
    cpu_max: float = 0.0
    reason: str = ""
    stopped_early: str = ""

    @property
    def label(self) -> str:
        return str(self.category)

    @property
    def about(self) -> str:
        return self.solver

    @property
    def evidence(self) -> str:
        return self.reason


AnyRow = AuditRow | UpgradeRow | StabilityRow


def row_key(row: AnyRow) -> tuple[str, int, str]:
    """The key by which a row is found again in another run, whatever the result."""
    return row.query, row.check, row.about if not isinstance(row, AuditRow) else ""


class QueryError(msgspec.Struct, frozen=True, omit_defaults=True):
    """A query that could not be examined, and why; `is_internal`: because of an error in falsum."""

    query: str
    reason: str
    is_internal: bool = False
