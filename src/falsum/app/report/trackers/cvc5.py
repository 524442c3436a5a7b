"""cvc5: the fields of its bug report form; it asks for minimised scripts and for how the solver was built."""

from __future__ import annotations

from falsum.app.report.markdown import joined, section
from falsum.app.report.parts import ReportParts
from falsum.app.report.trackers.tracker import Tracker


def report(parts: ReportParts) -> str:
    return joined(
        f"# {parts.title}",
        "**Describe the bug**  \n"
        f"Expected: {parts.expected}  \nActual: {parts.actual}\n\n{parts.reproducibility}",
        parts.reproducer,
        parts.evidence,
        f"**Command line arguments**: {f'`{parts.arguments}`' if parts.arguments else 'none'} "
        f"(`{parts.command}`). {parts.options}  \n"
        f"**cvc5 version/commit**: {parts.version}  \n"
        f"**Operating system**: {parts.platform}",
        f"**`configure.sh` options**  \nnone: {parts.installation}",
        section("Releases", parts.releases),
        parts.origin,
    )


TRACKER = Tracker("cvc5", report, weekly=3)
