"""Yices: it has no form; reports have the output of `yices-smt2 --version` and a script."""

from __future__ import annotations

from falsum.app.report.markdown import joined, section
from falsum.app.report.parts import ReportParts
from falsum.app.report.trackers.tracker import Tracker


def report(parts: ReportParts) -> str:
    return joined(
        f"# {parts.title}",
        f"Version: {parts.version} ({parts.installation}), {parts.platform}",
        f"    $ {parts.command}",
        f"Expected: {parts.expected}  \nActual: {parts.actual}",
        parts.reproducer,
        f"{parts.reproducibility} {parts.options}",
        parts.evidence,
        section("Releases", parts.releases),
        parts.origin,
    )


TRACKER = Tracker("yices", report)
