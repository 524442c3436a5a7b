"""Bisection: the releases of a product that show a defect; first bad, last good, fixed in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, Protocol, TypeAlias

import msgspec
from packaging.version import Version

from falsum.campaign.triage.releases import MAX_ANSWER_LENGTH, ReleaseRow
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.errors import SurroundingsError
from falsum.solvers.profiles import Profile
from falsum.solvers.versions import NEWEST, UNKNOWN, is_same_release, parse_version
from falsum.solvers.zoo import Release, Zoo

_Rows: TypeAlias = Mapping[str, ReleaseRow]
_Edge: TypeAlias = tuple[Version, Standing]
_SHOWS: Final = {Standing.BAD: "shows it", Standing.GOOD: "does not show it"}


class Bisection(msgspec.Struct, frozen=True):
    """`rows` are the tested releases, the oldest first; `untried` the untested ones.

    `build` is a build of the user's own, newer than all releases unless it calls itself older.
    """

    product: str
    target: Target
    rows: tuple[ReleaseRow, ...] = ()
    untried: tuple[str, ...] = ()
    build: ReleaseRow | None = None

    @property
    def spans(self) -> list[tuple[int, int]]:
        """First and last row of each span of bad releases; undecided rows do not end a span."""
        gaps: list[tuple[int, int]] = []
        for number, row in enumerate(self.rows):
            if row.standing is not Standing.BAD:
                continue
            if gaps and not any(r.standing is Standing.GOOD for r in self.rows[gaps[-1][1] : number]):
                gaps[-1] = gaps[-1][0], number
            else:
                gaps.append((number, number))
        return gaps

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
    def last_working(self) -> str:
        """The newest good release before the last bad ones, or a bad build; "" if there is none."""
        older = self.rows[: self.spans[-1][0]] if self.spans else ()
        if self.build is not None and self.build.standing is Standing.BAD and not self.build_is_older:
            older = self.rows
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
    def is_open(self) -> bool:
        """Whether neither the releases nor the build can tell."""
        ends = (*self.rows, self.build) if self.build is not None else self.rows
        return not any(row.standing.decided for row in ends)

    @property
    def newest(self) -> ReleaseRow | None:
        return self.rows[-1] if self.rows else None

    @property
    def build_is_older(self) -> bool:
        """Whether the build calls itself older than the newest tested release."""
        if self.build is None or self.newest is None:
            return False
        return UNKNOWN < parse_version(self.build.version) < parse_version(self.newest.release)

    def plain(self) -> dict[str, Any]:
        plain_bisection: dict[str, Any] = msgspec.to_builtins(self)
        return plain_bisection | {
            "first_bad": self.first_bad,
            "last_good": self.last_good,
            "last_bad": self.last_bad,
            "fixed_in": self.fixed_in,
        }


def sentence(bisection: Bisection) -> str:
    """The table in words."""
    return "; ".join(filter(None, (_build_words(bisection), _release_words(bisection))))


def capital_sentence(bisection: Bisection) -> str:
    """The table in words, as a sentence of a report; names of builds stay as they are."""
    text = sentence(bisection)
    return text if _build_words(bisection) else f"{text[:1].upper()}{text[1:]}"


def _build_words(bisection: Bisection) -> str:
    """How the user's own build compares with the newest release."""
    build, newest = bisection.build, bisection.newest
    if build is None:
        return ""
    if not build.standing.decided:
        return f"{build.release}: {build.standing}, so it is no end to search from"
    if newest is None or not newest.standing.decided:
        return f"{build.release} {_SHOWS[build.standing]}"
    if build.standing is newest.standing:
        return f"{build.release} {_SHOWS[build.standing]}, like {newest.release}, the newest tested"
    if bisection.build_is_older:
        words = f"{newest.release}, the newest tested, {_SHOWS[newest.standing]}"
        return f"{build.release} {_SHOWS[build.standing]}; {words}"
    change = "new since" if build.standing is Standing.BAD else "fixed since"
    return f"{build.release} {_SHOWS[build.standing]}: {change} {newest.release}, the newest tested"


def _not_shown(bisection: Bisection) -> str:
    """The words for a defect that no release shows; a release that cannot tell does not count as good."""
    good = sum(row.standing is Standing.GOOD for row in bisection.rows)
    cannot_tell = len(bisection.rows) - good
    if not good:
        return f"no tested release of {bisection.product} can tell" if bisection.rows else ""
    text = f"none of the tested releases of {bisection.product} shows it"
    return f"{text}; {cannot_tell} of {len(bisection.rows)} cannot tell" if cannot_tell else text


def _release_words(bisection: Bisection) -> str:
    if not bisection.spans:
        return _not_shown(bisection)
    if len(bisection.rows) == 1:
        return f"only one release was tested: {bisection.first_bad} shows it"
    if bisection.first_bad == bisection.rows[0].release:
        parts = [f"first bad: {bisection.first_bad}, the oldest tested"]
    else:
        parts = [f"first bad: {bisection.first_bad}", f"last good: {bisection.last_good or 'none known'}"]
    if bisection.fixed_in:
        parts.append(f"fixed in: {bisection.fixed_in}")
    else:
        parts.append(f"not fixed in {bisection.rows[-1].release}, the newest tested")
    if open_rows := _open_rows(bisection):
        parts.append(f"not to be told: {', '.join(open_rows)}")
    if len(bisection.spans) > 1:
        spans = ", ".join(
            f"{bisection.rows[a].release}..{bisection.rows[b].release}" for a, b in bisection.spans
        )
        parts.append(f"it came and went: {spans}")
    if bisection.untried:
        parts.append(
            f"{len(bisection.untried)} releases were not tested, so it may have come and gone between"
        )
    return "; ".join(parts)


