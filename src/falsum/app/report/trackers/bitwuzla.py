"""Bitwuzla: it has no form; its reports have the script first, then answers and version."""

from __future__ import annotations

from falsum.app.report.markdown import joined, section
from falsum.app.report.parts import ReportParts
from falsum.app.report.trackers.tracker import Tracker


def report(parts: ReportParts) -> str:
    return joined(
        f"# {parts.title}",
        parts.reproducer,
        f"`{parts.command}` on {parts.version} ({parts.installation}), {parts.platform}.",
        f"Expected: {parts.expected}",
        f"Actual: {parts.actual}",
        parts.reproducibility,
        parts.options,
        section("Why this is wrong", parts.evidence),
        section("Releases", parts.releases),
        parts.origin,
    )


TRACKER = Tracker("bitwuzla", report)
