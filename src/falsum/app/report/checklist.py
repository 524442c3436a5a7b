"""Checklist: what developers ask of a report, and what of it is still missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from falsum.app.report.contents import Material
from falsum.campaign.triage.symptom import Standing
from falsum.oracles.judge.judgement import Defect
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.versions import parse_version
from falsum.solvers.zoo import Zoo

_MOST_LINES: Final = 10
# Reports a week that developers have said they can take; for the others one a component is the custom.
WEEKLY: Final[Mapping[str, int]] = {"cvc5": 3}
_RANKED: Final = (
    Defect.REFUTATION_UNSOUNDNESS,
    Defect.SOLUTION_UNSOUNDNESS,
    Defect.INVALID_MODEL,
    Defect.CRASH,
)


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that is asked for; `is_met` is None where it cannot be said here."""

    wanted: str
    is_met: bool | None
    remark: str

    def __str__(self) -> str:
        mark = {True: "[x]", False: "[ ]", None: "[?]"}[self.is_met]
        return f"- {mark} {self.wanted}: {self.remark}"


def points(material: Material, newest: str) -> Iterator[Point]:
    """`newest` is the newest release of the product that is known here."""
    triage = material.triage
    judgement = triage.judgement.judgement
    yield Point("a kind they rank", judgement.defect in _RANKED, str(judgement.defect))
    yield Point(
        "reproduces in fresh processes", triage.cold.always, f"{triage.cold}, other random seeds "
        f"{triage.other_seeds if triage.other_seeds.of else 'do not exist'}"
    )  # fmt: skip
    yield _on_newest(material, newest)
    yield _options(material)
    lines = len(material.script.splitlines())
    yield Point(f"{_MOST_LINES} lines or fewer", lines <= _MOST_LINES, f"{lines} lines")
    accepting = ", ".join(triage.readers) or "none"
    yield Point("accepted by two readers besides falsum's", len(triage.readers) >= 2, accepting)
    yield _witness(material)
    known = f"the same as {triage.known}" if triage.known else "in no list of known findings here"
    yield Point("not known", not triage.known and None, f"{known}; search the tracker for the title")
    found = triage.bisection
    bounds = (
        f"last good {found.last_good or 'unknown'}, first bad {found.first_bad}" if found else "not looked at"
    )
    yield Point("last good and first bad release", bool(found and found.spans), bounds)
    quota = f"at most {WEEKLY[triage.product]} a week, and " if triage.product in WEEKLY else ""
    yield Point("few at a time", None, f"{quota}one for each component until that is fixed")


def _on_newest(material: Material, newest: str) -> Point:
    triage, wanted = material.triage, f"shows in the newest release ({newest or 'unknown'})"
    found = triage.bisection
    row = next((r for r in found.rows if r.release == newest), None) if found else None
    if row is not None:
        return Point(wanted, row.standing is Standing.BAD, f"{row.standing} there: {row.said}")
    return Point(
        wanted, triage.release == newest or None, f"seen in {triage.release or 'an unknown release'}"
    )


def _options(material: Material) -> Point:
    needed = [option.option for option in material.triage.options if option.is_needed]
    remark = f"needs {', '.join(needed)}" if needed else "default options"
    return Point("default options or one regular option", len(needed) <= 1, remark)


def _witness(material: Material) -> Point:
    judgement = material.triage.judgement.judgement
    wanted = "evidence that does not rest on the solver itself"
    if judgement.defect is Defect.CRASH:
        return Point(wanted, True, "a crash needs none")
    if judgement.by_majority or not judgement.suspects:
        return Point(wanted, False, "a majority at most")
    return Point(wanted, True, ", ".join(dict.fromkeys(each.kind for each in judgement.evidence)))


def newest_release(product: str, zoo: Zoo | None = None) -> str:
    """The newest release of a product on this machine."""
    if product not in BY_PRODUCT:
        return ""
    profile, zoo = BY_PRODUCT[product], zoo or Zoo()
    found = [release.release for release in (*zoo.own(profile), *zoo.installed(profile))]
    return max(found, key=parse_version, default="")


def checklist(material: Material, newest: str) -> str:
    """As a page, with what is missing said first."""
    all_points = list(points(material, newest))
    missing = [point.wanted for point in all_points if point.is_met is False]
    verdict = f"Not ready: {'; '.join(missing)}." if missing else "Nothing that falsum can check is missing."
    remarks = [f"- {remark}" for remark in material.triage.remarks]
    parts = [f"# Before you send it\n\n{verdict}", "\n".join(map(str, all_points))]
    if remarks:
        parts.append("Remarks of the triage:\n\n" + "\n".join(remarks))
    return "\n\n".join(parts) + "\n"
