"""Bisection: which releases of a product show a symptom; first bad, last good, fixed since."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec
from packaging.version import Version

from falsum.campaign.triage.release_answers import LONGEST_SAID, Prober, Row, readable
from falsum.campaign.triage.symptom import Standing, Symptom
from falsum.errors import SurroundingsError
from falsum.solvers.versions import NEWEST, UNKNOWN, is_same_release, parse_version

Watcher = Callable[[Row], None]


class Bisection(msgspec.Struct, frozen=True):
    """`rows` are the releases tried, the oldest first; `untried` those that exist and were not."""

    product: str
    symptom: Symptom
    rows: tuple[Row, ...]
    untried: tuple[str, ...] = ()

    @property
    def spans(self) -> list[tuple[int, int]]:
        """First and last row of each run of bad releases; rows that leave it open do not end a run."""
        found: list[tuple[int, int]] = []
        for number, row in enumerate(self.rows):
            if row.standing is not Standing.BAD:
                continue
            if found and not any(r.standing is Standing.GOOD for r in self.rows[found[-1][1] : number]):
                found[-1] = found[-1][0], number
            else:
                found.append((number, number))
        return found

    @property
    def first_bad(self) -> str:
        return self.rows[self.spans[0][0]].release if self.spans else ""

    @property
    def last_good(self) -> str:
        """The newest good release before the first bad one; "" if there is none."""
        if not self.spans:
            return ""
        older = self.rows[: self.spans[0][0]]
        return next((row.release for row in reversed(older) if row.standing is Standing.GOOD), "")

    @property
    def last_bad(self) -> str:
        return self.rows[self.spans[-1][1]].release if self.spans else ""

    @property
    def fixed_in(self) -> str:
        """The oldest good release after the last bad one; "" if there is none."""
        if not self.spans:
            return ""
        newer = self.rows[self.spans[-1][1] :]
        return next((row.release for row in newer if row.standing is Standing.GOOD), "")

    @property
    def newest(self) -> Row | None:
        return self.rows[-1] if self.rows else None

    def plain(self) -> dict[str, Any]:
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built | {
            "first_bad": self.first_bad,
            "last_good": self.last_good,
            "last_bad": self.last_bad,
            "fixed_in": self.fixed_in,
        }


def sentence(found: Bisection) -> str:
    """What the table says, in words."""
    if not found.spans:
        return f"no release of {found.product} that was tried shows it"
    parts = [f"first bad: {found.first_bad}", f"last good before: {found.last_good or 'none known'}"]
    if found.fixed_in:
        parts.append(f"fixed since: {found.fixed_in}")
    else:
        parts.append(f"not fixed in {found.rows[-1].release}, the newest tried")
    if len(found.spans) > 1:
        spans = ", ".join(f"{found.rows[a].release}..{found.rows[b].release}" for a, b in found.spans)
        parts.append(f"it came and went: {spans}")
    if found.untried:
        parts.append(f"{len(found.untried)} releases were not tried, so it may have come and gone between")
    return "; ".join(parts)


def bisect(
    prober: Prober,
    jobs: int,
    *,
    install: bool = False,
    exhaustive: bool = False,
    found: Watcher | None = None,
) -> Bisection:
    """All releases on this machine; with `install` those that are needed to close the gaps as well.

    `exhaustive` installs every release there is: a bug may have come and gone inside a gap.
    """
    tell = found or (lambda _row: None)
    rows = {row.release: row for row in prober.rows(readable(prober.zoo, prober.profile), jobs)}
    for row in rows.values():
        tell(row)
    if not install or not prober.profile.packages:
        return _bisection(prober, rows, ())
    available = [
        release
        for release in prober.zoo.available(prober.profile)[::-1]
        if not parse_version(release).is_prerelease and prober.profile.parses_scripts(release)
    ]
    while (wanted := _next(rows, available, exhaustive=exhaustive)) is not None:
        rows[wanted] = _installed(prober, wanted)
        tell(rows[wanted])
    tried = list(rows)
    untried = tuple(r for r in available if not any(is_same_release(r, other) for other in tried))
    return _bisection(prober, rows, untried)


def _bisection(prober: Prober, rows: Mapping[str, Row], untried: tuple[str, ...]) -> Bisection:
    ordered = sorted(rows.values(), key=lambda row: parse_version(row.release))
    return Bisection(prober.profile.product, prober.symptom, tuple(ordered), untried)


def _installed(prober: Prober, wanted: str) -> Row:
    try:
        return prober.row(prober.zoo.add(prober.profile.product, wanted))
    except SurroundingsError as error:
        return Row(wanted, Standing.MISSING, str(error)[:LONGEST_SAID])


def _next(rows: Mapping[str, Row], available: Sequence[str], *, exhaustive: bool) -> str | None:
    """The release to try next: the newest, then the middle of a gap between good and bad."""
    if not any(row.standing is Standing.BAD for row in rows.values()) and not exhaustive:
        return None
    for gap in _gaps(rows, available, exhaustive=exhaustive):
        return gap[len(gap) // 2]
    return None


def _gaps(rows: Mapping[str, Row], available: Sequence[str], *, exhaustive: bool) -> Iterator[list[str]]:
    """Untried releases between two that differ; before all and after all counts as good."""
    untried = [release for release in available if not any(is_same_release(release, other) for other in rows)]
    if exhaustive:
        if untried:
            yield untried
        return
    if untried and untried[-1] == available[-1]:
        yield untried[-1:]
    decided = sorted(
        (row for row in rows.values() if row.standing.decided), key=lambda row: parse_version(row.release)
    )
    edges: list[tuple[Version, Standing]] = [(UNKNOWN, Standing.GOOD)]
    edges += [(parse_version(row.release), row.standing) for row in decided]
    edges.append((NEWEST, Standing.GOOD))
    for (low, one), (high, other) in pairwise(edges):
        between = [release for release in untried if low < parse_version(release) < high]
        if one is not other and between:
            yield between
