"""A picture of a terminal: `COMMAND 2>&1 | python -m docs.site.terminal_picture "COMMAND" FILE.svg`."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

_WIDTH = 84


def picture(command: str, printed: str) -> str:
    """The SVG of a terminal in which the command printed this."""
    console = Console(record=True, width=_WIDTH, file=io.StringIO(), highlight=False)
    console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))
    for line in printed.splitlines():
        console.print(Text.from_ansi(line), soft_wrap=False, overflow="fold")
    return console.export_svg(title="falsum")


if __name__ == "__main__":
    named, file = sys.argv[1:]
    Path(file).write_text(picture(named, sys.stdin.read()), encoding="utf-8")
