"""Any project without a form of its own."""

from __future__ import annotations

from falsum.app.report.markdown import joined, section
from falsum.app.report.parts import ReportParts
from falsum.app.report.trackers.tracker import Tracker


def report(parts: ReportParts) -> str:
    return joined(
        f"# {parts.title}",
        f"**Version:** {parts.version} ({parts.installation}) on {parts.platform}  \n"
        f"**Command line:** `{parts.command}`  \n"
        f"**Options:** {parts.options}",
        section("Script", parts.reproducer),
        section("Expected", parts.expected),
        section("Actual", f"{parts.actual}\n\n{parts.reproducibility}"),
        section("Why this is wrong", parts.evidence),
        section("Releases", parts.releases),
        section("How it was found", parts.origin),
    )


TRACKER = Tracker("generic", report)
