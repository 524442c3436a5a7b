"""Trackers: how projects want bugs to be reported; a new one joins by a line in ALL, or from a plug-in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from falsum.app.report.markdown import joined, section
from falsum.app.report.parts import ReportParts
from falsum.defects.evidence.judgement import Defect
from falsum.plugins import Registry, instance_of


@dataclass(frozen=True, slots=True)
class Tracker:
    """`report` arranges the parts of a report as the project's form has them; `weekly` is the number of
    reports per week that its developers accept, if they have said so.
    """

    product: str
    report: Callable[[ReportParts], str]
    weekly: int | None = None


_Z3_CATEGORIES: Final[dict[str, str]] = {
    Defect.CRASH: "Crash/Assertion failure",
    Defect.REFUTATION_UNSOUNDNESS: "Incorrect result (SAT/UNSAT/Unknown)",
    Defect.SOLUTION_UNSOUNDNESS: "Incorrect result (SAT/UNSAT/Unknown)",
    Defect.INVALID_MODEL: "Incorrect result (SAT/UNSAT/Unknown)",
    Defect.SLOW: "Performance regression",
}


def _z3(parts: ReportParts) -> str:
    """The fields of its bug report form, in its order."""
    bisection = parts.triage.bisection
    last_working = bisection.last_working if bisection is not None else ""
    worked = "x" if last_working else " "
    interface = "Python API" if parts.triage.is_library else "Command line (z3 executable)"
    return joined(
        f"# [Bug] {parts.title}",
        section("Bug Category", _Z3_CATEGORIES.get(parts.triage.judgement.defect, "Other"), 3),
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
            + (f": {last_working}" if last_working else ""),
            3,
        ),
    )


def _cvc5(parts: ReportParts) -> str:
    """The fields of its bug report form; it asks for minimised scripts and for how the solver was built."""
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


def _bitwuzla(parts: ReportParts) -> str:
    """No form: its reports have the script first, then answers and version."""
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


def _yices(parts: ReportParts) -> str:
    """No form: reports have the output of `yices-smt2 --version` and a script."""
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


def _generic(parts: ReportParts) -> str:
    """Any project without a form of its own."""
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


GENERIC: Final = Tracker("generic", _generic)
ALL: Final[Registry[Tracker]] = Registry(
    "trackers",
    (
        Tracker("z3", _z3),
        Tracker("cvc5", _cvc5, weekly=3),
        Tracker("bitwuzla", _bitwuzla),
        Tracker("yices", _yices),
        GENERIC,
    ),
    instance_of(Tracker),
    key="product",
)
BY_PRODUCT: Final[Mapping[str, Tracker]] = ALL.by_name


def tracker_of(product: str) -> Tracker:
    """The tracker of a product, or the generic one."""
    return BY_PRODUCT.get(product, GENERIC)
