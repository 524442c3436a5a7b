"""What is done with the fenced blocks of the documentation.

* `console`: `$ command` lines are run in a directory of the page's own, and what they print must be what the
  page shows. `…` stands for any text within a line, a line of `…` for any lines, seconds for any seconds.
  `$ cat FILE` creates FILE with the text shown, if it does not exist.
* `sh`: commands for the reader, too long or too far-reaching to run: `falsum` command lines must parse, and
  targets of `make` must exist.
* `python`: run, all blocks of a page in one namespace.
* `toml`: a `falsum.toml` that the configuration reader accepts (or a list of known findings).
* `smt2`: read and sort-checked.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import click
from sybil import Example

from falsum.app.main import falsum as root_command
from falsum.campaign import config
from falsum.smtlib import read_script

ROOT = Path(__file__).parents[2]
ANY_LINES = "…"
SECONDS = re.compile(r"\d+(\.\d+)? s\b")
# Programs other than falsum that `sh` blocks may name.
OTHER_PROGRAMS = frozenset(
    "pip pipx uv git cd apt-get python python3 ssh sbatch kubectl docker openssl".split()
)


def enter_directory(namespace: dict[str, Any]) -> None:
    folder = tempfile.TemporaryDirectory(prefix="falsum-docs-")
    namespace["_folder"], namespace["_before"] = folder, Path.cwd()
    os.chdir(folder.name)


def leave_directory(namespace: dict[str, Any]) -> None:
    os.chdir(namespace.pop("_before"))
    namespace.pop("_folder").cleanup()


def run_console(example: Example) -> str | None:
    """Run every command of the block; the difference from what the page shows, or None."""
    for command, shown in commands_of(example.parsed):
        words = shlex.split(command)
        if words[0] == "cat" and len(words) == 2 and not Path(words[1]).exists():
            Path(words[1]).write_text(shown, encoding="utf-8")
            continue
        printed = output_of(command)
        if not pattern_of(shown).fullmatch(printed):
            return f"$ {command}\nprinted\n{printed}\nbut the page shows\n{shown}"
    return None


def commands_of(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and found[-1][0].endswith("\\"):
            found[-1] = (found[-1][0][:-1] + line.lstrip(), [])
        elif found:
            found[-1][1].append(line)
    return [(command, "".join(f"{line}\n" for line in lines)) for command, lines in found]


def output_of(command: str) -> str:
    """Standard output and error of a command, with the environment's own programs first on PATH."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        command,
        shell=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1"},
        check=False,
        timeout=100,
    )
    return result.stdout.decode(errors="replace")


def pattern_of(shown: str) -> re.Pattern[str]:
    lines = []
    for line in shown.splitlines():
        if line.strip() == ANY_LINES:
            lines.append(r"(?:.*\n)*")
            continue
        parts = SECONDS.sub("\0", line.rstrip()).split("\0")
        text = r"\d+(?:\.\d+)? s\b".join(
            re.escape(part).replace(re.escape(ANY_LINES), ".*") for part in parts
        )
        lines.append(f"{text}[ ]*\n")
    return re.compile("".join(lines))


def parse_commands(example: Example) -> str | None:
    """Check the command lines of an `sh` block without running them."""
    for line in example.parsed.replace("\\\n", " ").splitlines():
        wrong = problem_with(line)
        if wrong:
            return f"{line}\n{wrong}"
    return None


def problem_with(line: str) -> str | None:
    """Why a command line cannot be meant, or None."""
    words = shlex.split(line, comments=True)
    while words and "=" in words[0] and not words[0].startswith("-"):
        del words[0]  # a variable for the command's environment
    if not words:
        return None
    if words[0] == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        unknown = [word for word in words[1:] if "=" not in word and word not in targets]
        return f"make has no target {unknown[0]}" if unknown else None
    if words[0] != "falsum":
        return None if words[0] in OTHER_PROGRAMS else f"unknown program {words[0]}"
    return problem_with_falsum(words[1:])


def problem_with_falsum(words: list[str]) -> str | None:
    """Parse a falsum command line as falsum would, without running it."""
    try:
        context = root_command.make_context("falsum", list(words))
        while isinstance(context.command, click.Group) and (rest := rest_of(context)):
            name, command, rest = context.command.resolve_command(context, rest)
            if command is None:
                return f"no command {name}"
            context = command.make_context(name, rest, parent=context)
    except (click.exceptions.Exit, click.exceptions.NoArgsIsHelpError):
        return None  # --help, --version, or a group of commands without one
    except click.BadParameter as error:
        # Files that the page only imagines do not exist here; everything else is wrong.
        return None if "does not exist" in error.message else error.format_message()
    except click.ClickException as error:
        return error.format_message()
    return None


def rest_of(context: click.Context) -> list[str]:
    """What a group of commands has left for its sub-command."""
    return [*context._protected_args, *context.args]


def read_configuration(example: Example) -> str | None:
    text = example.parsed
    if "finding" in tomllib.loads(text):
        return None
    Path(config.FILE_NAME).write_text(text, encoding="utf-8")
    try:
        config.read(Path(config.FILE_NAME))
    finally:
        Path(config.FILE_NAME).unlink()
    return None


def read_smtlib(example: Example) -> str | None:
    read_script(example.parsed)
    return None
