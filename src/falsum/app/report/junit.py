"""JUnit XML: the findings of a campaign as failed tests, for CI servers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree as ET

from falsum.app.report.summary import SummarisedFinding
from falsum.printable import printable

_SUITE: Final = "falsum"


def junit(findings: Sequence[SummarisedFinding], seconds: float = 0.0) -> str:
    """A test suite with a test for each finding; one that passes if there is none.

    Findings of the baseline, and those about reference solvers, are skipped tests.
    """
    known_count = sum(bool(one.pardon) for one in findings)
    counts = {
        "tests": str(max(1, len(findings))), "failures": str(len(findings) - known_count), "errors": "0",
        "skipped": str(known_count), "time": f"{seconds:.3f}",
    }  # fmt: skip
    root = ET.Element(
        "testsuites", {"name": _SUITE, "tests": counts["tests"], "failures": counts["failures"]}
    )
    suite = ET.SubElement(root, "testsuite", {"name": _SUITE} | counts)
    if not findings:
        ET.SubElement(suite, "testcase", {"name": "nothing wrong found", "classname": _SUITE, "time": "0"})
    for one in findings:
        label = f" ({one.label})" if one.label else ""
        attributes = {
            "name": f"{one.digest} {one.title}{label}",
            "classname": f"{_SUITE}.{one.product}",
            "time": "0",
        }
        case = ET.SubElement(suite, "testcase", {key: _text(value) for key, value in attributes.items()})
        if one.pardon:
            ET.SubElement(case, "skipped", {"message": _text(one.pardon)})
        else:
            failure = ET.SubElement(case, "failure", {"type": one.rule, "message": _text(one.title)})
            failure.text = _text(f"{one.evidence}\n\n{one.script}\n\n{one.folder}")
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _text(text: str) -> str:
    """Text without characters that XML does not allow."""
    return printable(text)
