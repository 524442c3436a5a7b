"""Draws docstrings, help texts and messages of falsum, for somebody who reads them for the first time.

A text that has to be read twice is at fault. Fix the same fault everywhere, and draw again with another seed.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random

import click
from bench.command import command_parser

import falsum
from falsum.app.main import falsum as falsum_command

SOURCE = Path(falsum.__file__).parent
_DEFINITIONS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def docstrings() -> Iterator[tuple[str, str]]:
    """The docstrings of modules, classes and functions, each with its place."""
    for place, node in _nodes():
        if isinstance(node, _DEFINITIONS) and (text := ast.get_docstring(node)):
            yield f"{place}:{getattr(node, 'lineno', 1)} {getattr(node, 'name', 'module')}", text


def help_texts() -> Iterator[tuple[str, str]]:
    """The help of every command and option of the command line."""
    todo: list[tuple[str, click.Command]] = [("falsum", falsum_command)]
    while todo:
        name, command = todo.pop(0)
        yield name, " ".join((command.help or "").split())
        if isinstance(command, click.Group):
            context = click.Context(command)
            names = command.list_commands(context)
            todo += [
                (f"{name} {each}", found) for each in names if (found := command.get_command(context, each))
            ]
        for parameter in command.params:
            if isinstance(parameter, click.Option) and parameter.help:
                yield f"{name} {parameter.opts[0]} {parameter.metavar or ''}".strip(), parameter.help


def messages() -> Iterator[tuple[str, str]]:
    """The texts of errors and of what is printed, with `…` for what is filled in."""
    for place, node in _nodes():
        call = node.exc if isinstance(node, ast.Raise) else node
        if not isinstance(call, ast.Call) or not call.args:
            continue
        function = call.func.id if isinstance(call.func, ast.Name) else ""
        if isinstance(node, ast.Raise) or function in ("echo", "status_line"):
            text = _template(call.args[0])
            if text.count(" ") > 1:
                yield f"{place}:{call.lineno} {function}", text


def _nodes() -> Iterator[tuple[str, ast.AST]]:
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            yield path.relative_to(SOURCE).as_posix(), node


def _template(node: ast.expr) -> str:
    """A text or an f-string; "" for anything else."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def parser() -> argparse.ArgumentParser:
    command = command_parser("bench.quality.texts", __doc__)
    command.add_argument("--rng", type=int, default=0, metavar="N", help="the seed of the draw (default 0)")
    for name, count in (("docstrings", 60), ("help-texts", 30), ("messages", 30)):
        command.add_argument(
            f"--{name}", type=int, default=count, metavar="N", help=f"how many (default {count})"
        )
    return command


def main() -> None:
    args = parser().parse_args()
    rng = Random(args.rng)
    for title, texts, count in (
        ("Docstrings", docstrings(), args.docstrings),
        ("Help texts", help_texts(), args.help_texts),
        ("Messages", messages(), args.messages),
    ):
        every = list(texts)
        print(f"## {title}: {count} of {len(every)}\n")
        for place, text in rng.sample(every, min(count, len(every))):
            print(f"{place}\n    {text.replace(chr(10), chr(10) + '    ')}\n")


if __name__ == "__main__":
    main()
