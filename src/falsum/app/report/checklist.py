"""Checklist: what solver developers expect of a report, and what is still missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from falsum.app.report.parts import ReportParts
from falsum.app.report.trackers import tracker_of
from falsum.campaign.triage.bisection import sentence
from falsum.defects import kind_of
from falsum.defects.evidence.judgement import Defect
from falsum.defects.targets.standing import Standing
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.versions import parse_version
from falsum.solvers.zoo import Zoo

_MOST_LINES: Final = 10
# How solvers print elements of declared sorts that have no other name.
_ABSTRACT: Final = "(as @"


@dataclass(frozen=True, slots=True)
class Point:
    """One point of the list; `is_met` is None where falsum cannot tell."""

    demand: str
    is_met: bool | None
    remark: str

    def __str__(self) -> str:
        mark = {True: "[x]", False: "[ ]", None: "[?]"}[self.is_met]
        return f"- {mark} {self.demand}: {self.remark}"


def points(parts: ReportParts, newest: str) -> Iterator[Point]:
    """The points of the list; `newest` is the newest release of the product on this machine."""
    triage = parts.triage
    defect = triage.judgement.defect
    kind = kind_of(defect)
    is_serious = kind is not None and kind.is_serious
    yield Point("a kind of bug that developers rank as serious", is_serious, defect)
    yield Point(
        "reproduces in fresh processes", triage.cold.always, f"{triage.cold}, with other random "
        f"seeds {triage.other_seeds if triage.other_seeds.of else 'not possible'}"
    )  # fmt: skip
    yield _on_newest(parts, newest)
    yield _options(parts)
    lines = len(parts.script.splitlines())
    yield Point(f"{_MOST_LINES} lines or fewer", lines <= _MOST_LINES, f"{lines} lines")
    yield _readers(parts)
    yield _names(parts)
    yield _witness(parts)
    yield _not_reported(parts)
    bisection = triage.bisection
    bounds = sentence(bisection) if bisection else "not tested"
    is_bounded = bisection is not None and bool(bisection.spans) and len(bisection.rows) > 1
    yield Point("last good and first bad release", is_bounded, bounds)
    weekly = tracker_of(triage.product).weekly
    quota = f"at most {weekly} a week, and " if weekly else ""
    yield Point("few reports at a time", None, f"{quota}one for each component until that is fixed")


def _on_newest(parts: ReportParts, newest: str) -> Point:
    triage, point = parts.triage, f"reproduces in the newest release ({newest or 'unknown'})"
    bisection = triage.bisection
    row = next((r for r in bisection.rows if r.release == newest), None) if bisection else None
    if row is not None:
        return Point(point, row.standing is Standing.BAD, f"{row.standing} there: {row.said}")
    return Point(point, triage.release == newest or None, f"seen in {triage.release or 'an unknown release'}")


def _not_reported(parts: ReportParts) -> Point:
    point = "not reported before"
    if parts.life.url:
        return Point(point, False, f"reported: {parts.life.url}")
    recognition = parts.triage.known
    remark = f"the same as {recognition}" if recognition else "not in any list of known findings here"
    return Point(point, not recognition and None, f"{remark}; search the tracker for the title")


def _options(parts: ReportParts) -> Point:
    options = [option.option for option in parts.triage.options if option.is_needed]
    remark = f"requires {', '.join(options)}" if options else "default options"
    return Point("default options or one regular option", len(options) <= 1, remark)


def _readers(parts: ReportParts) -> Point:
    point, readers = "accepted by two other parsers", parts.triage.readers
    if parts.record.trace is not None and not parts.record.script:
        return Point(point, None, "not applicable: the calls have no script")
    return Point(point, len(readers) >= 2, ", ".join(readers) or "none")


def _names(parts: ReportParts) -> Point:
    demand, names = "no internal names of solvers, no built-in name declared", parts.names
    return Point(demand, not names.is_doubtful, str(names) or "the script is plain SMT-LIB")


def _witness(parts: ReportParts) -> Point:
    judgement = parts.triage.judgement.judgement
    point = "evidence that does not rely on the suspect"
    if judgement.defect == Defect.CRASH:
        return Point(point, True, "not required for a crash")
    if judgement.by_majority or not judgement.suspects:
        return Point(point, False, "only a majority, or less")
    kinds = ", ".join(dict.fromkeys(each.kind for each in judgement.evidence))
    if judgement.defect == Defect.INVALID_MODEL and _ABSTRACT in parts.triage.output:
        kinds = f"{kinds}, if different `@` names of one sort are different elements"
    return Point(point, True, kinds)


def newest_release(product: str) -> str:
    """The newest release of a product on this machine."""
    if product not in BY_PRODUCT:
        return ""
    profile, zoo = BY_PRODUCT[product], Zoo()
    releases = [release.version for release in (*zoo.own(profile), *zoo.installed(profile))]
    return max(releases, key=parse_version, default="")


def missing(parts: ReportParts) -> list[str]:
    """What developers expect and the report lacks."""
    newest = newest_release(parts.triage.product)
    return [point.demand for point in points(parts, newest) if point.is_met is False]


def checklist(parts: ReportParts, newest: str) -> str:
    """The checklist as a page, which begins with what is missing."""
    all_points = list(points(parts, newest))
    lacking = [point.demand for point in all_points if point.is_met is False]
    verdict = (
        f"Not ready. Missing: {'; '.join(lacking)}."
        if lacking
        else "Nothing that falsum can check is missing."
    )
    remarks = [f"- {remark}" for remark in parts.triage.remarks]
    page = [f"# Before you report it\n\n{verdict}", f"State: {parts.state}.", "\n".join(map(str, all_points))]
    if remarks:
        page.append("Notes from triage:\n\n" + "\n".join(remarks))
    return "\n\n".join(page) + "\n"