def _open_rows(bisection: Bisection) -> list[str]:
    """The undecided releases between a good and a bad one: the change may be in any of them."""
    decided_rows = [place for place, row in enumerate(bisection.rows) if row.standing.decided]
    places = [
        place
        for one, other in pairwise(decided_rows)
        if bisection.rows[one].standing is not bisection.rows[other].standing
        for place in range(one + 1, other)
    ]
    return [f"{bisection.rows[place].release} ({bisection.rows[place].standing})" for place in places]


class TestedReleases(Protocol):
    """Interface: the releases of a product, tested for one finding."""

    profile: Profile
    zoo: Zoo
    target: Target

    def releases(self) -> list[Release]:
        """The releases on this machine, the oldest first."""
        ...

    def rows(self, releases: Sequence[Release], jobs: int) -> list[ReleaseRow]: ...

    def row(self, release: Release) -> ReleaseRow: ...


def bisect(
    answers: TestedReleases,
    jobs: int,
    *,
    install: bool = False,
    exhaustive: bool = False,
    tell: Callable[[ReleaseRow], None] | None = None,
    build: ReleaseRow | None = None,
    first: str = "",
) -> Bisection:
    """Test all releases on this machine; with `install` also those needed to close the gaps.

    `exhaustive` installs every release: a bug may have come and gone inside a gap. `build` is the result of
    the user's own build, the newer end of the search. `first` is the release expected to show the defect,
    which is installed first.
    """
    report = tell or (lambda _row: None)
    rows = {row.release: row for row in answers.rows(answers.releases(), jobs)}
    for row in rows.values():
        report(row)
    if not install or not answers.profile.packages:
        return _bisection(answers, rows, (), build)
    available = [
        release
        for release in answers.zoo.available(answers.profile)[::-1]
        if not parse_version(release).is_prerelease and answers.profile.parses_scripts(release)
    ]
    suspect = [r for r in available if is_same_release(r, first)] if first else []
    if suspect and not any(is_same_release(suspect[0], other) for other in rows):
        rows[suspect[0]] = _installed(answers, suspect[0])
        report(rows[suspect[0]])
    end = _end(build, available)
    while (next_release := _next(rows, available, end, exhaustive=exhaustive)) is not None:
        rows[next_release] = _installed(answers, next_release)
        report(rows[next_release])
    rows_so_far = list(rows)
    untried = tuple(r for r in available if not any(is_same_release(r, other) for other in rows_so_far))
    return _bisection(answers, rows, untried, build)


def _bisection(
    answers: TestedReleases, rows: _Rows, untried: tuple[str, ...], build: ReleaseRow | None
) -> Bisection:
    in_order = sorted(rows.values(), key=lambda row: parse_version(row.release))
    return Bisection(answers.profile.product, answers.target, tuple(in_order), untried, build)


def _installed(answers: TestedReleases, release: str) -> ReleaseRow:
    try:
        return answers.row(answers.zoo.add(answers.profile.product, release))
    except SurroundingsError as error:
        return ReleaseRow(release, Standing.MISSING, str(error)[:MAX_ANSWER_LENGTH])


def _end(build: ReleaseRow | None, available: Sequence[str]) -> _Edge:
    """Where the user's own build stands: behind all releases unless it calls itself older."""
    if build is None or not build.standing.decided:
        return NEWEST, Standing.GOOD
    version = parse_version(build.version)
    is_older = available and UNKNOWN < version < parse_version(available[-1])
    return (version if is_older else NEWEST), build.standing


def _next(rows: _Rows, available: Sequence[str], end: _Edge, *, exhaustive: bool) -> str | None:
    """The release to test next: the newest, then the middle of a gap between good and bad."""
    standings = {end[1], *(row.standing for row in rows.values())}
    if Standing.BAD not in standings and not exhaustive:
        return None
    for gap in _gaps(rows, available, end, exhaustive=exhaustive):
        return gap[len(gap) // 2]
    return None


def _gaps(rows: _Rows, available: Sequence[str], end: _Edge, *, exhaustive: bool) -> Iterator[list[str]]:
    """Untested releases between two that differ, or a release and `end`; before the first release and after
    the last counts as good, unless the end is there.
    """
    untried = [release for release in available if not any(is_same_release(release, other) for other in rows)]
    if exhaustive:
        if untried:
            yield untried
        return
    if untried and untried[-1] == available[-1]:
        yield untried[-1:]
    edges: list[_Edge] = [(UNKNOWN, Standing.GOOD), end]
    edges += [(parse_version(row.release), row.standing) for row in rows.values() if row.standing.decided]
    edges += [(NEWEST, Standing.GOOD)] if end[0] != NEWEST else []
    edges.sort(key=lambda edge: edge[0])
    for (low, one), (high, other) in pairwise(edges):
        between = [release for release in untried if low < parse_version(release) < high]
        if one is not other and between:
            yield between
