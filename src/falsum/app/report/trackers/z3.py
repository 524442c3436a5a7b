"""Z3: the fields of its bug report form, in its order."""

from __future__ import annotations

from typing import Final

from falsum.app.report.markdown import joined, section
from falsum.app.report.parts import ReportParts
from falsum.app.report.trackers.tracker import Tracker
from falsum.defects.evidence.judgement import Defect

_CATEGORIES: Final[dict[str, str]] = {
    Defect.CRASH: "Crash/Assertion failure",
    Defect.REFUTATION_UNSOUNDNESS: "Incorrect result (SAT/UNSAT/Unknown)",
    Defect.SOLUTION_UNSOUNDNESS: "Incorrect result (SAT/UNSAT/Unknown)",
    Defect.INVALID_MODEL: "Incorrect result (SAT/UNSAT/Unknown)",
    Defect.SLOW: "Performance regression",
}


def report(parts: ReportParts) -> str:
    found = parts.triage.bisection
    worked = "x" if found and found.last_good else " "
    interface = "Python API" if parts.triage.is_library else "Command line (z3 executable)"
    return joined(
        f"# [Bug] {parts.title}",
        section("Bug Category", _CATEGORIES.get(parts.triage.judgement.defect, "Other"), 3),
        section("Bug Description", f"`{parts.command}`\n\n{parts.evidence}\n\n{parts.options}", 3),
        section("Minimal Reproduction", parts.reproducer, 3),
        section("Expected Behavior", parts.expected, 3),
        section("Actual Behavior", f"{parts.actual}\n\n{parts.reproducibility}", 3),
        section("Z3 Version", parts.version, 3),
        section("Platform", parts.platform, 3),
        section("Interface Used", interface, 3),
        section("Installation Method", parts.installation, 3),
        section("Additional Context", f"{parts.releases}\n\n{parts.origin}", 3),
        section(
            "Regression Check",
            f"- [{worked}] This worked in a previous version of Z3\n"
            f"- [{worked}] I can provide the last working version"
            + (f": {found.last_good}" if found and found.last_good else ""),
            3,
        ),
    )


TRACKER = Tracker("z3", report)
