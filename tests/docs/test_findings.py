"""The pages of docs/findings: each is in the index, says what the project knows, and who else reads it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bench.triage.published import Page, pages_in

from falsum.app.report.nonstandard_names import nonstandard_names
from falsum.defects.table import kind_of
from falsum.smtlib import read_script

FOLDER = Path(__file__).parents[2] / "docs" / "findings"
PAGES = pages_in(FOLDER)
INDEX = (FOLDER / "README.md").read_text(encoding="utf-8")


def text_of(page: Page) -> str:
    return (FOLDER / f"{page.name}.md").read_text(encoding="utf-8")


def test_every_page_has_a_script_and_is_in_the_index() -> None:
    assert {page.name for page in PAGES} == {file.stem for file in FOLDER.glob("*.md")} - {"README"}
    assert sorted(re.findall(r"\]\(([\w-]+)\.md\)", INDEX)) == sorted(page.name for page in PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_complete(page: Page) -> None:
    text = text_of(page)
    assert kind_of(page.defect) is not None
    assert re.search(r"^## Known upstream\n\n(Probably|Perhaps|Nothing like it|Reported)", text, re.MULTILINE)
    accepting = page.parsers.split(", ")
    assert page.product not in accepting, "the suspect is none of two *other* parsers"
    is_met = len(accepting) >= 2
    assert f"- [{'x' if is_met else ' '}] accepted by two other parsers: {page.parsers}" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_outside_the_standard_are_named(page: Page) -> None:
    names = nonstandard_names(read_script(page.script))
    assert f"no built-in name declared: {names or 'the script is plain SMT-LIB'}\n" in text_of(page)
    (line,) = [line for line in INDEX.splitlines() if f"({page.name}.md)" in line]
    assert line.endswith(f"| {names} |")
