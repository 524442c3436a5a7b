"""The pages: every block is of a kind that is tested, inline commands parse, links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.docs.examples import commands_of, pattern_of, problem_with

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    page.relative_to(ROOT).as_posix()
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "bench" / "README.md"]
    if page.parent.name != "site"  # its links are those of the built site, which test_site.py checks
)
# `text` is for what nobody can run: layouts, data flow. The others are executed or read (examples.py).
LANGUAGES = {"console", "sh", "python", "toml", "smt2", "diff", "json", "mermaid", "text", "yaml"}
FENCE = re.compile(r"^(```+)([a-z0-9]*)[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(falsum [a-z][^`\n]*)`")
LINK = re.compile(r"\]\(([^)#:\s]+)(#[^)\s]+)?\)")


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_blocks_name_a_language(page: str) -> None:
    unknown = [match[2] for match in FENCE.finditer(read(page)) if match[2] not in LANGUAGES]
    assert not unknown


@pytest.mark.parametrize("page", PAGES)
def test_inline_commands_parse(page: str) -> None:
    """Placeholders in capitals stand for values; `…` for anything."""
    wrong = []
    for command in INLINE.findall(FENCE.sub("", read(page))):
        text = re.sub(r"\[|\]|\.\.\.", "", command.replace(" …", " X")).partition(" | ")[0]
        text = re.sub(r"(--(?:count|jobs|rng|timeout|memory)) [A-Z]+", r"\1 1", text)
        text = re.sub(r"(--for) [A-Z]+", r"\1 1m", text)
        problem = problem_with(text)
        if problem and not any(word in problem for word in ("Missing", "requires an argument")):
            wrong.append(f"{command}: {problem}")
    assert not wrong


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    folder = (ROOT / page).parent
    assert not [target for target, _ in LINK.findall(read(page)) if not (folder / target).exists()]


def test_a_difference_is_noticed() -> None:
    shown = "z3  sat  0.03 s\n…\nlast … line\n"
    pattern = pattern_of(shown)
    assert pattern.fullmatch("z3  sat  1.2 s\nmore\nand more\nlast and longest line\n")
    assert pattern.fullmatch("z3  sat  7 s\nlast  line\n")
    assert not pattern.fullmatch("z3  unsat  0.03 s\nlast x line\n")
    assert not pattern.fullmatch("z3  sat  0.03 s\nlast x line\nsomething else\n")


def test_commands_and_their_output_are_told_apart() -> None:
    block = "$ a \\\n  b\nout\n\n$ c\n"
    assert commands_of(block) == [("a b", "out\n\n"), ("c", "")]


@pytest.mark.parametrize(
    "line",
    [
        "falsum fizz",
        "falsum fuzz --bogus",
        "falsum fuzz --count many",
        "make tea",
        "frobnicate",
        "falsum findings fly",
    ],
)
def test_wrong_command_lines_are_noticed(line: str) -> None:
    assert problem_with(line)


@pytest.mark.parametrize(
    "line",
    [
        "falsum fuzz seeds/ --for 10m",
        "make test  # why",
        "falsum --version",
        "pip install .",
        "",
        "A=b make fuzz",
    ],
)
def test_right_command_lines_pass(line: str) -> None:
    assert problem_with(line) is None
