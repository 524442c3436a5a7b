"""Rows for programs: JSON lines, CSV, JUnit XML, SARIF."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote
from xml.etree import ElementTree as ET

import msgspec

from falsum.audits.rows import AnyRow, AuditRow, StabilityRow, UpgradeRow, row_key
from falsum.errors import SurroundingsError, UsageError
from falsum.printable import on_one_line, printable
from falsum.version import __version__

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_KINDS: Final[dict[str, type[AnyRow]]] = {
    "audit": AuditRow,
    "upgrade": UpgradeRow,
    "stability": StabilityRow,
}

_Key = tuple[str, int, str]


def json_line(row: AnyRow) -> str:
    kind = next(name for name, each in _KINDS.items() if isinstance(row, each))
    return json.dumps({"kind": kind, **msgspec.to_builtins(row)})


def read_rows(file: Path) -> list[AnyRow]:
    """Rows from a file of JSON lines; other lines do not count."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        read = [json.loads(line) for line in lines if line.startswith("{")]
        return [msgspec.convert(row, _KINDS[row.pop("kind")]) for row in read if "kind" in row]
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror}") from error
    except (ValueError, KeyError, msgspec.ValidationError) as error:
        raise UsageError(f"{file}: not the rows of an audit: {error}") from error


def known_rows(rows: Sequence[AnyRow]) -> frozenset[tuple[_Key, str]]:
    """The checks of an earlier file of rows, with their labels."""
    return frozenset((row_key(row), row.label) for row in rows)


def csv_text(rows: Sequence[AnyRow]) -> str:
    """A table with a line for each row; lists and tables in a cell are JSON."""
    out = io.StringIO()
    names = rows[0].__struct_fields__ if rows else ()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        plain = msgspec.to_builtins(row, builtin_types=())
        writer.writerow([_cell(plain.get(name, getattr(row, name))) for name in names])
    return out.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, dict | list | tuple):
        return json.dumps(value) if value else ""
    text = on_one_line(str(value))
    # A spreadsheet takes these for formulas.
    return f"'{text}" if isinstance(value, str) and text.startswith(("=", "+", "@")) else text


def junit_text(
    rows: Sequence[AnyRow], bad: Collection[int], known_places: Collection[int], command: str
) -> str:
    """A test for each row: those in `bad` fail, those in `known_places` are skipped."""
    counts = {
        "tests": str(max(1, len(rows))), "failures": str(len(bad)), "errors": "0",
        "skipped": str(len(known_places)),
    }  # fmt: skip
    root = ET.Element("testsuites", {"name": f"falsum {command}", **{k: counts[k] for k in list(counts)[:2]}})
    suite = ET.SubElement(root, "testsuite", {"name": f"falsum {command}", **counts, "time": "0"})
    if not rows:
        ET.SubElement(suite, "testcase", {"name": "no checks", "classname": command, "time": "0"})
    for place, row in enumerate(rows):
        attributes = {
            "name": printable(f"check {row.check} {row.about}"), "classname": printable(row.query),
            "time": f"{_seconds(row):.3f}",
        }  # fmt: skip
        case = ET.SubElement(suite, "testcase", attributes)
        if place in known_places:
            ET.SubElement(case, "skipped", {"message": "known: in the baseline"})
        elif place in bad:
            failure = ET.SubElement(case, "failure", {"type": row.label, "message": printable(row.label)})
            failure.text = printable(row.evidence)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _seconds(row: AnyRow) -> float:
    if isinstance(row, AuditRow):
        return sum(row.cpu.values())
    return row.cpu_after if isinstance(row, UpgradeRow) else row.cpu_median


def sarif_text(rows: Sequence[AnyRow], bad: Collection[int], known_places: Collection[int]) -> str:
    """A result for each row that counts, and for each that the baseline has."""
    places = sorted({*bad, *known_places})
    rules = sorted({rows[place].label for place in places})
    driver = {
        "name": "falsum",
        "version": __version__,
        "rules": [{"id": _rule(rule), "shortDescription": {"text": rule}} for rule in rules],
    }
    results = [
        {
            "ruleId": _rule(rows[place].label),
            "ruleIndex": rules.index(rows[place].label),
            "level": "error" if rows[place].label in ("contradicted", "lost", "rejected") else "warning",
            "message": {"text": _message(rows[place])},
            "locations": [{"physicalLocation": _location(rows[place])}],
            "partialFingerprints": {"falsumRow/v1": _digest(rows[place])},
            "baselineState": "unchanged" if place in known_places else "new",
        }
        for place in places
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(label: str) -> str:
    return label.replace(" ", "-").replace("'", "")


def _message(row: AnyRow) -> str:
    reason = f": {row.evidence}" if row.evidence else ""
    return printable(f"check {row.check}, {row.about}: {row.label}{reason}")


def _location(row: AnyRow) -> dict[str, Any]:
    name = row.query.encode(errors="surrogateescape")
    return {"artifactLocation": {"uri": quote(name)}, "region": {"startLine": 1}}


def _digest(row: AnyRow) -> str:
    words = "\0".join((*map(str, row_key(row)), row.label))
    return hashlib.sha256(words.encode(errors="surrogateescape")).hexdigest()[:16]
