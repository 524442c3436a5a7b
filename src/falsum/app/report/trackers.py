"""Trackers: the material in the form each project asks for; a new one is a function and a line in ALL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from falsum.app.report.contents import Material
from falsum.oracles.judge.judgement import Defect

Form = Callable[[Material], str]
GENERIC: Final = "generic"
_CATEGORIES: Final = {
    Defect.CRASH: "Crash/Assertion failure",
    Defect.REFUTATION_UNSOUNDNESS: "Incorrect result (SAT/UNSAT/Unknown)",
    Defect.SOLUTION_UNSOUNDNESS: "Incorrect result (SAT/UNSAT/Unknown)",
    Defect.INVALID_MODEL: "Incorrect result (SAT/UNSAT/Unknown)",
    Defect.SLOW: "Performance regression",
}


def generic(material: Material) -> str:
    return _joined(
        f"# {material.title}",
        f"**Version:** {material.version} ({material.installation}) on {material.platform}  \n"
        f"**Command line:** `{material.command}`  \n"
        f"**Options:** {material.options}",
        _section("Script", _code(material.script)),
        _section("Expected", material.expected),
        _section("Actual", f"{material.actual}\n\n{material.reproducibility}"),
        _section("Why this is wrong", material.evidence),
        _section("Releases", material.releases),
        _section("How it was found", material.origin),
    )


def z3(material: Material) -> str:
    """The fields of Z3's form for bugs, in its order."""
    found = material.triage.bisection
    worked = "x" if found and found.last_good else " "
    interface = "Python API" if material.triage.is_library else "Command line (z3 executable)"
    return _joined(
        f"# [Bug] {material.title}",
        _section("Bug Category", _CATEGORIES.get(material.triage.judgement.defect, "Other"), 3),
        _section("Bug Description", f"`{material.command}`\n\n{material.evidence}\n\n{material.options}", 3),
        _section("Minimal Reproduction", _code(material.script), 3),
        _section("Expected Behavior", material.expected, 3),
        _section("Actual Behavior", f"{material.actual}\n\n{material.reproducibility}", 3),
        _section("Z3 Version", material.version, 3),
        _section("Platform", material.platform, 3),
        _section("Interface Used", interface, 3),
        _section("Installation Method", material.installation, 3),
        _section("Additional Context", f"{material.releases}\n\n{material.origin}", 3),
        _section(
            "Regression Check",
            f"- [{worked}] This worked in a previous version of Z3\n"
            f"- [{worked}] I can provide the last working version"
            + (f": {found.last_good}" if found and found.last_good else ""),
            3,
        ),
    )


def cvc5(material: Material) -> str:
    """The fields of cvc5's form for bugs; it asks for minimised scripts and how the solver was built."""
    return _joined(
        f"# {material.title}",
        "**Describe the bug**  \n"
        f"Expected: {material.expected}  \nActual: {material.actual}\n\n{material.reproducibility}",
        _code(material.script),
        material.evidence,
        f"**Command line arguments**: {f'`{material.arguments}`' if material.arguments else 'none'} "
        f"(`{material.command}`). {material.options}  \n"
        f"**cvc5 version/commit**: {material.version}  \n"
        f"**Operating system**: {material.platform}",
        f"**`configure.sh` options**  \nnone: {material.installation}",
        _section("Releases", material.releases),
        material.origin,
    )


def bitwuzla(material: Material) -> str:
    """Bitwuzla has no form; its reports have the script first, then answers and version."""
    return _joined(
        f"# {material.title}",
        _code(material.script),
        f"`{material.command}` on {material.version} ({material.installation}), {material.platform}.",
        f"Expected: {material.expected}",
        f"Actual: {material.actual}",
        material.reproducibility,
        material.options,
        _section("Why this is wrong", material.evidence),
        _section("Releases", material.releases),
        material.origin,
    )


def yices(material: Material) -> str:
    """Yices has no form; its developers are asked with the output of `yices-smt2 --version` and a script."""
    return _joined(
        f"# {material.title}",
        f"Version: {material.version} ({material.installation}), {material.platform}",
        f"    $ {material.command}",
        f"Expected: {material.expected}  \nActual: {material.actual}",
        _code(material.script),
        f"{material.reproducibility} {material.options}",
        material.evidence,
        _section("Releases", material.releases),
        material.origin,
    )


ALL: Final[Mapping[str, Form]] = {
    "z3": z3,
    "cvc5": cvc5,
    "bitwuzla": bitwuzla,
    "yices": yices,
    GENERIC: generic,
}


def form_of(product: str) -> str:
    """The form for a product."""
    return product if product in ALL else GENERIC


def _section(heading: str, text: str, level: int = 2) -> str:
    return f"{'#' * level} {heading}\n\n{text}"


def _code(text: str) -> str:
    return f"```smt2\n{text.strip()}\n```"


def _joined(*parts: str) -> str:
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"
