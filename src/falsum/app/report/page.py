"""Publishable pages about findings: the report of each with its checklist, and an index."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from falsum.app.report import checklist, files, trackers
from falsum.app.report.nonstandard_names import NonstandardNames
from falsum.campaign.triage import result
from falsum.errors import ScriptError
from falsum.printable import on_one_line, printable
from falsum.smtlib import read_script
from falsum.store.replay_script import slug

INDEX: Final = "README.md"
_DIGITS: Final = 6
_FENCE: Final = re.compile(r"^(?P<fence>```+)smt2\n(?P<body>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class FindingPage:
    """The entry of a page in the index; `name` is its file name."""

    name: str
    product: str
    release: str
    defect: str
    title: str
    text: str
    names: NonstandardNames = field(default_factory=NonstandardNames)


def page_of(folder: Path) -> FindingPage:
    """The page of a triaged finding."""
    parts = files.parts_of(folder)
    triage = parts.triage
    tracker = trackers.tracker_of(triage.product)
    points = checklist.points(parts, checklist.newest_release(triage.product))
    # The forms of some trackers begin at the third level.
    report = tracker.report(parts).strip().replace("\n### ", "\n## ")
    known = f"## Known upstream\n\n{parts.known_upstream}"
    text = f"{report}\n\n{known}\n\n## Checklist\n\n" + "\n".join(map(str, points)) + "\n"
    defect = str(triage.judgement.defect)
    name = f"{slug(triage.product)}-{slug(defect)}-{triage.digest[:_DIGITS]}.md"
    plain = _FENCE.sub(_labelled, printable(text))
    return FindingPage(name, triage.product, triage.release, defect, parts.title, plain, parts.names)


def _labelled(block: re.Match[str]) -> str:
    """Label a block as SMT-LIB only if it is valid alone: a model may need the sorts of its script."""
    try:
        read_script(block["body"])
    except ScriptError:
        return block[0].replace("smt2", "text", 1)
    return block[0]


def index_of(pages: Sequence[FindingPage]) -> str:
    """The index: the number of pages of each kind, and a line for each page, those in plain SMT-LIB first."""
    counts = Counter((page.product, page.defect) for page in pages)
    products = sorted({page.product for page in pages})
    lines = [
        "# Findings",
        "",
        f"| defect | {' | '.join(products)} | all |",
        "|" + " --- |" * (len(products) + 2),
    ]
    for defect in sorted({page.defect for page in pages}):
        each = [counts[product, defect] for product in products]
        lines.append(f"| {defect} | {' | '.join(map(str, each))} | {sum(each)} |")
    lines += ["", "| solver | finding | names outside SMT-LIB |", "| --- | --- | --- |"]
    for page in sorted(pages, key=lambda page: (page.product, page.names.rank, page.defect, page.name)):
        title = on_one_line(page.title).replace("|", "\\|").replace("[", "\\[").replace("]", "\\]")
        lines.append(f"| {page.product} {page.release} | [{title}]({page.name}) | {page.names} |")
    return "\n".join(lines) + "\n"


def write_pages(folders: Sequence[Path], to: Path) -> list[FindingPage]:
    """Write the pages of findings and their index into a directory."""
    pages = [page_of(folder) for folder in folders]
    for page in pages:
        result.write(to, page.name, page.text)
    result.write(to, INDEX, index_of(pages))
    return pages
