"""No silent caps: every bound is in the table of `bounds.py`, with why it is fixed and where it is said."""

from __future__ import annotations

import ast
from collections import Counter

from tests.bounds import ROOMS, SOURCES, _is_number, in_sources, listed


def _has_room(module: str) -> bool:
    return any(module == room or module.startswith(f"{room}/") for room in ROOMS)


def test_every_bound_is_in_the_table() -> None:
    known = {(bound.module, bound.name) for bound in listed()}
    missing = [f"{module} {name}" for module, name in in_sources() if (module, name) not in known]
    missing = [entry for entry in missing if not _has_room(entry.split()[0])]
    assert not missing, (
        f"say in tests/bounds.py how these are set and where it is said when they bite: {missing}"
    )


def test_no_line_is_left_over() -> None:
    there = set(in_sources())
    assert [bound for bound in listed() if (bound.module, bound.name) not in there] == []
    counts = Counter((bound.module, bound.name) for bound in listed())
    assert [key for key, count in counts.items() if count > 1] == []
    assert [bound for bound in listed() if _has_room(bound.module)] == []
    assert [
        room for room in ROOMS if not (SOURCES / room).exists() and not (SOURCES / f"{room}.py").exists()
    ] == []


def test_what_is_said_is_in_the_sources() -> None:
    texts = [file.read_text(encoding="utf-8") for file in sorted(SOURCES.rglob("*.py"))]
    for bound in listed():
        assert any(bound.words in text for text in texts), bound


def test_numbers_are_recognised() -> None:
    for text, is_number in (
        ("3", True), ("-1", True), ("2 << 20", True), ("0.5 * 60", True), ("True", False), ("'a'", False),
        ("len('a')", False), ("(1, 2)", False), ("X + 1", False),
    ):  # fmt: skip
        assert _is_number(ast.parse(text, mode="eval").body) == is_number, text
