"""Rewrites the list of commands in `bench/README.md` from their parsers and docstrings: `make docs`."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent
README = HERE / "README.md"
START, END = "<!-- commands: written by bench/list_commands.py -->\n", "<!-- end of commands -->\n"


def commands() -> dict[str, ModuleType]:
    """The modules that are commands: those with a function `parser`."""
    found = {}
    for path in sorted(HERE.rglob("*.py")):
        name = ".".join(("bench", *path.relative_to(HERE).with_suffix("").parts))
        if "\ndef parser(" in path.read_text(encoding="utf-8"):
            found[name] = importlib.import_module(name)
    return found


def usages(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The usage of a command on one line, or those of its subcommands."""
    subcommands = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]  # noqa: SLF001
    parsers = [each for action in subcommands for each in action.choices.values()] or [parser]
    for each in parsers:
        yield " ".join(each.format_usage().removeprefix("usage: ").split()).replace(" [-h]", "")


def listing() -> str:
    """The commands by folder: usage, and the first paragraph of the docstring."""
    rows: list[str] = []
    heading = ""
    for name, module in sorted(commands().items(), key=lambda item: (item[0].count(".") > 1, item[0])):
        folder = name.split(".")[1] if name.count(".") > 1 else "all"
        if folder != heading:
            heading = folder
            rows += [f"### {heading}", ""]
        about = " ".join((module.__doc__ or "").split("\n\n")[0].split())
        rows += ["```text", *usages(module.parser()), "```", "", about, ""]
    return "\n".join(rows)


def main() -> None:
    before, _, rest = README.read_text(encoding="utf-8").partition(START)
    after = rest.partition(END)[2]
    README.write_text(f"{before}{START}\n{listing()}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
